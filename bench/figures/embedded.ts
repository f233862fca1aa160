import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { LRUCache } from 'lru-cache'
import { systemKdf } from '../../src/adapters/scrypt/kdf.js'
import { systemRandomness } from '../../src/adapters/system/index.js'
import { generatePassphrase } from '../../src/adapters/keyring/index.js'
import { openKennel, OPERATOR, type Kennel } from '../../src/index.js'
import { median, ratio, type Contestant } from '../alternate.js'
import { atLeast, atMost, type Claim, type Report, type Row } from '../report.js'
import type { Run } from '../run.js'
import { COST, PASSWORD } from '../workplace/logins.js'

const execute = promisify(execFile)
const LIBRARY = join(dirname(dirname(import.meta.dirname)), 'src', 'index.js')
const EMAIL = 'ada@kennel.example'

type Measured = { readonly rows: readonly Row[]; readonly claims: readonly Claim[] }

/** The library without a server: the time of its import, a login, and get-identity on the memory store. */
export async function measureEmbedded(run: Run): Promise<Report> {
  const kennel = await openKennel({
    store: 'memory:',
    passphrase: generatePassphrase(systemRandomness),
    publicUrl: 'https://kennel.example',
    audit: 'off',
    background: false,
  })
  await kennel.createUser({ caller: OPERATOR, email: EMAIL, password: PASSWORD })
  const measured = [
    await measureImport(run),
    await measureLogin(kennel, run),
    await measureIdentity(kennel, run),
  ]
  await kennel.close()
  return {
    setting:
      '`openKennel` on the memory store in one process, without a server; logins one after the other with scrypt 17/8/1. The bare steps of getIdentity are the look-up of a remembered signature, the digest of the session key and a map.',
    columns: [{ name: 'each, ms' }],
    rows: measured.flatMap(({ rows }) => rows),
    claims: measured.flatMap(({ claims }) => claims),
  }
}

async function measureImport(run: Run): Promise<Measured> {
  const started = (name: string, code: string): Contestant<number> => ({
    name,
    round: async () => {
      const begun = performance.now()
      await execute(process.execPath, ['--input-type=module', '-e', code])
      return performance.now() - begun
    },
  })
  const [library, empty] = await run.alternate(
    [
      started("import 'kennel-id', start to end", `import ${JSON.stringify(LIBRARY)}`),
      started('empty Node process, start to end', '0'),
    ],
    { usual: 20, quick: 5 },
  )
  if (!library || !empty) throw new Error('two were measured')
  const above = median(library.rounds) - median(empty.rounds)
  return {
    rows: [library, empty].map(({ name, rounds }) => ({ name, values: [median(rounds)] })),
    claims: [atMost("import 'kennel-id' above an empty process", 60, above, { unit: 'ms', digits: 0 })],
  }
}

/** Sequentially, so that no login waits for a thread. */
async function measureLogin(kennel: Kennel, run: Run): Promise<Measured> {
  const stored = await systemKdf.derive(PASSWORD, COST)
  const [login, bare] = await run.alternate(
    [
      timed('login', 1, () => kennel.login({ email: EMAIL, password: PASSWORD, presented: {} })),
      timed('bare scrypt-kdf', 1, () => systemKdf.matches(PASSWORD, stored)),
    ],
    { usual: 25, quick: 5 },
  )
  if (!login || !bare) throw new Error('two were measured')
  const quotient = ratio(login, bare, (milliseconds) => milliseconds)
  return {
    rows: [login, bare].map(({ name, rounds }) => ({ name, values: [median(rounds)] })),
    claims: [atMost('time of a login per time of its hash', 1.02, quotient)],
  }
}

/** Compared with the unavoidable steps: the cached signature, the digest of the key and the lookup. */
async function measureIdentity(kennel: Kennel, run: Run): Promise<Measured> {
  const { accessToken, sessionKey } = await kennel.login({ email: EMAIL, password: PASSWORD, presented: {} })
  const presented = { accessToken, sessionKey }
  const cached = new LRUCache<string, object>({ max: 10_000 })
  cached.set(accessToken, {})
  const sessions = new Map([[hash('sha256', sessionKey ?? '', 'base64url'), {}]])
  const bareSteps = async () => {
    const known = cached.get(accessToken)
    const session = sessions.get(hash('sha256', sessionKey ?? '', 'base64url'))
    if (!known || !session) throw new Error('both are there')
    return session
  }
  const calls = run.quick ? 20_000 : 200_000
  const [ours, bare] = await run.alternate(
    [
      timed('getIdentity, memory store', calls, () => kennel.getIdentity(presented)),
      timed('bare steps of it', calls, bareSteps),
    ],
    { usual: 7, quick: 3 },
  )
  if (!ours || !bare) throw new Error('two were measured')
  return {
    rows: [ours, bare].map(({ name, rounds }) => ({ name, values: [median(rounds)] })),
    claims: [
      atLeast('getIdentity a second on one core', 100_000, 1_000 / median(ours.rounds), { digits: 0 }),
    ],
  }
}

function timed(name: string, calls: number, work: () => Promise<unknown>): Contestant<number> {
  return {
    name,
    round: async () => {
      const begun = performance.now()
      for (let call = 0; call < calls; call += 1) await work()
      return (performance.now() - begun) / calls
    },
  }
}
