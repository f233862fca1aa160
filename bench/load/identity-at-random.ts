import type { Request } from 'autocannon'
import { reportOf } from '../comparison.js'
import { thousands, type Report } from '../report.js'
import type { Run } from '../run.js'
import { fillSessions } from '../scale/stores.js'
import { startBareKoa } from '../workplace/reply.js'
import { startLoggedService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'
import { CONTESTANTS } from './contestants.js'
import { CONNECTIONS, readingAtRandom, replyTo, warmUp } from './reading.js'

/** How busy the service is. */
export type Busyness = {
  /** The figure. */
  readonly figure: string
  /** The name of the comparison. */
  readonly name: string
  /** Sessions in the store, each of a separate account. */
  readonly sessions: number
  /** Refreshes of other sessions in a second of the server's CPU time, each of another session. */
  readonly refreshesPerSecond: number
  /** The least ratio by CPU time. */
  readonly goal: number
}

const ROUNDS = { usual: 5, quick: 2 }
const { identity, refresh } = CONTESTANTS.kennel

/**
 * get-identity of sessions in random order from SQLite, with log and metrics, against bare Koa. Each session was read
 * before.
 */
export async function measureIdentityAtRandom(busyness: Busyness, run: Run): Promise<Report> {
  const { figure, name, sessions, refreshesPerSecond } = busyness
  const perRound = Math.ceil(refreshesPerSecond * run.seconds)
  return await inWorkplace(async (place) => {
    run.step(`opening ${thousands(sessions)} sessions`)
    const clients = await fillSessions(place, sessions + (run.rounds(ROUNDS) + 1) * perRound)
    const reads = clients.slice(0, sessions).map(identity)
    const refreshes = clients.slice(sessions).map(refresh)
    const refreshesOf = (round: number): readonly Request[] =>
      refreshes.slice(round * perRound, (round + 1) * perRound)
    const service = await startLoggedService(place)
    const bareKoa = await startBareKoa(await replyTo(service, reads.at(-1)))
    run.step(`reading ${thousands(sessions)} sessions`)
    await warmUp(service, reads)
    await warmUp(bareKoa, reads.slice(-1))
    const [ours, peer] = await run.alternate(
      [
        readingAtRandom('get-identity', service, reads, run, refreshesOf),
        readingAtRandom('bare Koa', bareKoa, reads, run),
      ],
      ROUNDS,
    )
    await Promise.all([service.stop(), bareKoa.stop()])
    if (!ours || !peer) throw new Error('two were measured')
    return reportOf({
      figure,
      title: `get-identity of ${thousands(sessions)} sessions in random order`,
      setting: settingOf(busyness),
      comparisons: [{ name, ours, peer, cpuGoal: busyness.goal }],
    })
  })
}

function settingOf({ sessions, refreshesPerSecond }: Busyness): string {
  const writes =
    refreshesPerSecond === 0
      ? 'no write'
      : `${refreshesPerSecond} refreshes of other sessions in a second of the server's CPU time, which includes them`
  return `${thousands(sessions)} sessions in random order, ${CONNECTIONS} connections, ${writes}; a line of the log for each request, and metrics.`
}
