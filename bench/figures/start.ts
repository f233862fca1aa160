import { execFileSync } from 'node:child_process'
import { delimiter } from 'node:path'
import { median, type Contestant, type Results } from '../alternate.js'
import { atMost, TIME_COLUMNS, timeRow, type Claim, type Report, type Row } from '../report.js'
import type { Run } from '../run.js'
import { runToEnd, startServer, type ServerProcess } from '../workplace/processes.js'
import { ask } from '../workplace/reply.js'
import { APP } from '../workplace/service.js'
import { inWorkplace, type Workplace } from '../workplace/workplace.js'

const EMPTY = 'empty process'
/**
 * The allowed multiple of an empty process; from Node 24 on an empty process takes longer, and compiled code is cached.
 */
const GOALS = { newer: { ready: 9, roleList: 6 }, older: { ready: 12, roleList: 8 } }

/** The oldest supported version, and the first version with the goal of the newer ones. */
const IN_SUMMARY = [20, 24]

type Node = { readonly major: number; readonly binary: string }

/** The start of a service until it is ready and a command until it has ended, compared with an empty Node process. */
export async function measureStart(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const measured = []
    for (const node of nodes()) measured.push(await measureNode(node, place, run))
    return {
      setting:
        'From the start of `app serve` to the first 200 of `/health/ready`, and `app role list` and an empty process from start to end; the store exists. `NODE_BINARIES` lists the other Nodes to measure.',
      columns: TIME_COLUMNS,
      rows: measured.flatMap(({ rows }) => rows),
      claims: measured.flatMap(({ claims }) => claims),
    }
  })
}

async function measureNode(
  { major, binary }: Node,
  place: Workplace,
  run: Run,
): Promise<{ rows: readonly Row[]; claims: readonly Claim[] }> {
  const named = (what: string) => `Node ${major}: ${what}`
  const ended = (what: string, args: readonly string[]): Contestant<number> => ({
    name: named(what),
    round: () => timed(() => runToEnd(binary, args, place.env)),
  })
  const [ready, roleList, empty] = await run.alternate(
    [
      { name: named('app serve'), round: () => untilReady(place, binary) },
      ended('app role list', [APP, 'role', 'list']),
      ended(EMPTY, ['-e', '0']),
    ],
    { usual: 10, quick: 3 },
  )
  if (!ready || !roleList || !empty) throw new Error('three were measured')
  const goals = major >= 24 ? GOALS.newer : GOALS.older
  const claim = (what: string, goal: number, { rounds }: Results<number>) => {
    const name = named(`${what}, per ${EMPTY}`)
    const style = { digits: 1, ...(IN_SUMMARY.includes(major) && { short: name }) }
    return atMost(name, goal, median(rounds) / median(empty.rounds), style)
  }
  return {
    rows: [ready, roleList, empty].map(timeRow),
    claims: [claim('start to ready', goals.ready, ready), claim('app role list', goals.roleList, roleList)],
  }
}

async function untilReady({ env }: Workplace, node: string): Promise<number> {
  let service: ServerProcess | undefined
  const time = await timed(async () => {
    service = await startServer({ args: [APP, 'serve'], place: 'anywhere', env, node })
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
