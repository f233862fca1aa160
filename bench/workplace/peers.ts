import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ContestantId, Credentials } from '../load/contestants.js'
import { runProgram, startServer, type Place, type ServerProcess } from './processes.js'
import { CHECKOUT } from './service.js'

/** The client of a login, and the email of its account. */
export type PeerClient = Credentials & { readonly email: string; readonly cachedCookie?: string }

/** The same client with the copy of its session in its cookie, if there is such a copy. */
export function withCachedSession({ cachedCookie, ...client }: PeerClient): PeerClient {
  return { ...client, ...(cachedCookie !== undefined && { cookie: cachedCookie }) }
}

export type PeerId = Exclude<ContestantId, 'kennel'>

/** The inputs of a peer: its folder is empty at first. */
export type PeerJob = { readonly folder: string; readonly publicUrl: string; readonly secret: string }

/** Settings of Better Auth. */
export type PeerSettings = { readonly updateAge?: number; readonly cached?: boolean }

/** The folder of the peers, each a separate server with its packages next to it. */
export const PEERS = join(CHECKOUT, 'bench', 'peers')

/** The packages of the peers and their exact versions. */
export function peerVersions(folder = PEERS): Readonly<Record<string, string>> {
  const { dependencies } = manifestIn(folder) as { dependencies: Record<string, string> }
  return dependencies
}

/** Installs missing packages, and says so before; throws if the registry is unreachable. */
export function installPeers(folder = PEERS): void {
  if (areInstalled(folder)) return
  console.error(`Installing the peers from the registry into ${folder} (npm ci, 60 MB) …`)
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error', '--fetch-retries=1']
  const { status } = spawnSync('npm', ['ci', ...options], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status === 0 && areInstalled(folder)) return
  throw new Error('The peers could not be installed: that needs the npm registry, as no other figure does.')
}

/** Creates the accounts of a peer, each with a login; returns them ordered by email. */
export async function seedPeer(
  id: PeerId,
  job: PeerJob,
  accounts: { readonly emails: readonly string[]; readonly password: string },
  folder = PEERS,
): Promise<readonly PeerClient[]> {
  const program = [join(folder, 'seed.js'), id]
  return await runProgram(program, 'anywhere', { ...job, ...accounts, cached: true })
}

export async function startPeer(
  id: PeerId,
  job: PeerJob,
  settings: PeerSettings = {},
  { folder, place }: { folder: string; place: Place } = { folder: PEERS, place: 'server' },
): Promise<ServerProcess> {
  return await startServer({ args: [join(folder, 'serve.js'), id], place, input: { ...job, ...settings } })
}

function areInstalled(folder: string): boolean {
  return Object.entries(peerVersions(folder)).every(([name, version]) => {
    const installed = join(folder, 'node_modules', name)
    return existsSync(join(installed, 'package.json')) && manifestIn(installed)['version'] === version
  })
}

function manifestIn(folder: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>
}
