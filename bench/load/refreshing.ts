import { withCpu, type Contestant, type ServerTraffic } from '../alternate.js'
import { runJob, type ServerProcess } from '../workplace/processes.js'
import type { ContestantId, Credentials } from './contestants.js'
import type { RefreshLoad } from './refresh-load.js'
import type { Traffic } from './traffic.js'

/** Sessions for each round: no session is refreshed in two rounds, because rounds share no credentials. */
export const SESSIONS_PER_ROUND = 320

type Width = {
  readonly clients: readonly Credentials[]
  readonly connections: number
  readonly seconds: number
  /** Kennel itself by default. */
  readonly contestant?: ContestantId
}

/** Clients that refresh their sessions one after another, `connections` of them concurrently. */
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
