import type { Report } from './report.js'
import type { Run } from './run.js'

/** The lines of the summary, after the line with the count: there is room for ten, and `Others` has no line. */
export type Group =
  | 'Reads'
  | 'Pets'
  | 'Logins'
  | 'Refresh'
  | 'Cores'
  | 'Start'
  | 'Size and memory'
  | 'Peers'
  | 'MongoDB'
  | 'Others'

/** One comparison: `npm run bench -- <name>` measures it, and the page has a section for it. */
export type Figure = {
  /** In kebab case, the name of its file in `figures`, of its results and of its notes. */
  readonly name: string
  /** The heading of its section on the page. */
  readonly title: string
  /** Its line in the summary on top of the page, with the claims that have a short name. */
  readonly group: Group
  readonly needsMongodb?: boolean
  /** Why it is measured only if it is named, such as that it takes an hour. */
  readonly onlyNamed?: string
  /** Imports its file on demand, so that no figure waits for the imports of another. */
  readonly measure: (run: Run) => Promise<Report>
}

/** All figures, in the order of their sections. */
export const FIGURES: readonly Figure[] = [
  {
    name: 'get-identity-busy',
    title: 'get-identity, busy',
    group: 'Reads',
    measure: async (run) =>
      await (await import('./figures/get-identity-busy.js')).measureGetIdentityBusy(run),
  },
  {
    name: 'get-identity-many',
    title: 'get-identity, many sessions',
    group: 'Reads',
    measure: async (run) =>
      await (await import('./figures/get-identity-many.js')).measureGetIdentityMany(run),
  },
  {
    name: 'get-identity-few',
    title: 'get-identity, few sessions',
    group: 'Reads',
    measure: async (run) => await (await import('./figures/get-identity-few.js')).measureGetIdentityFew(run),
  },
  {
    name: 'get-identity',
    title: 'get-identity, warm',
    group: 'Reads',
    measure: async (run) => await (await import('./figures/get-identity.js')).measureGetIdentity(run),
  },
  {
    name: 'stateless',
    title: 'get-identity, stateless',
    group: 'Reads',
    measure: async (run) => await (await import('./figures/stateless.js')).measureStateless(run),
  },
  {
    name: 'web-handler',
    title: 'The web handler',
    group: 'Reads',
    measure: async (run) => await (await import('./figures/web-handler.js')).measureWebHandler(run),
  },
  {
    name: 'latency',
    title: 'Latency under load',
    group: 'Reads',
    measure: async (run) => await (await import('./figures/latency.js')).measureLatency(run),
  },
  {
    name: 'workers',
    title: 'Several workers',
    group: 'Cores',
    measure: async (run) => await (await import('./figures/workers.js')).measureWorkers(run),
  },
  {
    name: 'observed',
    title: 'Metrics and request logs',
    group: 'Reads',
    measure: async (run) => await (await import('./figures/observed.js')).measureObserved(run),
  },
  {
    name: 'peers',
    title: 'Beside other identity software',
    group: 'Peers',
    measure: async (run) => await (await import('./figures/peers.js')).measurePeers(run),
  },
  {
    name: 'pets-busy',
    title: 'Pets, while pets are created',
    group: 'Pets',
    measure: async (run) => await (await import('./figures/pets-busy.js')).measurePetsBusy(run),
  },
  {
    name: 'pets-basic',
    title: 'Pets with HTTP Basic',
    group: 'Pets',
    measure: async (run) => await (await import('./figures/pets-basic.js')).measurePetsBasic(run),
  },
  {
    name: 'pet',
    title: 'One pet',
    group: 'Pets',
    measure: async (run) => await (await import('./figures/pet.js')).measurePet(run),
  },
  {
    name: 'list-pets',
    title: 'A page of pets',
    group: 'Pets',
    measure: async (run) => await (await import('./figures/list-pets.js')).measureListPets(run),
  },
  {
    name: 'login',
    title: 'Login',
    group: 'Logins',
    measure: async (run) => await (await import('./figures/login.js')).measureLogin(run),
  },
  {
    name: 'refresh',
    title: 'Refresh',
    group: 'Refresh',
    measure: async (run) => await (await import('./figures/refresh.js')).measureRefresh(run),
  },
  {
    name: 'tokens',
    title: 'Tokens',
    group: 'Others',
    measure: async (run) => await (await import('./figures/tokens.js')).measureTokens(run),
  },
  {
    name: 'start',
    title: 'Start',
    group: 'Start',
    measure: async (run) => await (await import('./figures/start.js')).measureStart(run),
  },
  {
    name: 'help',
    title: 'Help of the command line',
    group: 'Start',
    measure: async (run) => await (await import('./figures/help.js')).measureHelp(run),
  },
  {
    name: 'import',
    title: 'Import of accounts',
    group: 'Others',
    measure: async (run) => await (await import('./figures/import.js')).measureImport(run),
  },
  {
    name: 'embedded',
    title: 'The library',
    group: 'Others',
    measure: async (run) => await (await import('./figures/embedded.js')).measureEmbedded(run),
  },
  {
    name: 'audit',
    title: 'Audit, and the limit of attempts',
    group: 'Others',
    measure: async (run) => await (await import('./figures/audit.js')).measureAudit(run),
  },
  {
    name: 'description',
    title: 'The API description',
    group: 'Reads',
    measure: async (run) => await (await import('./figures/description.js')).measureDescription(run),
  },
  {
    name: 'memory',
    title: 'Memory',
    group: 'Size and memory',
    measure: async (run) => await (await import('./figures/memory.js')).measureMemory(run),
  },
  {
    name: 'scale',
    title: 'Growth with size',
    group: 'Size and memory',
    onlyNamed: 'it fills stores with ten million pets first',
    measure: async (run) => await (await import('./figures/scale.js')).measureSqliteScale(run),
  },
  {
    name: 'search',
    title: 'Search among accounts',
    group: 'Size and memory',
    onlyNamed: 'it fills a file with a million accounts first',
    measure: async (run) => await (await import('./figures/search.js')).measureSearch(run),
  },
  {
    name: 'mongodb-get-identity',
    title: 'MongoDB: get-identity',
    group: 'MongoDB',
    needsMongodb: true,
    measure: async (run) =>
      await (await import('./figures/mongodb-get-identity.js')).measureMongodbGetIdentity(run),
  },
  {
    name: 'mongodb-refresh',
    title: 'MongoDB: refresh',
    group: 'MongoDB',
    needsMongodb: true,
    measure: async (run) => await (await import('./figures/mongodb-refresh.js')).measureMongodbRefresh(run),
  },
  {
    name: 'mongodb-pets',
    title: 'MongoDB: pages of pets',
    group: 'MongoDB',
    needsMongodb: true,
    measure: async (run) => await (await import('./figures/mongodb-pets.js')).measureMongodbPets(run),
  },
  {
    name: 'mongodb-instances',
    title: 'MongoDB: two instances',
    group: 'MongoDB',
    needsMongodb: true,
    measure: async (run) =>
      await (await import('./figures/mongodb-instances.js')).measureMongodbInstances(run),
  },
  {
    name: 'mongodb-store-copy',
    title: 'MongoDB: store copy',
    group: 'MongoDB',
    needsMongodb: true,
    measure: async (run) => await (await import('./figures/mongodb-store-copy.js')).measureStoreCopy(run),
  },
  {
    name: 'mongodb-scale',
    title: 'MongoDB: growth with size',
    group: 'MongoDB',
    onlyNamed: 'it fills databases with a million pets first',
    needsMongodb: true,
    measure: async (run) => await (await import('./figures/mongodb-scale.js')).measureMongodbScale(run),
  },
  {
    name: 'mongodb-search',
    title: 'MongoDB: search among accounts',
    group: 'MongoDB',
    onlyNamed: 'it fills a database with a million accounts first',
    needsMongodb: true,
    measure: async (run) => await (await import('./figures/mongodb-search.js')).measureMongodbSearch(run),
  },
]
