import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { reading } from '../load/reading.js'
import { identityRequest, type Credentials, type Request } from '../load/requests.js'
import type { ServerTraffic } from '../load/traffic.js'
import { cpuOf, known, perSecondOf, thousands, type Report, type Row } from '../report.js'
import { medianOf, ratio, type Run } from '../run.js'
import { emailOf } from '../store/population.js'
import { fillSessions } from '../store/stores.js'
import { runToEnd, settledMebibytes, startServer, type ServerProcess } from '../workplace/processes.js'
import { ask } from '../workplace/reply.js'
import { CHECKOUT, startService } from '../workplace/service.js'
import { inWorkplace, type Workplace } from '../workplace/workplace.js'

const FOLDER = join(CHECKOUT, 'bench', 'peers')
/** Creates a request for a host's route, with the session cookie and the header that a TLS proxy adds. */
const userRequest = ({ cookie = '' }: Credentials): Request => ({
  path: '/me',
  headers: { Cookie: cookie, 'X-Forwarded-Proto': 'https' },
})
const userinfoRequest = ({ accessToken = '' }: Credentials): Request => ({
  path: '/me',
  headers: { Authorization: `Bearer ${accessToken}` },
})
/** The servers, keyed by name, each with its request for the identity. The file of each peer is in `bench/peers`. */
const KENNEL = { name: 'Kennel', identity: identityRequest }
const PEERS = [
  { name: 'Better Auth', identity: userRequest, file: 'better-auth' },
  { name: 'Express stack', identity: userRequest, file: 'express-stack' },
  { name: 'oidc-provider', identity: userinfoRequest, file: 'oidc-provider' },
]
const ROUNDS = { usual: 3, quick: 1 }
/** The number of clients on each side whose identity is checked before the measurement. */
const CHECKED = 20

/** A running server with its accounts' logins. */
type Side = typeof KENNEL & {
  readonly server: ServerProcess
  readonly clients: readonly Credentials[]
}

/** Compares Kennel with common alternatives: reads the same identities from each server in turn, on the same core. */
export async function measurePeers(run: Run): Promise<Report> {
  installPeers()
  const accounts = run.quick ? 1_000 : 10_000
  return await inWorkplace(async (place) => {
    run.step(`creating ${thousands(accounts)} accounts of each server`)
    const clients = await fillSessions(place, accounts)
    const sides = [
      { ...KENNEL, clients, server: await startService(place) },
      ...(await startPeers(place, accounts)),
    ]
    for (const side of sides) await checkIdentities(side)
    const contestants = sides.map(({ identity, ...side }) =>
      reading({ ...side, requests: side.clients.map(identity) }, run),
    )
    const results = await run.alternate(contestants, ROUNDS)
    const memory: number[] = []
    for (const { server } of sides) memory.push(await settledMebibytes(server))
    await Promise.all(sides.map(({ server }) => server.stop()))
    const [kennel, ...peers] = results
    const times = peers.map((peer) => (kennel ? ratio(peer, kennel, cpuOf) : NaN))
    const row = (name: string, of: (round: ServerTraffic) => number): Row => ({
      name,
      values: results.map((one) => known(medianOf(one, of))),
    })
    return {
      setting: `${thousands(accounts)} accounts with a login each; the servers use the same core in turn. \`bench/peers/package.json\` lists the versions.`,
      columns: sides.map(({ name }) => ({ name })),
      rows: [
        row('requests/s', perSecondOf),
        row('p99 ms', ({ p99 }) => p99),
        row('CPU µs/request', cpuOf),
        { name: '**CPU time relative to Kennel**', values: [null, ...times.map(known)] },
        { name: 'resident memory afterwards, MiB', values: memory.map(known) },
      ],
      claims: [],
    }
  })
}

/**
 * Installs missing packages in their exact versions, after printing a notice; throws if the registry is unreachable.
 */
function installPeers(): void {
  const { dependencies } = manifestIn(FOLDER) as { dependencies: Record<string, string> }
  const versions = Object.entries(dependencies)
  const areInstalled = () =>
    versions.every(([name, version]) => manifestIn(join(FOLDER, 'node_modules', name))['version'] === version)
  if (!areInstalled()) {
    console.error(`Installing the peers from the registry into ${FOLDER} (60 MB) …`)
    spawnSync('npm', ['install', '--loglevel=error'], { cwd: FOLDER, stdio: ['ignore', 'ignore', 'inherit'] })
    if (!areInstalled()) throw new Error('The peers could not be installed: that needs the npm registry.')
  }
}

function manifestIn(folder: string): Record<string, unknown> {
  const file = join(folder, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>) : {}
}

/** Creates the accounts of each peer, each with a login, and starts the peer's server. */
async function startPeers({ folder, publicUrl }: Workplace, accounts: number): Promise<readonly Side[]> {
  const emails = Array.from({ length: accounts }, (_, index) => emailOf(index))
  const job = { folder, publicUrl, secret: randomBytes(64).toString('base64url'), emails }
  const sides: Side[] = []
  for (const { file, ...peer } of PEERS) {
    const args = [join(FOLDER, 'peer.js'), file]
    const clients = JSON.parse(await runToEnd([...args, 'seed'], 'anywhere', {}, job)) as Credentials[]
    const server = await startServer({ args: [...args, 'serve'], place: 'server', input: job })
    sides.push({ ...peer, clients, server })
  }
  return sides
}

/** Throws unless each client gets its own identity, and none with modified credentials. */
async function checkIdentities({ name, identity, server, clients }: Side): Promise<void> {
  const send = async ({ path, headers = {} }: Request) => await ask(server.address + path, headers)
  const step = Math.max(1, Math.floor(clients.length / CHECKED))
  for (const client of clients.filter((_, index) => index % step === 0)) {
    const right = await send(identity(client))
    if (right.status !== 200 || !right.body.includes(client.email))
      throw new Error(`${name} answers ${client.email} with ${right.status}: ${right.body}`)
    const wrong = await send(identity(tampered(client)))
    if (wrong.body.includes(client.email))
      throw new Error(`${name} accepts wrong credentials for ${client.email}`)
  }
}

/** Returns the credentials with different last characters. */
function tampered({ cookie, accessToken, ...rest }: Credentials): Credentials {
  const other = (text: string) => `${text.slice(0, -6)}${text.endsWith('AAAAAA') ? 'BBBBBB' : 'AAAAAA'}`
  return {
    ...rest,
    ...(cookie !== undefined && { cookie: other(cookie) }),
    ...(accessToken !== undefined && { accessToken: other(accessToken) }),
  }
}
