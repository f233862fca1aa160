import type { Workplace } from '../../cli/app.js'
import { processesIn, until } from '../../cli/workers.js'
import { startWithWorkers, type ServiceWithWorkers } from '../../durability/service-with-workers.js'
import { createClient, type Client } from '../../support/http/client.js'
import type { CrashDatabase } from './database.js'
import { interruptImport } from './interrupted-import.js'
import type { Random } from '../random.js'

/** The real service, whose processes and database are killed, and which comes back each time. */
export type Target = {
  /** A client of the service that lives now. */
  readonly client: () => Client
  /** What can be killed. */
  readonly kinds: readonly string[]
  /** SIGKILL; resolves when all of it is there again, with what was wrong with it then. */
  kill(kind: string, random: Random): Promise<readonly string[]>
  close(): Promise<void>
}

const IMPORT = 'import'
/** How many workers each life of the service has, in turn. */
const WORKERS = [2, 2, 3, 4]
/** Of so many answers in a row at least one is of each worker. */
const PROBES = 12

/** Starts it in the folder of the workplace. */
export async function startTarget(
  place: Pick<Workplace, 'folder' | 'env'>,
  database: Pick<CrashDatabase, 'kills' | 'open'>,
): Promise<Target> {
  let service: ServiceWithWorkers
  let client: Client | undefined
  let lives = 0
  const workers = () => WORKERS[lives % WORKERS.length] ?? 1
  const start = async () => {
    client?.close()
    lives += 1
    service = await startWithWorkers(place, workers())
    client = createClient(service.origin, () => undefined)
  }
  const live = () => client as Client
  await start()
  const kills: Readonly<Record<string, (random: Random) => Promise<void>>> = {
    worker: (random) => killWorker(service, 1 + random.below(workers())),
    service: async () => {
      await service.killAll()
      await start()
    },
    'primary process': async () => {
      const before = processesIn(place.folder)
      await service.killPrimary()
      await start()
      await until(() => processesIn(place.folder).every((pid) => !before.includes(pid)))
    },
    ...database.kills,
  }
  return {
    client: live,
    kinds: [...Object.keys(kills), IMPORT],
    kill: async (kind, random) => {
      if (kind === IMPORT) return await interruptImport(place, database, random)
      await kills[kind]?.(random)
      await until(() => isReady(live()))
      return []
    },
    close: async () => {
      client?.close()
      await service.killAll()
    },
  }
}

async function killWorker({ pidOf }: ServiceWithWorkers, number: number): Promise<void> {
  const pid = pidOf(number)
  process.kill(pid, 'SIGKILL')
  await until(() => pidOf(number) !== pid)
}

/** Each probe has a connection of its own, which the primary process gives to the next worker. */
async function isReady(client: Client): Promise<boolean> {
  const headers = { Connection: 'close' }
  for (let probe = 0; probe < PROBES; probe += 1) {
    const reply = await client.call('GET', '/health/ready', { headers }).catch(() => undefined)
    if (reply?.status !== 200) return false
  }
  return true
}
