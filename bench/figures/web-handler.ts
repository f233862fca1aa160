import type { WebHandlerJob } from '../bare/web-handler.js'
import { readingAtRandom, startPeerOf, warmUp } from '../load/reading.js'
import { identityRequest } from '../load/requests.js'
import { reportOf, type Report } from '../report.js'
import type { Run } from '../run.js'
import { fillSessions } from '../store/stores.js'
import { script, type ServerProcess } from '../workplace/processes.js'
import { startLogged } from '../workplace/service.js'
import { inWorkplace, type Workplace } from '../workplace/workplace.js'

const SESSIONS = 8

/** Compares get-identity through the web handler, on Node's built-in server, with bare Koa. */
export async function measureWebHandler(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const requests = (await fillSessions(place, SESSIONS)).map(identityRequest)
    const server = await startWebHandler(place)
    await warmUp(server, requests)
    const bareKoa = await startPeerOf(server, requests[0])
    const [ours, peer] = await run.alternate([
      readingAtRandom({ name: 'web handler', server, requests }, run),
      readingAtRandom({ name: 'bare Koa', server: bareKoa, requests }, run),
    ])
    await Promise.all([server.stop(), bareKoa.stop()])
    return reportOf(
      `get-identity of ${SESSIONS} sessions in random order, answered by \`createHandler\` of \`kennel-id/web\` on Node's own server.`,
      [{ name: 'web handler relative to bare Koa', ours, peer, cpuGoal: 0.8 }],
    )
  })
}

async function startWebHandler(place: Workplace): Promise<ServerProcess> {
  const input: Omit<WebHandlerJob, 'port'> = {
    store: place.env['DATABASE_URL'] ?? '',
    passphrase: place.env['SECURITY_JWT_PASSPHRASE'] ?? '',
    publicUrl: place.publicUrl,
  }
  return await startLogged(place, (port) => ({
    args: [script('bare/web-handler')],
    input: { ...input, port },
  }))
}
