import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import type { AsyncFunc } from 'mocha'

/** A tool that is not installed on every machine: its path, the reason for a skip, and the variable that forbids skips. */
type RequiredTool = {
  readonly find: () => string | undefined
  readonly missing: string
  /** The variable that makes each skip a failure if it is set to 1. */
  readonly requiredBy: `REQUIRE_${string}`
}

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const BOUNCERS = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer']
const DEBIAN = '/usr/lib/postgresql'
const PROXIES = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx']

function program(name: string, requiredBy: RequiredTool['requiredBy'], variable = ''): RequiredTool {
  return { find: () => onPath(name, process.env[variable]), missing: `no ${name} on PATH`, requiredBy }
}

/** A tool at the path in the variable with its name, or at the first existing path in the list. */
function namedOrAt(
  name: string,
  paths: readonly string[],
  requiredBy: RequiredTool['requiredBy'],
): RequiredTool {
  const variable = name.toUpperCase()
  const find = () => process.env[variable] ?? paths.find((path) => existsSync(path))
  return { find, missing: `no ${name}: set ${variable} to its path`, requiredBy }
}

const mongod: RequiredTool = {
  ...program('mongod', 'REQUIRE_MONGODB', 'MONGOMS_SYSTEM_BINARY'),
  missing: 'no mongod to kill: neither MONGOMS_SYSTEM_BINARY nor a mongod on PATH',
}

/** The folder of the server and its tools. Debian does not add the tools to PATH. */
const postgres: RequiredTool = {
  find: postgresFolder,
  missing: 'no PostgreSQL: set POSTGRES_BIN to the folder of initdb and postgres',
  requiredBy: 'REQUIRE_POSTGRESQL',
}

export const TOOLS = {
  mongodb: {
    find: () => (isStarted('mongodb') ? (process.env['MONGODB_URL'] ?? mongod.find()) : undefined),
    missing: 'no MongoDB: set MONGODB_URL, or MONGOMS_SYSTEM_BINARY to the path of a mongod',
    requiredBy: 'REQUIRE_MONGODB',
  },
  mongod,
  postgresql: { ...postgres, find: () => (isStarted('postgresql') ? postgres.find() : undefined) },
  postgres,
  pgbouncer: namedOrAt('pgbouncer', BOUNCERS, 'REQUIRE_POSTGRESQL'),
  chromium: namedOrAt('Chromium', BROWSERS, 'REQUIRE_BROWSER'),
  nginx: namedOrAt('nginx', PROXIES, 'REQUIRE_TLS_PROXY'),
  schemathesis: namedOrAt('schemathesis', [], 'REQUIRE_SCHEMATHESIS'),
  sqlite3: program('sqlite3', 'REQUIRE_SQLITE3', 'SQLITE3'),
  hadolint: program('hadolint', 'REQUIRE_HADOLINT', 'HADOLINT'),
  'systemd-analyze': program('systemd-analyze', 'REQUIRE_SYSTEMD', 'SYSTEMD_ANALYZE'),
  python3: {
    find: pythonWithVenv,
    missing: 'no python3 on PATH that can make a virtual environment (venv, ensurepip)',
    requiredBy: 'REQUIRE_PYTHON',
  },
  go: program('go', 'REQUIRE_GO'),
  prometheus: program('prometheus', 'REQUIRE_PROMETHEUS', 'PROMETHEUS'),
  /** Prometheus includes promtool. */
  promtool: program('promtool', 'REQUIRE_PROMETHEUS', 'PROMTOOL'),
} satisfies Readonly<Record<string, RequiredTool>>

export type Tool = keyof typeof TOOLS

export function hasTool(tool: Tool): boolean {
  return TOOLS[tool].find() !== undefined
}

/** The path of the tool; throws if it is missing. For MongoDB, the address or the program; for PostgreSQL, the folder. */
export function toolPath(tool: Tool): string {
  const path = TOOLS[tool].find()
  if (path === undefined) throw new Error(TOOLS[tool].missing)
  return path
}

/** Defines a `describe` that is skipped, with the reason, if the tool is missing; `REQUIRE_…=1` makes this a failure. */
export function describeWith(tool: Tool, title: string, body: (this: Mocha.Suite) => void): void {
  const NO_TOOL = TOOLS[tool].missing
  if (hasTool(tool)) describe(title, body)
  else if (isRequired(tool)) failing(tool, title)
  else describe.skip(`${title} (${NO_TOOL})`, body)
}

/** Defines an `it` that is skipped, with the reason, if the tool is missing; `REQUIRE_…=1` makes this a failure. */
export function itWith(tool: Tool, title: string, body: AsyncFunc): void {
  const NO_TOOL = TOOLS[tool].missing
  if (hasTool(tool)) it(title, body)
  else if (isRequired(tool)) failing(tool, title)
  else it.skip(`${title} (${NO_TOOL})`, body)
}

export function isRequired(tool: Tool): boolean {
  return process.env[TOOLS[tool].requiredBy] === '1'
}

/** Whether this run starts a database server of this kind: TEST_SERVERS lists them, by default all. */
function isStarted(server: 'mongodb' | 'postgresql'): boolean {
  return (process.env['TEST_SERVERS'] ?? server).split(',').includes(server)
}

function failing(tool: Tool, title: string): void {
  it(title, () => {
    throw new Error(TOOLS[tool].missing)
  })
}

/** Returns the program that a variable names, or the first program in PATH; nothing is ever downloaded. */
function onPath(name: string, named: string | undefined): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const candidates = named ? [named] : folders.map((folder) => join(folder, name))
  return candidates.find(isExecutable)
}

function postgresFolder(): string | undefined {
  const given = process.env['POSTGRES_BIN']
  const folders = given === undefined ? [initdbFolder(), ...debianFolders()] : [given]
  return folders.find((folder) => folder !== undefined && isExecutable(join(folder, 'postgres')))
}

/** Resolves symbolic links, because the folder of a link in PATH may not contain the other programs. */
function initdbFolder(): string | undefined {
  const initdb = onPath('initdb', undefined)
  return initdb === undefined ? undefined : dirname(realpathSync(initdb))
}

/** The newest version first. */
function debianFolders(): string[] {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN) : []
  return versions.sort((one, other) => Number(other) - Number(one)).map((name) => join(DEBIAN, name, 'bin'))
}

/** Debian's python3 cannot create virtual environments without another package. */
function pythonWithVenv(): string | undefined {
  const python = onPath('python3', undefined)
  if (python === undefined) return undefined
  return spawnSync(python, ['-c', 'import ensurepip, venv']).status === 0 ? python : undefined
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
