import type { Load } from '../load/load.js'
import {
  runJob,
  settledMebibytes,
  settledWorkerMebibytes,
  type ServerProcess,
} from '../workplace/processes.js'
import { atMost, thousands, type Report } from '../report.js'
import type { Run } from '../run.js'
import { identityHeaders, seedAccounts, seedSessions, type Client } from '../workplace/seed.js'
import { startService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

const FEW = 320
const CONNECTIONS = 32

/** At least two, because with one worker the service is a single process. */
const WORKERS = 2

type Measured = { readonly before: number; readonly after: number }
type Amounts = { readonly sessions: number; readonly reads: number }

/** Resident memory of a worker, and of a single process, after the same load, with hardly a session and with many. */
export async function measureMemory(run: Run): Promise<Report> {
  const many = run.quick ? 10_000 : 100_000
  const reads = run.quick ? 20_000 : 200_000
  const worker = await measured(WORKERS, { sessions: many, reads })
  const single = await measured(1, { sessions: many, reads })
  return {
    setting: `Resident memory before and after ${thousands(many)} sessions were opened, half of which each process reads: ${thousands(reads)} reads each. The larger of ${WORKERS} workers counts.`,
    columns: [
      { name: `${thousands(FEW)} sessions, MiB`, digits: 1 },
      { name: `${thousands(many + FEW)} sessions, MiB`, digits: 1 },
    ],
    rows: [
      { name: 'a worker', values: [worker.before, worker.after] },
      { name: 'a single process', values: [single.before, single.after] },
    ],
    claims: [
      atMost(`a worker after ${thousands(many)} sessions`, 140, worker.after, {
        unit: 'MiB',
        digits: 0,
        short: `memory of a worker after ${thousands(many)} sessions`,
      }),
      atMost(
        `a worker after ${thousands(many)} sessions, per the same with ${thousands(FEW)}`,
        1.2,
        worker.after / worker.before,
      ),
    ],
  }
}

/** Each worker has about as much to read as a single process has. */
async function measured(workers: number, { sessions, reads }: Amounts): Promise<Measured> {
  return await inWorkplace(async (place) => {
    const accounts = await place.withStore((store) => seedAccounts(store, 1000))
    const open = (count: number) => place.withStore((store) => seedSessions(place, store, accounts, count))
    const few = await open(FEW)
    const service = await startService({ ...place, env: { ...place.env, WORKERS: String(workers) } })
    const settled = workers === 1 ? settledMebibytes : settledWorkerMebibytes
    await read(service, few, workers * reads)
    const before = await settled(service)
    const opened = await open(sessions)
    await read(service, opened.slice(0, (workers * sessions) / 2), workers * reads)
    const after = await settled(service)
    await service.stop()
    return { before, after }
  })
}

/** Reads all these sessions repeatedly until this many reads are done. */
async function read(service: ServerProcess, clients: readonly Client[], amount: number): Promise<void> {
  const requests = clients.map((client) => ({
    method: 'GET' as const,
    path: '/api/auth/get-identity',
    headers: identityHeaders(client),
  }))
  const load: Load = { address: service.address, connections: CONNECTIONS, requests, amount }
  await runJob('load/load', 'load', load)
}
