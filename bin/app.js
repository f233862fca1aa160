#!/usr/bin/env node
import module from 'node:module'
import { join } from 'node:path'

// Beside the code it is of: who can write there could change the code as well.
module.enableCompileCache?.(join(import.meta.dirname, '..', 'dist', 'compile-cache'))

const { main } = await import('../dist/app/main.js')
await main()
