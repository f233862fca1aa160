import type { Contestant, Run } from '../run.js'
import { cpuSeconds, runJob, type ServerProcess } from '../workplace/processes.js'
import { ask, startBareKoa, type Reply } from '../workplace/reply.js'
import type { Load } from './load.js'
import type { Credentials, Request } from './requests.js'
import type { ServerTraffic, Traffic } from './traffic.js'

/** The number of connections, each of which has one request in flight. */
export const CONNECTIONS = 32

/** Applies a load to a server, and measures the CPU time that the server needs for it. */
export async function under(server: ServerProcess, load: Partial<Load>): Promise<ServerTraffic> {
  const { address, pid } = server
  const whole: Load = { address, pid, connections: CONNECTIONS, ...load }
  const before = cpuSeconds(server)
  const traffic = await runJob<Traffic>('load/load', 'load', whole)
  return { ...traffic, cpuMicroseconds: ((cpuSeconds(server) - before) / traffic.count) * 1e6 }
}

type Side = { readonly name: string; readonly server: ServerProcess; readonly requests: readonly Request[] }

/** Sends GET requests to a server, one after another in the given order. */
export function reading({ name, server, requests }: Side, { seconds }: Run): Contestant<ServerTraffic> {
  return { name, round: () => under(server, { requests, seconds }) }
}

/**
 * Sends GET requests to a server in random order and, during these reads, the writes of the round, spread over the CPU time of the server.
 * The CPU time includes the writes, but only the reads are counted as requests.
 */
export function readingAtRandom(
  { name, server, requests }: Side,
  { seconds }: Run,
  writesOf: (round: number) => readonly Request[] = () => [],
): Contestant<ServerTraffic> {
  const load = { requests, seconds, isRandom: true }
  return { name, round: (number) => under(server, { ...load, writes: writesOf(number) }) }
}

/** The number of warm-up requests, because V8 optimizes only code that runs often. */
const WARM_UP = 20_000

/**
 * Sends each request at least once, because a warm-up round is too short to reach all clients if the first verification of
 * a token is slow.
 */
export async function warmUp(server: ServerProcess, requests: readonly Request[]): Promise<void> {
  await under(server, { requests, amount: Math.max(requests.length, WARM_UP) })
}

/** The reply to a GET request. */
export async function replyTo({ address }: ServerProcess, request: Request | undefined): Promise<Reply> {
  return await ask(`${address}${request?.path ?? ''}`, request?.headers ?? {})
}

/** Starts and warms up a bare Koa that sends the service's reply to this request. */
export async function startPeerOf(
  service: ServerProcess,
  request: Request | undefined,
): Promise<ServerProcess> {
  const peer = await startBareKoa(await replyTo(service, request))
  await warmUp(peer, request ? [request] : [])
  return peer
}

/**
 * The number of sessions per round. Each session is refreshed in only one round, because rounds do not share
 * credentials.
 */
export const SESSIONS_PER_ROUND = 320

type Width = {
  readonly clients: readonly Credentials[]
  readonly connections: number
}

/** Creates a contestant whose clients take turns to refresh, `connections` of them concurrently. */
export function refreshing(
  name: string,
  service: ServerProcess,
  { clients, connections }: Width,
  { seconds }: Run,
): Contestant<ServerTraffic> {
  const sessionsOf = (number: number) =>
    clients.slice(number * SESSIONS_PER_ROUND, (number + 1) * SESSIONS_PER_ROUND)
  return {
    name,
    round: (number) => under(service, { connections, seconds, refreshing: sessionsOf(number) }),
  }
}
