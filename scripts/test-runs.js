// Turns the plan into runs: the files, the Node and the environment of each run.
import { execFileSync } from 'node:child_process'
import { delimiter, dirname, join } from 'node:path'
import { memoryFolder } from '../dist/test/support/memory-folder.js'
import { rotationOf } from '../dist/test/support/rotation.js'
import { filesBelow, PROJECT } from './files.js'
import {
  alternativesOf,
  FACTORS,
  FIRST,
  isNamedBy,
  ON_ONE_NODE,
  ON_OTHER_NODES,
  partNameOf,
  PARTS,
  ROWS,
  SERVER_COMMANDS,
  VARIES,
} from './test-plan.js'
import { reportOf } from './test-reports.js'

const TESTS = filesBelow(join(PROJECT, 'dist/test'), '.test.js')
  .map((file) => file.replace(/\.test\.js$/, '').replaceAll('\\', '/'))
  .sort()

/** A pattern that matches no file is an error, because renamed tests would be left out or run twice. */
function checkPatterns() {
  const patterns = [
    ...[...PARTS, ...VARIES, SERVER_COMMANDS].flatMap(({ files, always = [] }) => [...files, ...always]),
    ...SERVER_COMMANDS.without,
    ...FIRST,
    ...ON_ONE_NODE,
  ].flatMap(alternativesOf)
  const idle = patterns.filter((pattern) => !TESTS.some(isNamedBy([pattern])))
  if (idle.length > 0) throw new Error(`scripts/test-plan.js names no test with ${idle.join(', ')}`)
}

const first = FIRST.map((pattern) => isNamedBy([pattern]))
const filesOf = (part) => TESTS.filter((file) => partNameOf(file) === part)
const variationOf = (file) => VARIES.find(({ files }) => isNamedBy(files)(file)) ?? { on: [] }

function longestFirst(files) {
  const placeOf = (file) => [...first, () => true].findIndex((isNamed) => isNamed(file))
  return files.toSorted((one, other) => placeOf(one) - placeOf(other))
}

function runOf({ name, what, disk, server, jobs }, files, { env = {}, node } = {}) {
  const folder = disk ? undefined : memoryFolder()
  return {
    ...{ name, what, jobs, node: node?.binary, report: reportOf(name) },
    files: longestFirst(files),
    server,
    env: {
      ...env,
      ...(folder && { TMPDIR: folder }),
      ...(server && { TEST_SERVERS: server }),
      ...(node && { PATH: `${dirname(node.binary)}${delimiter}${process.env.PATH}` }),
    },
  }
}

export function usualRun() {
  checkPatterns()
  return runOf({ name: 'all', what: 'the usual tests, with the available databases' }, filesOf('all'))
}

/** All runs after the usual run: the `complete` matrix, or the runs of CI for this `plan`, the hash of a commit. */
export function otherRuns({ complete, plan }) {
  const turn = complete ? 0 : rotationOf(plan)
  const nodes = otherNodes()
  return [
    ...PARTS.map((part) => runOf(part, inTurn(part, filesOf(part.name), { complete, turn }))),
    ...commandRuns(complete, turn),
    ...rowRuns(complete, turn, nodes),
    ...nodeRuns(complete, turn, nodes),
  ].filter(({ files }) => files.length > 0)
}

function commandRuns(complete, turn) {
  const { what, servers, files, without } = SERVER_COMMANDS
  const commands = TESTS.filter((file) => isNamedBy(files)(file) && !isNamedBy(without)(file))
  return servers.map((server, index) => {
    const part = { name: `${server}-commands`, what: `${what}, on ${server}`, server }
    const chosen = inTurn(SERVER_COMMANDS, commands, { complete, turn: turn + 3 * index })
    return runOf(part, chosen, { env: { TEST_STORE: server } })
  })
}

/** Returns the files of a part that run in this plan. Long files are distributed first, so that each plan gets some of them. */
function inTurn({ always = [], of = 1 }, files, { complete, turn }) {
  if (complete) return files
  const isAlwaysRun = isNamedBy(always)
  const dealt = longestFirst(files.filter((file) => !isAlwaysRun(file)))
  return [...files.filter(isAlwaysRun), ...dealt.filter((_, index) => (index + turn) % of === 0)]
}

/** Each plan begins with a different row, so that a file does not skip the same rows in every plan. */
function rowRuns(complete, turn, nodes) {
  const [first, ...others] = complete ? allRows() : ROWS
  const start = turn % others.length
  const rows = [...others.slice(start), ...others.slice(0, start)]
  const varied = TESTS.filter((file) => variationOf(file).on.length > 0)
  const rowsOf = new Map(varied.map((file) => [file, rowsFor(variationOf(file), first, rows, complete)]))
  return others.map((row, index) => {
    const node = nodes[(index + turn) % nodes.length]
    const values = Object.values(row)
    const server = row.store === 'sqlite' ? 'none' : row.store
    const part = { name: values.join('-'), what: `HTTP with ${values.join(', ')}`, server }
    const variables = Object.entries(row).map(([factor, value]) => [`TEST_${factor.toUpperCase()}`, value])
    const files = varied.filter((file) => rowsOf.get(file).includes(row))
    return runOf(part, files, { env: Object.fromEntries(variables), node })
  })
}

/** The rows that add something new for these factors: a pair of values or, in the complete matrix, a combination of all values. */
export function rowsFor({ on: factors, mode }, first, rows, complete) {
  const seen = new Set(combinationsOf(factors, first, complete))
  return rows.filter((row) => {
    if (mode !== undefined && row.mode !== mode) return false
    const fresh = combinationsOf(factors, row, complete).filter((one) => !seen.has(one))
    for (const one of fresh) seen.add(one)
    return fresh.length > 0
  })
}

function combinationsOf(factors, row, complete) {
  const values = factors.map((factor) => `${factor} ${row[factor]}`)
  if (complete || values.length === 1) return [values.join(', ')]
  return values.flatMap((one, index) => values.slice(index + 1).map((other) => `${one}, ${other}`))
}

function allRows() {
  let rows = [{}]
  for (const [factor, values] of Object.entries(FACTORS))
    rows = rows.flatMap((row) => values.map((value) => ({ ...row, [factor]: value })))
  return rows
}

/** In CI, a sixth of the files run, each on one of the other Node versions, in turn. */
function nodeRuns(complete, turn, nodes) {
  const isLeftOut = complete ? () => false : isNamedBy(ON_ONE_NODE)
  const isVaried = (file) => ON_OTHER_NODES.includes(partNameOf(file)) && variationOf(file).on.length === 0
  const files = longestFirst(TESTS.filter((file) => isVaried(file) && !isLeftOut(file)))
  return nodes.map((node, position) => {
    const hasTurn = (_file, index) => complete || (index + turn) % (6 * nodes.length) === 6 * position
    const part = { name: `node-${node.major}`, what: `the usual and slow tests on Node ${node.major}` }
    return runOf(part, files.filter(hasTurn), { node })
  })
}

/** The Node binaries in NODE_BINARIES, which has the format of PATH, except the binary that runs this script. */
function otherNodes() {
  const binaries = (process.env.NODE_BINARIES ?? '').split(delimiter).filter((binary) => binary !== '')
  const majorOf = (binary) => /\d+/.exec(execFileSync(binary, ['--version'], { encoding: 'utf8' }))[0]
  const nodes = new Map(binaries.map((binary) => [majorOf(binary), binary]))
  nodes.delete(majorOf(process.execPath))
  return Array.from(nodes, ([major, binary]) => ({ major, binary }))
}
