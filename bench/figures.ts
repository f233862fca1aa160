import { measureGetIdentity } from './figures/get-identity.js'
import { measureLogin } from './figures/login.js'
import { measureMemory } from './figures/memory.js'
import { measurePeers } from './figures/peers.js'
import { measurePets } from './figures/pets.js'
import { measureRefresh } from './figures/refresh.js'
import { measureMongodbScale, measureSqliteScale } from './figures/scale.js'
import { measureStart } from './figures/start.js'
import { measureStateless } from './figures/stateless.js'
import { measureWebHandler } from './figures/web-handler.js'
import { measureWorkers } from './figures/workers.js'
import type { Report } from './report.js'
import type { Run } from './run.js'

/** One comparison: `npm run bench -- <name>` measures it, and the performance page has a section for it. */
export type Figure = {
  readonly name: string
  /** The heading of its section on the page. */
  readonly title: string
  readonly needsMongodb?: boolean
  /** The figure is measured only if the command line names it. */
  readonly onlyNamed?: boolean
  readonly measure: (run: Run) => Promise<Report>
}

const LARGE = { onlyNamed: true }

/** All figures, in the order of their sections. */
export const FIGURES: readonly Figure[] = [
  { name: 'get-identity', title: 'get-identity', measure: measureGetIdentity },
  { name: 'stateless', title: 'get-identity, stateless', measure: measureStateless },
  { name: 'web-handler', title: 'The web handler', measure: measureWebHandler },
  { name: 'workers', title: 'Several workers', measure: measureWorkers },
  { name: 'peers', title: 'Beside other identity software', measure: measurePeers },
  { name: 'pets', title: 'Pets', measure: measurePets },
  { name: 'login', title: 'Login', measure: measureLogin },
  { name: 'refresh', title: 'Refresh', measure: measureRefresh },
  { name: 'start', title: 'Start', measure: measureStart },
  { name: 'memory', title: 'Memory', measure: measureMemory },
  { name: 'scale', title: 'Growth with size', measure: measureSqliteScale, ...LARGE },
  {
    ...{ name: 'mongodb-scale', title: 'MongoDB: growth with size', measure: measureMongodbScale },
    ...{ needsMongodb: true, ...LARGE },
  },
]
