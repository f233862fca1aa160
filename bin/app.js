#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { failOnDescriptors } from './few-descriptors.js'

// The cache is safe in the code's folder, because a user who can write there can change the code anyway.
module.enableCompileCache?.(join(import.meta.dirname, '..', 'dist', 'compile-cache'))
const bundle = join(import.meta.dirname, '..', 'dist', 'app', 'main.js')
if (existsSync(bundle)) {
  await import('../dist/app/main.js').then(({ main }) => main()).catch(failOnDescriptors)
} else {
  console.error(`${bundle} is missing: run "npm run build" in a checkout, or install the package again.`)
  process.exitCode = 1
}
