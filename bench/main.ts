import { parseArgs } from 'node:util'
import { hasMongodb, NO_MONGODB } from './mongodb-server.js'
import { machine, written, type Options, type Report } from './report.js'

const FIGURES: Readonly<Record<string, (options: Options) => Promise<Report>>> = {
  'get-identity': async (options) => await (await import('./get-identity.js')).measureGetIdentity(options),
  observed: async (options) => await (await import('./observed.js')).measureObserved(options),
  description: async (options) => await (await import('./description.js')).measureDescription(options),
  stateless: async (options) => await (await import('./stateless.js')).measureStateless(options),
  tokens: async (options) => await (await import('./tokens.js')).measureTokens(options),
  'list-pets': async (options) => await (await import('./list-pets.js')).measureListPets(options),
  login: async (options) => await (await import('./login.js')).measureLogin(options),
  refresh: async (options) => await (await import('./refresh.js')).measureRefresh(options),
  start: async (options) => await (await import('./start.js')).measureStart(options),
  help: async (options) => await (await import('./help.js')).measureHelp(options),
  import: async (options) => await (await import('./import.js')).measureImport(options),
  embedded: async (options) => await (await import('./embedded.js')).measureEmbedded(options),
  audit: async (options) => await (await import('./audit.js')).measureAudit(options),
  'mongodb-get-identity': async (options) =>
    await (await import('./mongodb-get-identity.js')).measureMongodbGetIdentity(options),
  'mongodb-refresh': async (options) =>
    await (await import('./mongodb-refresh.js')).measureMongodbRefresh(options),
  'mongodb-pets': async (options) => await (await import('./mongodb-pets.js')).measureMongodbPets(options),
  'mongodb-instances': async (options) =>
    await (await import('./mongodb-instances.js')).measureMongodbInstances(options),
  'mongodb-store-copy': async (options) =>
    await (await import('./mongodb-store-copy.js')).measureStoreCopy(options),
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
  const wanted = positionals.length === 0 || positionals.includes(name)
  if (wanted && name.startsWith('mongodb') && !hasMongodb()) console.log(`${name}: ${NO_MONGODB}\n`)
  else if (wanted) console.log(written(await measure(values)))
}
