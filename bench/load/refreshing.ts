import { withCpu, type Contestant, type ServerTraffic } from '../alternate.js'
import { runJob, type ServerProcess } from '../workplace/processes.js'
import type { ContestantId, Credentials } from './contestants.js'
import type { RefreshLoad } from './refresh-load.js'
import type { Traffic } from './traffic.js'

/** So many for each round: none is refreshed in two rounds, which know nothing of each other. */
export const SESSIONS_PER_ROUND = 320

type Width = {
  readonly clients: readonly Credentials[]
  readonly connections: number
  readonly seconds: number
  /** Kennel itself where nothing is said. */
  readonly contestant?: ContestantId
}

/** Clients that refresh their sessions one after the other, `connections` of them at once. */
export function refreshing(name: string, service: ServerProcess, width: Width): Contestant<ServerTraffic> {
  return {
    name,
    round: (number) => {
      const first = number * SESSIONS_PER_ROUND
      const clients = width.clients.slice(first, first + SESSIONS_PER_ROUND)
      const load: RefreshLoad = { contestant: 'kennel', ...width, address: service.address, clients }
      return withCpu(service, () => runJob<Traffic>('load/refresh-load', 'load', load))
    },
  }
}
