import { readingAtRandom, startPeerOf, warmUp } from '../load/reading.js'
import { identityRequest, refreshRequest } from '../load/requests.js'
import { reportOf, thousands, type Comparison, type Report } from '../report.js'
import type { Run } from '../run.js'
import { fillSessions } from '../store/stores.js'
import { startLoggedService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

type Busyness = {
  readonly name: string
  /** The number of sessions in the store; each session belongs to a separate account. */
  readonly sessions: number
  /** The number of refreshes of other sessions per second of the server's CPU time; each refresh uses a different session. */
  readonly refreshesPerSecond: number
  readonly cpuGoal: number
}

const MANY = 100_000
const REFRESHES = 100
const BUSYNESS: readonly Busyness[] = [
  { name: 'busy', sessions: MANY, refreshesPerSecond: REFRESHES, cpuGoal: 0.6 },
  { name: `${thousands(MANY)} sessions`, sessions: MANY, refreshesPerSecond: 0, cpuGoal: 0.8 },
  { name: '8 sessions', sessions: 8, refreshesPerSecond: 0, cpuGoal: 1.2 },
]
const ROUNDS = { usual: 5, quick: 2 }

/** Compares get-identity on SQLite, with log and metrics, with bare Koa. Every session is read once before the measurement. */
export async function measureGetIdentity(run: Run): Promise<Report> {
  const comparisons: Comparison[] = []
  for (const busyness of BUSYNESS) comparisons.push(await compare(busyness, run))
  return reportOf(
    `Sessions in random order. Busy: ${thousands(MANY)} sessions, and ${REFRESHES} refreshes of other sessions per second of server CPU time.`,
    comparisons,
  )
}

async function compare(busyness: Busyness, run: Run): Promise<Comparison> {
  const { name, sessions, refreshesPerSecond, cpuGoal } = busyness
  const perRound = Math.ceil(refreshesPerSecond * run.seconds)
  return await inWorkplace(async (place) => {
    run.step(`opening ${thousands(sessions)} sessions`)
    const clients = await fillSessions(place, sessions + (run.rounds(ROUNDS) + 1) * perRound)
    const requests = clients.slice(0, sessions).map(identityRequest)
    const refreshes = clients.slice(sessions).map(refreshRequest)
    const refreshesOf = (round: number) => refreshes.slice(round * perRound, (round + 1) * perRound)
    const server = await startLoggedService(place)
    run.step(`reading ${thousands(sessions)} sessions`)
    await warmUp(server, requests)
    const bareKoa = await startPeerOf(server, requests.at(-1))
    const [ours, peer] = await run.alternate(
      [
        readingAtRandom({ name, server, requests }, run, refreshesOf),
        readingAtRandom({ name: 'bare Koa', server: bareKoa, requests }, run),
      ],
      ROUNDS,
    )
    await Promise.all([server.stop(), bareKoa.stop()])
    return { name: `get-identity, ${name}, relative to bare Koa`, ours, peer, cpuGoal }
  })
}
