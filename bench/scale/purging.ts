import { median, ratio, type Results } from '../alternate.js'
import type { PacedLoad } from '../load/paced-load.js'
import { refreshing, SESSIONS_PER_ROUND } from '../load/refreshing.js'
import type { Traffic } from '../load/traffic.js'
import { atMost, thousands } from '../report.js'
import type { Run } from '../run.js'
import { runJob } from '../workplace/processes.js'
import { identityHeaders, type Client } from '../workplace/seed.js'
import { startService } from '../workplace/service.js'
import { endsOf, type Part } from './part.js'
import { addEnded, clientsOf, type SizedStore } from './stores.js'

const READS_PER_SECOND = 200
const ROUNDS = { usual: 3, quick: 1 }

/**
 * Reads at a steady rate, and one client that refreshes, first without a purge and then while ended sessions are
 * removed: a service purges when it starts.
 */
export async function measurePurge(store: SizedStore, run: Run): Promise<Part> {
  const ended = Math.ceil(store.population.size.sessions / 2)
  const count = Math.min(2 * (run.rounds(ROUNDS) + 1) * SESSIONS_PER_ROUND, store.population.size.sessions)
  const clients = await clientsOf(store, count, 3)
  const half = count / 2
  const idle = await serve(store, clients.slice(0, half), run)
  await addEnded(store, ended)
  const [before, begun] = [await sessionsIn(store), performance.now()]
  const purging = await serve(store, clients.slice(half), run)
  const seconds = (performance.now() - begun) / 1000
  const removed = before - (await sessionsIn(store))
  const isOver = removed >= ended
  const during = `during the purge of ${thousands(ended)} sessions, per idle`
  const p99 = (round: Traffic) => round.p99
  return {
    rows: [],
    claims: [
      atMost(`p99 of reads ${during}`, 2, isOver ? null : ratio(purging.reads, idle.reads, p99), {
        short: `p99 of reads ${during}`,
      }),
    ],
    notes: [
      isOver
        ? 'the purge ended before its measurement'
        : `the purge removed ${(removed / seconds).toFixed(0)} sessions a second meanwhile`,
      ...(['reads', 'refreshes'] as const).map((kind) => {
        const of = (state: typeof idle) => median(state[kind].rounds.map(p99)).toFixed(2)
        return `p99 of ${kind}: ${of(idle)} ms idle, ${of(purging)} ms during the purge`
      }),
    ],
  }
}

type Served = { readonly reads: Results<Traffic>; readonly refreshes: Results<Traffic> }

async function serve({ place }: SizedStore, clients: readonly Client[], run: Run): Promise<Served> {
  const service = await startService(place)
  const load: PacedLoad = {
    url: `${service.address}/api/auth/get-identity`,
    headers: identityHeaders(endsOf(clients)[1]),
    perSecond: READS_PER_SECOND,
    seconds: run.seconds,
  }
  const width = { clients: clients.slice(0, -1), connections: 1, seconds: run.seconds }
  const [reads, refreshes] = await run.alternate<Traffic>(
    [
      { name: 'reads', round: () => runJob('load/paced-load', 'load', load) },
      refreshing('refreshes', service, width),
    ],
    ROUNDS,
  )
  await service.stop()
  if (!reads || !refreshes) throw new Error('two were measured')
  return { reads, refreshes }
}

async function sessionsIn({ place }: SizedStore): Promise<number> {
  return await place.withStore(async ({ copyableRecords }) => (await copyableRecords?.count('session')) ?? 0)
}
