import { spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { AsyncFunc } from 'mocha'

/** A tool that not every machine has: its path, the reason of a skip, and the variable that forbids a skip. */
type RequiredTool = {
  readonly find: () => string | undefined
  readonly missing: string
  /** Set to 1, this variable makes each skip a failure. */
  readonly requiredBy: `REQUIRE_${string}`
}

const BROWSERS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const PROXIES = ['/usr/sbin/nginx', '/usr/bin/nginx', '/usr/local/sbin/nginx']

function program(name: string, requiredBy: RequiredTool['requiredBy'], variable = ''): RequiredTool {
  return { find: () => onPath(name, process.env[variable]), missing: `no ${name} on PATH`, requiredBy }
}

const mongod: RequiredTool = {
  ...program('mongod', 'REQUIRE_MONGODB', 'MONGOMS_SYSTEM_BINARY'),
  missing: 'no mongod to kill: neither MONGOMS_SYSTEM_BINARY nor a mongod on PATH',
}

export const TOOLS = {
  mongodb: {
    find: () =>
      process.env['TEST_MONGODB_SERVER'] === 'none'
        ? undefined
        : (process.env['MONGODB_URL'] ?? mongod.find()),
    missing: 'no MongoDB: set MONGODB_URL, or MONGOMS_SYSTEM_BINARY to the path of a mongod',
    requiredBy: 'REQUIRE_MONGODB',
  },
  mongod,
  chromium: {
    find: () => process.env['CHROMIUM'] ?? BROWSERS.find((path) => existsSync(path)),
    missing: 'no Chromium: put the path of one into CHROMIUM',
    requiredBy: 'REQUIRE_BROWSER',
  },
  nginx: {
    find: () => process.env['NGINX'] ?? PROXIES.find((path) => existsSync(path)),
    missing: 'no nginx: put the path of one into NGINX',
    requiredBy: 'REQUIRE_TLS_PROXY',
  },
  schemathesis: {
    find: () => process.env['SCHEMATHESIS'],
    missing: 'no schemathesis: set SCHEMATHESIS to the path of one',
    requiredBy: 'REQUIRE_SCHEMATHESIS',
  },
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
  /** Comes with prometheus. */
  promtool: program('promtool', 'REQUIRE_PROMETHEUS', 'PROMTOOL'),
} satisfies Readonly<Record<string, RequiredTool>>

export type Tool = keyof typeof TOOLS

export function hasTool(tool: Tool): boolean {
  return TOOLS[tool].find() !== undefined
}

/** The path of the tool; throws if it is missing. For MongoDB, which may be a server, the address or the program. */
export function toolPath(tool: Tool): string {
  const path = TOOLS[tool].find()
  if (path === undefined) throw new Error(TOOLS[tool].missing)
  return path
}

/** A `describe` that is skipped with its reason if the tool is missing; `REQUIRE_…=1` makes that a failure. */
export function describeWith(tool: Tool, title: string, body: (this: Mocha.Suite) => void): void {
  const NO_TOOL = TOOLS[tool].missing
  if (hasTool(tool)) describe(title, body)
  else if (isRequired(tool)) failing(tool, title)
  else describe.skip(`${title} (${NO_TOOL})`, body)
}

/** An `it` that is skipped with its reason if the tool is missing; `REQUIRE_…=1` makes that a failure. */
export function itWith(tool: Tool, title: string, body: AsyncFunc): void {
  const NO_TOOL = TOOLS[tool].missing
  if (hasTool(tool)) it(title, body)
  else if (isRequired(tool)) failing(tool, title)
  else it.skip(`${title} (${NO_TOOL})`, body)
}

function isRequired(tool: Tool): boolean {
  return process.env[TOOLS[tool].requiredBy] === '1'
}

function failing(tool: Tool, title: string): void {
  it(title, () => {
    throw new Error(TOOLS[tool].missing)
  })
}

/** The program that a variable names, or the first one on PATH; nothing is ever downloaded. */
function onPath(name: string, named: string | undefined): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const candidates = named ? [named] : folders.map((folder) => join(folder, name))
  return candidates.find(isExecutable)
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
