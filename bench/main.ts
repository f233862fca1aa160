import { parseArgs } from 'node:util'
import { machine, written, type Options, type Report } from './report.js'

const FIGURES: Readonly<Record<string, (options: Options) => Promise<Report>>> = {
  'get-identity': async (options) => await (await import('./get-identity.js')).measureGetIdentity(options),
  'list-pets': async (options) => await (await import('./list-pets.js')).measureListPets(options),
  login: async (options) => await (await import('./login.js')).measureLogin(options),
  refresh: async (options) => await (await import('./refresh.js')).measureRefresh(options),
  start: async (options) => await (await import('./start.js')).measureStart(options),
  help: async (options) => await (await import('./help.js')).measureHelp(options),
  import: async (options) => await (await import('./import.js')).measureImport(options),
  memory: async (options) => await (await import('./memory.js')).measureMemory(options),
}

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !Object.hasOwn(FIGURES, name))
if (unknown.length > 0) {
  console.error(`There is no figure ${unknown.join(', ')}; there are ${Object.keys(FIGURES).join(', ')}.`)
  process.exit(2)
}

console.log(`${machine()}\n`)
for (const [name, measure] of Object.entries(FIGURES)) {
  if (positionals.length === 0 || positionals.includes(name)) console.log(written(await measure(values)))
}
