import { CONNECTIONS, identitiesOf } from '../load/reading.js'
import type { Load } from '../load/load.js'
import {
  runJob,
  settledMebibytes,
  settledWorkerMebibytes,
  type ServerProcess,
} from '../workplace/processes.js'
import { atMost, chartOfClaims, thousands, type Report } from '../report.js'
import type { Run } from '../run.js'
import { fillSessions } from '../scale/stores.js'
import { identityHeaders, type Client } from '../workplace/seed.js'
import { startLoggedService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

const FEW = 320

/** At least two, because with one worker the service is a single process. */
const WORKERS = 2

/** Resident memory after the start, after reads of few sessions, and after reads of many. */
type Measured = { readonly idle: number; readonly before: number; readonly after: number }
type Amounts = { readonly sessions: number; readonly reads: number }

/** Resident memory of a worker, and of a single process, idle and after the same load with few sessions and with many. */
export async function measureMemory(run: Run): Promise<Report> {
  const many = run.quick ? 10_000 : 100_000
  const reads = run.quick ? 20_000 : 200_000
  const worker = await measured(WORKERS, { sessions: many, reads }, run)
  const single = await measured(1, { sessions: many, reads }, run)
  const after = `memory of a worker after ${thousands(many)} sessions`
  const inMebibytes = (what: string, goal: number, value: number) =>
    atMost(what, goal, value, { unit: 'MiB', digits: 0, short: what })
  const sizes = [
    inMebibytes('memory of an idle worker', 75, worker.idle),
    inMebibytes(after, 110, worker.after),
  ]
  return {
    setting: `Resident memory after the start, after reads of ${thousands(FEW)} sessions, and after reads of ${thousands(many)} others, half of them by each process: ${thousands(reads)} reads each time. The larger of ${WORKERS} workers counts. A line of the log for each request, and metrics.`,
    columns: [
      { name: 'idle, MiB', digits: 1 },
      { name: `${thousands(FEW)} sessions, MiB`, digits: 1 },
      { name: `${thousands(many + FEW)} sessions, MiB`, digits: 1 },
    ],
    rows: [
      { name: 'a worker', values: [worker.idle, worker.before, worker.after] },
      { name: 'a single process', values: [single.idle, single.before, single.after] },
    ],
    claims: [
      ...sizes,
      atMost(`${after}, per the same with ${thousands(FEW)}`, 1.2, worker.after / worker.before),
    ],
    charts: [
      chartOfClaims(sizes, {
        name: 'memory-of-a-worker',
        title: 'Memory of a worker',
        about: 'Resident memory of a worker, idle and after reads of many sessions, and the goals.',
        unit: 'MiB',
      }),
    ],
  }
}

/** Each worker has about as much to read as a single process has. */
async function measured(workers: number, { sessions, reads }: Amounts, run: Run): Promise<Measured> {
  return await inWorkplace(async (place) => {
    run.step(`opening ${thousands(FEW + sessions)} sessions`)
    const clients = await fillSessions(place, FEW + sessions)
    const service = await startLoggedService(place, { METRICS_PORT: '0', WORKERS: String(workers) })
    const settled = workers === 1 ? settledMebibytes : settledWorkerMebibytes
    const idle = await settled(service)
    run.step(`reading ${thousands(FEW)} sessions with ${workers} processes`)
    await read(service, clients.slice(0, FEW), workers * reads)
    const before = await settled(service)
    run.step(`reading ${thousands(sessions)} sessions with ${workers} processes`)
    await read(service, clients.slice(FEW).slice(0, (workers * sessions) / 2), workers * reads)
    const after = await settled(service)
    await service.stop()
    return { idle, before, after }
  })
}

/** Reads all these sessions repeatedly until this many reads are done. */
async function read(service: ServerProcess, clients: readonly Client[], amount: number): Promise<void> {
  const requests = identitiesOf(clients.map(identityHeaders))
  const load: Load = { address: service.address, connections: CONNECTIONS, requests, amount }
  await runJob('load/load', 'load', load)
}
