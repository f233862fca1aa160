import { under } from '../load/reading.js'
import { identityRequest } from '../load/requests.js'
import { atMost, thousands, type Report } from '../report.js'
import type { Run } from '../run.js'
import { fillSessions } from '../store/stores.js'
import { settledMebibytes } from '../workplace/processes.js'
import { startLoggedService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

const FEW = 320

/** The number of workers: at least two, because a service with one worker is a single process. */
const WORKERS = 2

/** Resident memory after the start, after reads of few sessions, and after reads of many sessions. */
type Measured = { readonly idle: number; readonly before: number; readonly after: number }
type Amounts = { readonly sessions: number; readonly reads: number }

/**
 * Measures the resident memory of a worker and of a single process: idle, after reads of few sessions, and after as
 * many reads of many sessions.
 */
export async function measureMemory(run: Run): Promise<Report> {
  const [many, reads] = run.quick ? [10_000, 20_000] : [100_000, 200_000]
  const worker = await measured(WORKERS, { sessions: many, reads }, run)
  const single = await measured(1, { sessions: many, reads }, run)
  const after = `memory of a worker after ${thousands(many)} sessions`
  const style = { unit: 'MiB', digits: 0 }
  return {
    setting: `Resident memory after the start, after ${thousands(reads)} reads of ${thousands(FEW)} sessions, and after ${thousands(reads)} reads of ${thousands(many)} other sessions. Of ${WORKERS} workers, the larger value is shown.`,
    columns: ['idle', `${FEW} sessions`, `${thousands(many + FEW)} sessions`].map((name) => ({
      name: `${name}, MiB`,
      digits: 1,
    })),
    rows: [
      { name: 'a worker', values: [worker.idle, worker.before, worker.after] },
      { name: 'a single process', values: [single.idle, single.before, single.after] },
    ],
    claims: [
      atMost('memory of an idle worker', 75, worker.idle, style),
      atMost(after, 110, worker.after, style),
      atMost(`${after}, relative to ${FEW} sessions`, 1.2, worker.after / worker.before),
    ],
  }
}

/** Each worker reads about as much as a single process does. */
async function measured(workers: number, { sessions, reads }: Amounts, run: Run): Promise<Measured> {
  return await inWorkplace(async (place) => {
    run.step(`opening ${thousands(FEW + sessions)} sessions`)
    const requests = (await fillSessions(place, FEW + sessions)).map(identityRequest)
    const service = await startLoggedService(place, { METRICS_PORT: '0', WORKERS: String(workers) })
    const read = async (from: number, to: number) => {
      run.step(`reading ${thousands(to - from)} sessions with ${workers} processes`)
      await under(service, { requests: requests.slice(from, to), amount: workers * reads })
      return await settledMebibytes(service)
    }
    const idle = await settledMebibytes(service)
    const before = await read(0, FEW)
    const after = await read(FEW, FEW + (workers * sessions) / 2)
    await service.stop()
    return { idle, before, after }
  })
}
