import { spawnSync } from 'node:child_process'
import type { Request } from 'autocannon'
import type { Results, ServerTraffic } from '../alternate.js'
import { reportOf } from '../comparison.js'
import type { WebHandlerJob } from '../hosts/web-handler.js'
import { CONTESTANTS } from '../load/contestants.js'
import { CONNECTIONS, readingAtRandom, replyTo, warmUp } from '../load/reading.js'
import { atLeast, type Report } from '../report.js'
import type { Run } from '../run.js'
import { fillSessions } from '../scale/stores.js'
import { script, type ServerProcess } from '../workplace/processes.js'
import { startBareKoa } from '../workplace/reply.js'
import { startLogged } from '../workplace/service.js'
import { inWorkplace, type Workplace } from '../workplace/workplace.js'

const SESSIONS = 8
const GOALS = { node: 0.8, bun: 1 }
const NAMES = {
  node: 'web handler on Node of bare Koa on Node',
  bun: 'web handler on Bun of bare Koa on Node',
}

/** A program that runs the server, and its version. */
type Runtime = { readonly binary: string; readonly version: string }

/** get-identity by the web handler on Node's own server and, if there is a Bun, on `Bun.serve`, against bare Koa on Node. */
export async function measureWebHandler(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const clients = await fillSessions(place, SESSIONS)
    const requests = clients.map(CONTESTANTS.kennel.identity)
    const bun = findBun()
    const onNode = await startWebHandler(place)
    const bareKoa = await startBareKoa(await replyTo(onNode, requests[0]))
    const onBun = bun && (await startWebHandler(place, bun.binary))
    const servers = [onNode, bareKoa, ...(onBun ? [onBun] : [])]
    const results = await alternate(servers, requests, run)
    await Promise.all(servers.map((server) => server.stop()))
    return reportFor(results, bun)
  })
}

async function alternate(servers: readonly ServerProcess[], requests: readonly Request[], run: Run) {
  for (const server of servers) await warmUp(server, requests)
  const names = ["web handler on Node's own server", 'bare Koa on Node', 'web handler on Bun.serve']
  return await run.alternate(
    servers.map((server, index) => readingAtRandom(names[index] ?? '', server, requests, run)),
  )
}

function reportFor([node, peer, bun]: readonly Results<ServerTraffic>[], found: Runtime | undefined): Report {
  if (!node || !peer) throw new Error('two were measured')
  const report = reportOf({
    figure: 'web-handler',
    title: 'The web handler',
    setting: `get-identity of ${SESSIONS} sessions in random order, ${CONNECTIONS} connections, by \`createHandler\` of \`kennel-id/web\` on Node's own server and on \`Bun.serve\`${found ? ` of Bun ${found.version}` : ''}; a line of the log for each request, and metrics. \`BUN_BINARY\` names the Bun, otherwise it is looked for in \`PATH\`.`,
    comparisons: [
      { name: NAMES.node, ours: node, peer, cpuGoal: GOALS.node },
      ...(bun ? [{ name: NAMES.bun, ours: bun, peer, cpuGoal: GOALS.bun }] : []),
    ],
  })
  if (bun) return report
  const what = `${NAMES.bun}, by CPU time`
  const missing = atLeast(what, GOALS.bun, null, { short: what, unmeasured: 'no Bun' })
  return { ...report, claims: [...report.claims, missing] }
}

async function startWebHandler(place: Workplace, node?: string): Promise<ServerProcess> {
  const job: Omit<WebHandlerJob, 'port'> = {
    store: place.env['DATABASE_URL'] ?? '',
    passphrase: place.env['SECURITY_JWT_PASSPHRASE'] ?? '',
    publicUrl: place.publicUrl,
  }
  return await startLogged(place, (port) => ({
    args: [script('hosts/web-handler')],
    input: { ...job, port },
    ...(node !== undefined && { node }),
  }))
}

function findBun(): Runtime | undefined {
  const binary = process.env['BUN_BINARY'] ?? 'bun'
  const { status, stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' })
  return status === 0 ? { binary, version: stdout.trim() } : undefined
}
