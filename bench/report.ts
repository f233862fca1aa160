import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { dirname, join } from 'node:path'
import { median, ratio, type Results, type ServerTraffic } from './alternate.js'
import { PINNED } from './processes.js'

/** A required number, and what was measured. */
export type Claim = { readonly what: string; readonly measured: string; readonly reached: boolean }

/** What one figure came to: a table, and the claims that are judged by it. */
export type Report = {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly claims: readonly Claim[]
  /** What else the numbers say, in sentences. */
  readonly notes?: readonly string[]
}

export type Options = { readonly quick: boolean }

const PACKAGES = ['koa', '@koa/router', 'koa-session', 'jose', '@photostructure/sqlite', 'scrypt-kdf']
const LOAD = 'autocannon'
const require = createRequire(import.meta.url)

/** A quotient that has to be at least so much. */
export function atLeast(what: string, wanted: number, measured: number): Claim {
  return {
    what: `${what} at least ${wanted}`,
    measured: measured.toFixed(2),
    reached: measured >= wanted,
  }
}

/** A quantity that may be at most so much. */
export function atMost(what: string, wanted: number, measured: number, unit = ''): Claim {
  return {
    what: `${what} at most ${wanted}${unit}`,
    measured: `${measured.toFixed(unit === '' ? 2 : 0)}${unit}`,
    reached: measured <= wanted,
  }
}

export const TRAFFIC_COLUMNS = ['', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs/request']

/** The medians of the rounds. */
export function trafficRow({ name, rounds }: Results<ServerTraffic>): string[] {
  const of = (read: (round: ServerTraffic) => number, digits: number) => {
    const value = median(rounds.map(read))
    return Number.isNaN(value) ? '–' : value.toFixed(digits)
  }
  return [
    name,
    of((round) => round.perSecond, 0),
    of((round) => round.p50, 2),
    of((round) => round.p99, 2),
    of((round) => round.cpuMicroseconds, 0),
  ]
}

/** The quotient that is left when only the server's own CPU time counts, whatever else the machine had to do. */
export function cpuNote(ours: Results<ServerTraffic>, bare: Results<ServerTraffic>): string {
  const quotient = ratio(bare, ours, (round) => round.cpuMicroseconds)
  return `${ours.name}: CPU time of bare Koa per CPU time of ours: ${quotient.toFixed(2)}`
}

/** Machine and versions, as lines of Markdown. */
export function machine(): string {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const pinning = PINNED ? 'server on core 0, load on core 1' : 'processes not kept on a core'
  return [
    `- ${cpu?.model.trim() ?? 'unknown processor'}, ${cpus().length} cores, ${memory} GiB, ${type()} ${release()}; ${pinning}`,
    `- load average before: ${loadavg()[0]?.toFixed(2) ?? 'unknown'} (a quiet machine has less than 0.2)`,
    `- Node ${process.versions.node}, ${[...PACKAGES, LOAD].map(versionOf).join(', ')}`,
  ].join('\n')
}

/** A report as Markdown. */
export function written({ title, columns, rows, claims, notes = [] }: Report): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    `## ${title}\n`,
    line(columns),
    line(columns.map((_, index) => (index === 0 ? '---' : '---:'))),
    ...rows.map(line),
    '',
    ...claims.map(
      ({ what, measured, reached }) => `- ${what}: **${measured}** (${reached ? 'reached' : 'NOT reached'})`,
    ),
    ...notes.map((note) => `- ${note}`),
    '',
  ].join('\n')
}

function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(manifestOf(name), 'utf8')) as { version: string }
  return `${name} ${version}`
}

/** Not every package exports its manifest. */
function manifestOf(name: string): string {
  const folders = require.resolve.paths(name) ?? []
  const found = folders.map((folder) => join(folder, name, 'package.json')).find(isReadable)
  return found ?? join(dirname(require.resolve(name)), 'package.json')
}

function isReadable(path: string): boolean {
  try {
    readFileSync(path)
    return true
  } catch {
    return false
  }
}
