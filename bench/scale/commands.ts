import type { Contestant } from '../alternate.js'
import type { Run } from '../run.js'
import { runCommand, type Round } from '../workplace/command.js'
import type { ServerProcess } from '../workplace/processes.js'
import { ask } from '../workplace/reply.js'
import { startService } from '../workplace/service.js'
import { sizedRow, type Part } from './part.js'
import type { SizedStore } from './stores.js'

const START_ROUNDS = { usual: 5, quick: 2 }
const LIST_ROUNDS = { usual: 1, quick: 1 }

/** From the start of the process to the first reply that reports readiness. */
export async function measureStarts(stores: readonly SizedStore[], run: Run): Promise<Part> {
  const results = await run.alternate(stores.map(starting), START_ROUNDS)
  return { rows: [sizedRow('start to ready, ms', results, (round) => round)], claims: [] }
}

function starting({ place }: SizedStore): Contestant<number> {
  return {
    name: 'start',
    round: async () => {
      const begun = performance.now()
      const service: ServerProcess = await startService(place, 'anywhere')
      const { status } = await ask(`${service.address}/health/ready`, {})
      const time = performance.now() - begun
      await service.stop()
      if (status !== 200) throw new Error(`not ready: ${status}`)
      return time
    },
  }
}

/** Lists every account and every record of the audit log, including start and end of the process. */
export async function measureLists(stores: readonly SizedStore[], run: Run): Promise<Part> {
  const users = await run.alternate(stores.map(listing('user')), LIST_ROUNDS)
  const records = await run.alternate(stores.map(listing('audit')), LIST_ROUNDS)
  const rowsOf = (name: string, results: typeof users) => [
    sizedRow(`${name}, all, s`, results, ({ seconds }) => seconds),
    sizedRow(`${name}, peak memory, MiB`, results, ({ peakMebibytes }) => peakMebibytes),
  ]
  return { rows: [...rowsOf('user list', users), ...rowsOf('audit list', records)], claims: [] }
}

function listing(what: 'audit' | 'user'): (store: SizedStore) => Contestant<Round> {
  return ({ place }) => ({ name: what, round: () => runCommand([what, 'list', '--json'], place.env) })
}
