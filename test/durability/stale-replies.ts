import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { RoleKey } from '../../src/domain/access/role.js'
import type { Account } from '../../src/domain/identity/account.js'
import type { Email } from '../../src/domain/identity/email.js'
import type { SessionId } from '../../src/domain/identity/session.js'
import type { Store } from '../../src/ports/store.js'
import { makeWorkplace, type Workplace } from '../cli/app.js'
import { until } from '../cli/workers.js'
import { mochaGlobalSetup, mochaGlobalTeardown } from '../support/fixture.js'
import { openAt } from '../support/open-at.js'
import { SERVER_STORE } from '../support/server-stores.js'
import { keepConnection, type KeptConnection } from './kept-connection.js'
import { logIn, refresh, type KeptLogin } from './kept-login.js'
import { startWithWorkers, type ServiceWithWorkers } from './service-with-workers.js'

export type StaleReplies = {
  readonly rounds: number
  /** The number of identities that were read after an acknowledged change. */
  readonly reads: number
  /** The number of refreshes of another account in the meantime, and of its logins, each followed by a logout. */
  readonly load: number
  /** The replies that did not show the change. */
  readonly stale: readonly string[]
}

const EDITOR = 'editor' as RoleKey
const PASSWORD = 'a good long password'
const NEW_PASSWORD = 'another good long password'
const LOAD = { email: 'load@example.com', password: PASSWORD }
const ACCOUNTS = 4
/** The reply before each change. */
const ENTITLED = `200 ${EDITOR}`

/** An account with a connection to each worker. */
type Subject = { readonly account: Account; readonly connections: readonly KeptConnection[] }

type Change = {
  readonly name: string
  /** The status of the next reply, with the roles in it. */
  readonly seen: string
  /** Resolves when the change is acknowledged. */
  make(store: Store, login: KeptLogin, account: Account): Promise<unknown>
  undo?(store: Store, account: Account): Promise<unknown>
}

/**
 * Changes that this process makes, which does not belong to the service, and changes that a request to one worker makes. No endpoint
 * changes roles or disables accounts.
 */
const CHANGES: readonly Change[] = [
  {
    name: 'a removed role',
    seen: '200 ',
    make: ({ roles }, _, { email }) => roles.unassign(email, EDITOR),
    undo: ({ roles }, { email }) => roles.assign(email, EDITOR),
  },
  {
    name: 'a disabled account',
    seen: '401',
    make: ({ accounts }, _, { id }) => accounts.setDisabled(id, 1),
    undo: ({ accounts }, { id }) => accounts.setDisabled(id, undefined),
  },
  { name: 'an ended session', seen: '401', make: ({ sessions }, login) => sessions.end(sessionIdOf(login)) },
  { name: 'a new password', seen: '401', make: (store, _, account) => restorePassword(store, account) },
  { name: 'a logout', seen: '401', make: (_, login) => post(login, '/api/auth/logout', {}) },
  {
    name: 'a change of the own password',
    seen: '401',
    make: (_, login) =>
      post(login, '/api/auth/change-password', { password: PASSWORD, newPassword: NEW_PASSWORD }),
    undo: restorePassword,
  },
]

/**
 * Makes `rounds` changes, each of an account whose identity is read through all workers, and compares the next reply of
 * each worker with the change. Meanwhile another client refreshes, and another logs in and out.
 */
export async function staleReplies(rounds: number, workers: number): Promise<StaleReplies> {
  const place = await makeWorkplace()
  const store = await openAt(place.env['DATABASE_URL'] ?? expect.fail('there is a store'))
  try {
    const accounts = await createAccounts(place, store)
    const env = { ...place.env, KEEP_ALIVE_TIMEOUT: '1h' }
    const service = await startWithWorkers({ folder: place.folder, env }, workers)
    const report = { rounds, reads: 0, stale: [] as string[] }
    const order = Array.from({ length: rounds }, (_, round) => round).values()
    const makeRounds = async (account: Account) => {
      const connections = await connectToEach(service, workers)
      for (const round of order) await makeRound(round, store, { account, connections }, report)
      for (const one of connections) one.close()
    }
    try {
      const load = await loadBeside(service.origin, Promise.all(accounts.map(makeRounds)))
      return { ...report, load }
    } finally {
      await service.stop()
    }
  } finally {
    await store.close()
    await place.remove()
  }
}

async function createAccounts(place: Workplace, store: Store): Promise<readonly Account[]> {
  await place.app(['role', 'create', EDITOR, 'Editor'])
  await place.app(['user', 'create', LOAD.email, '--password-stdin'], { input: PASSWORD })
  const create = async (email: Email) => {
    await place.app(['user', 'create', email, '--role', EDITOR, '--password-stdin'], { input: PASSWORD })
    return (await store.accounts.findByEmail(email)) ?? expect.fail(`${email} was not created`)
  }
  const accounts: Account[] = []
  for (let count = 0; count < ACCOUNTS; count += 1)
    accounts.push(await create(`user${count}@example.com` as Email))
  return accounts
}

/** One connection to each worker, as the request log shows. */
export async function connectToEach({ origin, workerOf }: ServiceWithWorkers, workers: number) {
  const found = new Map<number, KeptConnection>()
  while (found.size < workers) {
    const connection = keepConnection(origin)
    await connection.send({ method: 'GET', path: '/health/live' })
    const id = connection.firstRequestId()
    await until(() => workerOf(id) !== undefined)
    const worker = workerOf(id) ?? 0
    if (found.has(worker)) connection.close()
    else found.set(worker, connection)
  }
  return [...found.values()]
}

async function makeRound(
  round: number,
  store: Store,
  { account, connections }: Subject,
  report: { reads: number; readonly stale: string[] },
): Promise<void> {
  const change = CHANGES[round % CHANGES.length] ?? expect.fail('there are changes')
  const changing = connections[Math.floor(round / CHANGES.length) % connections.length]
  const login = await logIn(changing ?? expect.fail('there is a worker'), {
    email: account.email,
    password: PASSWORD,
  })
  const read = async () => await Promise.all(connections.map((one) => seenBy(one, login)))
  const before = await read()
  await Promise.all([change.make(store, login, account), read()])
  const after = await read()
  report.reads += after.length
  if (before.some((one) => one !== ENTITLED) || after.some((one) => one !== change.seen))
    report.stale.push(`${change.name}: ${before.join()}, then ${after.join()}`)
  await change.undo?.(store, account)
}

/** Returns the status of an identity request, with the roles in the reply. */
export async function seenBy(connection: KeptConnection, login: KeptLogin): Promise<string> {
  const answer = await connection.send({
    method: 'GET',
    path: '/api/auth/get-identity',
    headers: headersOf(login),
  })
  if (answer?.status !== 200) return String(answer?.status)
  const { view } = answer.body as { view: { roleList: object } }
  return `200 ${Object.keys(view.roleList).join()}`
}

function headersOf({ cookie, accessToken }: KeptLogin): Record<string, string> {
  return { Cookie: cookie, 'X-Authorization': `Bearer ${accessToken}` }
}

export async function post(login: KeptLogin, path: string, body: object): Promise<void> {
  const answer = await login.connection.send({ method: 'POST', path, headers: headersOf(login), body })
  expect(answer?.status, path).to.equal(200)
}

async function restorePassword({ accounts }: Store, { id, passwordHash }: Account): Promise<void> {
  await accounts.setPassword(id, passwordHash ?? expect.fail('the account has a password'))
}

function sessionIdOf({ accessToken }: KeptLogin): SessionId {
  const [, payload = ''] = accessToken.split('.')
  return (JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sid: SessionId }).sid
}

/** Refreshes, logs in and logs out until the work is done; resolves with the number of successful rounds. */
async function loadBeside(origin: string, work: Promise<unknown>): Promise<number> {
  let isEnding = false
  let count = 0
  const repeat = async (step: () => Promise<unknown>) => {
    for (; !isEnding; count += 1) await step()
  }
  const [one, other] = [keepConnection(origin), keepConnection(origin)]
  const login = await logIn(one, LOAD)
  await Promise.all([
    work.finally(() => (isEnding = true)),
    repeat(async () => expect((await refresh(login))?.status).to.equal(200)),
    repeat(async () => await post(await logIn(other, LOAD), '/api/auth/logout', {})),
  ])
  for (const connection of [one, other]) connection.close()
  return count
}

/**
 * When run as a script, its arguments are the number of rounds (10,000) and of workers (1); the exit status is 1 if a reply was stale. The
 * variable TEST_STORE selects another store than SQLite, such as `postgresql`.
 */
if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [rounds = 10_000, workers = 1] = process.argv.slice(2).map(Number)
  await mochaGlobalSetup()
  const report = await staleReplies(rounds, workers).finally(mochaGlobalTeardown)
  console.log(JSON.stringify({ store: SERVER_STORE?.name ?? 'SQLite', workers, ...report }))
  process.exitCode = report.stale.length === 0 ? 0 : 1
}
