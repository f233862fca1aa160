import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { makeWorkplace, type Workplace } from '../cli/app.js'
import { until } from '../cli/workers.js'
import { keepConnection, type Answer, type KeptConnection } from './kept-connection.js'
import { logIn, refresh, type KeptLogin } from './kept-login.js'
import { startWithWorkers, type ServiceWithWorkers } from './service-with-workers.js'

export type WorkerKillReport = {
  readonly rounds: number
  /** The number of pets that were acknowledged with 201, and of refreshes that were acknowledged with 200. */
  readonly acknowledged: number
  /** The pets that are missing at the end, and the logins whose last refresh token is invalid. */
  readonly lost: readonly string[]
  /** The broken connections to running workers, and the unsuccessful replies. */
  readonly failed: readonly string[]
  /** How often the log reports the death of a worker. */
  readonly deaths: number
  readonly ending: number | null
}

const WORKERS = 3
const CLIENTS = 12
const EMAIL = 'ada@example.com'
const PASSWORD = 'a good long password'
/** The longest time, in milliseconds, for which a worker lived after its connections were known. */
const LONGEST_LIFE = 30

type Record = { acknowledged: number; readonly failed: string[]; readonly pets: Map<string, string> }
/** Sends requests one after another; each call resolves with whether the connection broke. */
type Client = { readonly connection: KeptConnection; work(): Promise<boolean>; breaks: number }

/**
 * Kills one worker after another with SIGKILL, `rounds` times in all, while clients on kept connections read and create
 * pets and refresh their sessions. The request log shows the worker of each connection.
 */
export async function killWorkers(rounds: number, random: () => number): Promise<WorkerKillReport> {
  const place = await makeWorkplace()
  try {
    const key = await prepare(place)
    const service = await startWithWorkers(place, WORKERS)
    const record: Record = { acknowledged: 0, failed: [], pets: new Map() }
    const logins = await Promise.all(
      Array.from({ length: CLIENTS / 3 }, () =>
        logIn(keepConnection(service.origin), { email: EMAIL, password: PASSWORD }),
      ),
    )
    const clients = [
      ...logins.map((login) => refresher(login, record)),
      ...logins.map((_, index) => creator(service.origin, { key, name: `pet of ${index}` }, record)),
      ...logins.map(() => reader(service.origin, key, record)),
    ]
    const load = runAll(clients)
    for (let round = 0; round < rounds; round += 1) {
      const life = random() * LONGEST_LIFE
      await killOne({ service, clients, record }, (round % WORKERS) + 1, life)
    }
    await load.end()
    const lost = [...(await lostPets(service.origin, key, record)), ...(await lostLogins(logins))]
    const ending = await service.stop()
    const { acknowledged, failed } = record
    return { rounds, acknowledged, lost, failed, deaths: service.deaths(), ending }
  } finally {
    await place.remove()
  }
}

async function prepare(place: Workplace): Promise<string> {
  await place.app(['user', 'create', EMAIL, '--password-stdin'], { input: PASSWORD })
  const { stdout } = await place.app(['apikey', 'create', 'durability'])
  return (JSON.parse(stdout) as { key: string }).key
}

type Scene = {
  readonly service: ServiceWithWorkers
  readonly clients: readonly Client[]
  readonly record: Record
}

/** Kills a worker when the worker of every connection is known, and waits until its clients have noticed. */
async function killOne({ service, clients, record }: Scene, number: number, life: number): Promise<void> {
  const { pidOf } = service
  const workerOf = ({ connection }: Client) => service.workerOf(connection.firstRequestId())
  await until(() => clients.every((client) => workerOf(client) !== undefined))
  await pause(life)
  const before = clients.map((client) => ({ client, breaks: client.breaks, worker: workerOf(client) }))
  const pid = pidOf(number)
  process.kill(pid, 'SIGKILL')
  await until(() => pidOf(number) !== pid)
  await until(() => before.every(({ client, breaks, worker }) => worker !== number || client.breaks > breaks))
  for (const { client, breaks, worker } of before)
    if (worker !== number && client.breaks > breaks)
      record.failed.push(`a connection to worker ${String(worker)}`)
}

/** Every client has one request in flight at all times. */
function runAll(clients: readonly Client[]): { end(): Promise<void> } {
  let isEnding = false
  const running = clients.map(async (client) => {
    while (!isEnding) if (await client.work()) client.breaks += 1
    client.connection.close()
  })
  return {
    end: async () => {
      isEnding = true
      await Promise.all(running)
    },
  }
}

/** Returns whether the connection broke; any status other than the given status is recorded as a failure. */
function broke(answer: Answer | undefined, status: number, record: Record): boolean {
  if (answer && answer.status !== status) record.failed.push(`an answer with ${answer.status}`)
  return answer === undefined
}

function reader(origin: string, key: string, record: Record): Client {
  const connection = keepConnection(origin)
  const call = { method: 'GET', path: '/v1/pets?limit=5', headers: { 'X-API-Key': key } } as const
  return { connection, breaks: 0, work: async () => broke(await connection.send(call), 200, record) }
}

function creator(origin: string, { key, name }: { key: string; name: string }, record: Record): Client {
  const connection = keepConnection(origin)
  let count = 0
  const work = async () => {
    const body = { name: `${name}, ${(count += 1)}` }
    const headers = { 'X-API-Key': key }
    const answer = await connection.send({ method: 'POST', path: '/v1/pets', headers, body })
    if (answer?.status === 201) {
      record.acknowledged += 1
      record.pets.set(new URL(String(answer.headers.location)).pathname, body.name)
    }
    return broke(answer, 201, record)
  }
  return { connection, breaks: 0, work }
}

/** A refresh that gets no reply is retried with the same token, as by any client. */
function refresher(login: KeptLogin, record: Record): Client {
  const work = async () => {
    const answer = await refresh(login)
    if (answer?.status === 200) record.acknowledged += 1
    return broke(answer, 200, record)
  }
  return { connection: login.connection, breaks: 0, work }
}

async function lostPets(origin: string, key: string, { pets }: Record): Promise<string[]> {
  const connection = keepConnection(origin)
  const lost: string[] = []
  for (const [path, name] of pets) {
    const answer = await connection.send({ method: 'GET', path, headers: { 'X-API-Key': key } })
    if ((answer?.body as { name?: string } | undefined)?.name !== name) lost.push(`${path} ${name}`)
  }
  connection.close()
  return lost
}

async function lostLogins(logins: readonly KeptLogin[]): Promise<string[]> {
  const answers = await Promise.all(logins.map(refresh))
  for (const { connection } of logins) connection.close()
  return answers
    .filter((answer) => answer?.status !== 200)
    .map((answer) => `a login: ${String(answer?.status)}`)
}

/** When run as a script, its argument is the number of rounds, 100 by default; the exit status is 1 if anything was lost or failed. */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const report = await killWorkers(Number(process.argv[2] ?? 100), Math.random)
  console.log(JSON.stringify(report))
  process.exitCode = report.lost.length + report.failed.length === 0 ? 0 : 1
}
