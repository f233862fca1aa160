import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { cpus, release, totalmem, type } from 'node:os'
import { dirname, join } from 'node:path'
import { PINNED } from './workplace/processes.js'

/** The machine of a measurement. */
export type Machine = {
  readonly processor: string
  readonly cores: number
  readonly memoryGiB: number
  readonly system: string
  /** Server and load were each pinned to a core. */
  readonly pinned: boolean
}

/** The versions of the measurement, by name: Node, and the packages involved. */
export type Versions = Readonly<Record<string, string>>

const PACKAGES = [
  'koa',
  '@koa/router',
  'koa-session',
  'jose',
  '@photostructure/sqlite',
  'scrypt-kdf',
  'autocannon',
]
const require = createRequire(import.meta.url)

export function thisMachine(): Machine {
  return {
    processor: cpus()[0]?.model.trim() ?? 'unknown processor',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    pinned: PINNED,
  }
}

export function versionsInUse(): Versions {
  const packages = PACKAGES.map((name) => [name, versionOf(name)] as const)
  return { Node: process.versions.node, ...Object.fromEntries(packages) }
}

function versionOf(name: string): string {
  const { version } = JSON.parse(readFileSync(manifestOf(name), 'utf8')) as { version: string }
  return version
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

/** More than background work of a quiet machine: its clock, its log. */
const BUSY = 0.2
const LOOK = 500

/** The cores that other processes kept busy in the next half second, while nothing is measured. */
export async function busyCores(): Promise<number> {
  const before = spent()
  await pause(LOOK)
  const after = spent()
  return ((after.busy - before.busy) / (after.all - before.all)) * cpus().length
}

export function isBusy(cores: number): boolean {
  return cores > BUSY
}

function spent(): { busy: number; all: number } {
  const times = cpus().map(
    ({ times: { user, nice, sys, irq, idle } }) => [user + nice + sys + irq, idle] as const,
  )
  const busy = times.reduce((sum, [one]) => sum + one, 0)
  return { busy, all: times.reduce((sum, [, idle]) => sum + idle, busy) }
}
