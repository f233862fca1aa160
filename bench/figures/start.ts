import { execFileSync } from 'node:child_process'
import { delimiter } from 'node:path'
import { median, type Contestant, type Results } from '../alternate.js'
import { atMost, chartOfClaims, TIME_COLUMNS, timeRow, type Claim, type Report, type Row } from '../report.js'
import type { Run } from '../run.js'
import { runToEnd, startServer, type Place, type ServerProcess } from '../workplace/processes.js'
import { ask } from '../workplace/reply.js'
import { APP } from '../workplace/service.js'
import { inWorkplace, type Workplace } from '../workplace/workplace.js'

const EMPTY = 'empty process'
/**
 * The allowed multiple of an empty process; from Node 24 on an empty process takes longer, and compiled code is cached.
 */
const GOALS = { newer: { ready: 9, roleList: 6 }, older: { ready: 12, roleList: 8 } }
/** The same if both have one core. */
const ON_ONE_CORE = 10

/** The oldest supported version, and the first version with the goal of the newer ones. */
const IN_SUMMARY = [20, 24]

type Node = { readonly major: number; readonly binary: string }

/**
 * The start of a service until it is ready, on all cores and on one, and a command until it has ended, compared with an
 * empty Node process.
 */
export async function measureStart(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    // A service does not create its store unless it is asked to.
    await place.withStore(() => Promise.resolve())
    const measured = []
    for (const node of nodes()) measured.push(await measureNode(node, place, run))
    const claims = measured.flatMap((one) => one.claims)
    return {
      setting:
        'From the start of `app serve` to the first 200 of `/health/ready`, and `app role list` and an empty process from start to end; the store exists. On one core means that the service and the empty process may use no other core. `NODE_BINARIES` lists the other Nodes to measure.',
      columns: TIME_COLUMNS,
      rows: measured.flatMap(({ rows }) => rows),
      claims,
      charts: [
        chartOfClaims(claims, {
          name: 'start-multiples',
          title: 'Start, per empty process',
          about: 'For each Node the time of a start as a multiple of an empty process, and its goal.',
        }),
      ],
    }
  })
}

async function measureNode(
  { major, binary }: Node,
  place: Workplace,
  run: Run,
): Promise<{ rows: readonly Row[]; claims: readonly Claim[] }> {
  const named = (what: string) => `Node ${major}: ${what}`
  const ended = (what: string, args: readonly string[], on: Place = 'anywhere'): Contestant<number> => ({
    name: named(what),
    round: () => timed(() => runToEnd(binary, args, place.env, on)),
  })
  const [ready, roleList, empty, readyAlone, emptyAlone] = await run.alternate(
    [
      { name: named('app serve'), round: () => untilReady(place, binary, 'anywhere') },
      ended('app role list', [APP, 'role', 'list']),
      ended(EMPTY, ['-e', '0']),
      { name: named('app serve, on one core'), round: () => untilReady(place, binary, 'server') },
      ended(`${EMPTY}, on one core`, ['-e', '0'], 'server'),
    ],
    { usual: 10, quick: 3 },
  )
  if (!ready || !roleList || !empty || !readyAlone || !emptyAlone) throw new Error('five were measured')
  const goals = major >= 24 ? GOALS.newer : GOALS.older
  const claim = (what: string, goal: number, one: Results<number>, other: Results<number>) => {
    const name = named(`${what}, per ${EMPTY}`)
    const style = { digits: 1, ...(IN_SUMMARY.includes(major) && { short: name }) }
    return atMost(name, goal, median(one.rounds) / median(other.rounds), style)
  }
  return {
    rows: [ready, roleList, empty, readyAlone, emptyAlone].map(timeRow),
    claims: [
      claim('start to ready on one core', ON_ONE_CORE, readyAlone, emptyAlone),
      claim('start to ready', goals.ready, ready, empty),
      claim('app role list', goals.roleList, roleList, empty),
    ],
  }
}

async function untilReady({ env }: Workplace, node: string, place: Place): Promise<number> {
  let service: ServerProcess | undefined
  const time = await timed(async () => {
    service = await startServer({ args: [APP, 'serve'], place, env, node })
    const { status } = await ask(`${service.address}/health/ready`, {})
    if (status !== 200) throw new Error(`not ready: ${status}`)
  })
  await service?.stop()
  return time
}

/** This Node, and a Node of each other major version. */
function nodes(): readonly Node[] {
  const listed = (process.env['NODE_BINARIES'] ?? '').split(delimiter).filter((binary) => binary !== '')
  const found = listed.map((binary) => ({ major: majorOf(binary), binary }))
  const own = { major: Number.parseInt(process.versions.node), binary: process.execPath }
  return [...new Map([...found, own].map((node) => [node.major, node])).values()].toSorted(
    (a, b) => a.major - b.major,
  )
}

function majorOf(binary: string): number {
  return Number.parseInt(execFileSync(binary, ['-p', 'process.versions.node'], { encoding: 'utf8' }))
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}
