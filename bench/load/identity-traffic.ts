import { withCpu, type Contestant, type Results, type ServerTraffic } from '../alternate.js'
import type { Run } from '../run.js'
import type { Load } from './load.js'
import { runJob, type ServerProcess } from '../workplace/processes.js'
import { ask, startBareKoa, type Headers } from '../workplace/reply.js'
import type { Traffic } from './traffic.js'

const PATH = '/api/auth/get-identity'
export const IDENTITY_CONNECTIONS = 32

/**
 * get-identity with these headers, sent to the service and, in turn, to a bare Koa that sends the same bytes. Each
 * client has sent one request before, because a warm-up round is too short to reach all clients if the first
 * verification of a token is slow. The service is stopped afterwards.
 */
export async function besideBareKoa(
  name: string,
  service: ServerProcess,
  clients: readonly Headers[],
  run: Run,
): Promise<{ ours: Results<ServerTraffic>; bare: Results<ServerTraffic> }> {
  const [first] = clients
  if (!first) throw new Error('at least one client is needed')
  const peer = await startBareKoa(await ask(service.address + PATH, first))
  await runJob<Traffic>('load/load', 'load', { ...loadOf(service, clients), amount: clients.length })
  const contestants = [contestant(name, service, clients, run), contestant('bare Koa', peer, clients, run)]
  const [ours, bare] = await run.alternate(contestants)
  await Promise.all([service.stop(), peer.stop()])
  if (!ours || !bare) throw new Error('two were measured')
  return { ours, bare }
}

/** A server from which these clients request their identities. */
export function contestant(
  name: string,
  server: ServerProcess,
  clients: readonly Headers[],
  run: Run,
): Contestant<ServerTraffic> {
  const load: Load = { ...loadOf(server, clients), seconds: run.seconds }
  return { name, round: () => withCpu(server, () => runJob<Traffic>('load/load', 'load', load)) }
}

function loadOf({ address }: ServerProcess, clients: readonly Headers[]): Load {
  const requests = clients.map((headers) => ({ method: 'GET' as const, path: PATH, headers }))
  return { address, connections: IDENTITY_CONNECTIONS, requests }
}
