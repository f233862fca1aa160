import type { Request } from 'autocannon'
import { withCpu, type Contestant, type Results, type ServerTraffic } from '../alternate.js'
import type { Run } from '../run.js'
import { runJob, type ServerProcess } from '../workplace/processes.js'
import { ask, startBareKoa, type Headers, type Reply } from '../workplace/reply.js'
import type { LeanLoad } from './lean-load.js'
import type { Load } from './load.js'
import type { Traffic } from './traffic.js'

/** The number of connections, each with one request in flight. */
export const CONNECTIONS = 32

export const IDENTITY_PATH = '/api/auth/get-identity'

/** A GET of each of these paths. */
export function getsOf(paths: readonly string[], headers: Headers): readonly Request[] {
  return paths.map((path) => ({ method: 'GET', path, headers }))
}

/** A GET of the current identity with each of these headers. */
export function identitiesOf(clients: readonly Headers[]): readonly Request[] {
  return clients.map((headers) => ({ method: 'GET', path: IDENTITY_PATH, headers }))
}

/** GET requests to a server in turn, sent by autocannon. */
export function reading(
  name: string,
  server: ServerProcess,
  requests: readonly Request[],
  { seconds }: Pick<Run, 'seconds'>,
): Contestant<ServerTraffic> {
  const load: Load = { address: server.address, connections: CONNECTIONS, requests, seconds }
  return { name, round: () => withCpu(server, () => runJob<Traffic>('load/load', 'load', load)) }
}

/**
 * GET requests to a server in random order, and writes of the round during the reads, spread over the CPU time of the
 * server. The CPU time includes the writes, but only the reads are counted.
 */
export function readingAtRandom(
  name: string,
  server: ServerProcess,
  requests: readonly Request[],
  { seconds }: Pick<Run, 'seconds'>,
  writesOf: (round: number) => readonly Request[] = () => [],
): Contestant<ServerTraffic> {
  const { address, pid } = server
  const load = { address, pid, connections: CONNECTIONS, requests, seconds }
  return {
    name,
    round: (number) => {
      const busy: LeanLoad = { ...load, isRandom: true, writes: writesOf(number) }
      return withCpu(server, () => runJob<Traffic>('load/lean-load', 'load', busy))
    },
  }
}

/** V8 compiles the code of a server depending on its number of calls. */
const WARM_UP = 20_000

/**
 * Sends each request at least once, because a warm-up round is too short to reach all clients if the first verification of
 * a token is slow.
 */
export async function warmUp({ address }: ServerProcess, requests: readonly Request[]): Promise<void> {
  const amount = Math.max(requests.length, WARM_UP)
  const load: LeanLoad = { address, connections: CONNECTIONS, requests, amount }
  await runJob<Traffic>('load/lean-load', 'load', load)
}

/** The reply to a GET request. */
export async function replyTo({ address }: ServerProcess, request: Request | undefined): Promise<Reply> {
  return await ask(`${address}${request?.path ?? ''}`, (request?.headers ?? {}) as Headers)
}

/**
 * GET requests in turn to the service and, in alternating rounds, to a bare Koa that sends the same bytes. Each request
 * was sent once before. Both servers are stopped afterwards.
 */
export async function besideBareKoa(
  name: string,
  service: ServerProcess,
  requests: readonly Request[],
  run: Run,
): Promise<{ ours: Results<ServerTraffic>; peer: Results<ServerTraffic> }> {
  const bareKoa = await startBareKoa(await replyTo(service, requests.at(-1)))
  for (const server of [service, bareKoa]) await warmUp(server, requests)
  const [ours, peer] = await run.alternate([
    reading(name, service, requests, run),
    reading('bare Koa', bareKoa, requests, run),
  ])
  await Promise.all([service.stop(), bareKoa.stop()])
  if (!ours || !peer) throw new Error('two were measured')
  return { ours, peer }
}
