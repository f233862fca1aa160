import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Load } from './load.js'
import { runJob, type ServerProcess } from './processes.js'
import { atMost, type Options, type Report } from './report.js'
import { identityHeaders, seedAccounts, seedSessions, type Client } from './seed.js'
import { startService } from './service.js'
import { inWorkplace } from './workplace.js'

const FEW = 320
const CONNECTIONS = 32
/** After a load, until what it left behind has been collected. */
const QUIET = 2000

/** Resident memory of the service after the same load, with hardly a session and with many. */
export async function measureMemory({ quick }: Options): Promise<Report> {
  const many = quick ? 10_000 : 100_000
  const reads = quick ? 20_000 : 200_000
  return await inWorkplace(async (place) => {
    const accounts = await place.withStore((store) => seedAccounts(store, 1000))
    const open = (count: number) => place.withStore((store) => seedSessions(place, store, accounts, count))
    const few = await open(FEW)
    const service = await startService(place)
    await read(service, few, reads)
    const before = await memoryOf(service)
    const opened = await open(many)
    await read(service, opened.slice(many / 2), reads)
    const after = await memoryOf(service)
    await service.stop()
    return {
      title: `Memory, ${reads} reads each`,
      columns: ['sessions', 'resident MiB'],
      rows: [
        [`${FEW}`, before.toFixed(1)],
        [`${many + FEW}, half of them read`, after.toFixed(1)],
      ],
      claims: [atMost(`memory after ${many} sessions, per memory after none`, 1.2, after / before)],
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
  await runJob('load', 'load', load)
}

/** Mebibytes. */
async function memoryOf({ pid }: ServerProcess): Promise<number> {
  await pause(QUIET)
  return residentKibibytes(pid) / 1024
}

function residentKibibytes(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return Number(spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }).stdout)
  }
}
