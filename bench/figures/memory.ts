import type { Load } from '../load/load.js'
import { settledMebibytes, runJob, type ServerProcess } from '../workplace/processes.js'
import { atMost, thousands, type Report } from '../report.js'
import type { Run } from '../run.js'
import { identityHeaders, seedAccounts, seedSessions, type Client } from '../workplace/seed.js'
import { startService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

const FEW = 320
const CONNECTIONS = 32

/** Resident memory of the service after the same load, with hardly a session and with many. */
export async function measureMemory(run: Run): Promise<Report> {
  const many = run.quick ? 10_000 : 100_000
  const reads = run.quick ? 20_000 : 200_000
  return await inWorkplace(async (place) => {
    const accounts = await place.withStore((store) => seedAccounts(store, 1000))
    const open = (count: number) => place.withStore((store) => seedSessions(place, store, accounts, count))
    const few = await open(FEW)
    const service = await startService(place)
    await read(service, few, reads)
    const before = await settledMebibytes(service)
    const opened = await open(many)
    await read(service, opened.slice(many / 2), reads)
    const after = await settledMebibytes(service)
    await service.stop()
    return {
      setting: `Resident memory after ${thousands(reads)} reads, before and after ${thousands(many)} sessions were opened; half of them are read afterwards.`,
      columns: [{ name: 'resident MiB', digits: 1 }],
      rows: [
        { name: `${thousands(FEW)} sessions`, values: [before] },
        { name: `${thousands(many + FEW)} sessions`, values: [after] },
      ],
      claims: [
        atMost(`resident after ${thousands(many)} sessions`, 140, after, {
          unit: 'MiB',
          digits: 0,
          short: `memory after ${thousands(many)} sessions`,
        }),
        atMost(`memory after ${thousands(many)} sessions, per memory after none`, 1.2, after / before),
      ],
    }
  })
}

/** Every one of these sessions is read, and again from the first, until so many reads are done. */
async function read(service: ServerProcess, clients: readonly Client[], amount: number): Promise<void> {
  const requests = clients.map((client) => ({
    method: 'GET' as const,
    path: '/api/auth/get-identity',
    headers: identityHeaders(client),
  }))
  const load: Load = { address: service.address, connections: CONNECTIONS, requests, amount }
  await runJob('load/load', 'load', load)
}
