#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { execute } from '@oclif/core'

const root = join(import.meta.dirname, '..')
const described = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

// The command has two names; help, completions and errors go by the one that was typed.
const names = Object.keys(described.bin)
const bin = names.find((name) => name === basename(process.argv[1])) ?? described.oclif.bin
const oclif = { ...described.oclif, bin, binAliases: names.filter((name) => name !== bin) }
// oclif looks for its plugins among the dependencies alone; what the command line needs is optional for the library.
const dependencies = { ...described.dependencies, ...described.optionalDependencies }
await execute({ loadOptions: { root, pjson: { ...described, dependencies, oclif } } })
