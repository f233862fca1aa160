import { createApiKeySecrets } from '../../src/adapters/keyring/index.js'
import { connect } from '../../src/adapters/sqlite/driver.js'
import { systemClock, systemRandomness } from '../../src/adapters/system/index.js'
import { createIssuePair } from '../../src/application/identity/stateless/issue-pair.js'
import { createIssue } from '../../src/application/identity/issue.js'
import { createNextGeneration, createOpenSession } from '../../src/application/identity/open-session.js'
import type { RoleKey } from '../../src/domain/access/role.js'
import type { Account } from '../../src/domain/identity/account.js'
import type { Email } from '../../src/domain/identity/email.js'
import type { PasswordHash } from '../../src/domain/identity/password.js'
import type { SessionId } from '../../src/domain/identity/session.js'
import type { Store } from '../../src/ports/store.js'
import type { Headers } from './reply.js'
import { LIFETIMES, type Workplace } from './workplace.js'

/** The client of one session. */
export type Client = {
  readonly cookie: string
  readonly accessToken: string
  readonly refreshToken: string
  /** The digest of the key in the cookie, as in the store. */
  readonly digest: string
}

/** The service is configured with a secure cookie. */
const COOKIE = '__Host-sid'
const ROLE = 'editor' as RoleKey
const TOGETHER = 500

/** Accounts with one role each and all with this password hash, if one is given. */
export async function seedAccounts(store: Store, count: number, hash?: string): Promise<readonly Account[]> {
  const createdAt = systemClock()
  await store.roles.insert({ uuid: systemRandomness.uuid(), key: ROLE, label: 'Editor' })
  await inBatches(count, async (index) => {
    const email = emailOf(index)
    const passwordHash = hash as PasswordHash | undefined
    await store.accounts.insert({ email, createdAt, ...(passwordHash && { passwordHash }) })
    await store.roles.assign(email, ROLE)
  })
  return await store.accounts.page(undefined, count)
}

/** All of the same length, so that all replies are equally long. */
export function emailOf(index: number): Email {
  return `user-${String(100_000 + index)}@kennel.example` as Email
}

/** Opens `count` sessions as login does, for each account in turn. */
export async function seedSessions(
  { credentials }: Workplace,
  store: Store,
  accounts: readonly Account[],
  count: number,
): Promise<readonly Client[]> {
  const common = { lifetimes: LIFETIMES, randomness: systemRandomness, clock: systemClock }
  const { currentKid } = credentials.tokens
  const nextGeneration = createNextGeneration({ ...common, currentKid })
  const open = createOpenSession({ ...common, ...credentials, sessions: store.sessions, nextGeneration })
  const issue = createIssue({ ...common, tokens: credentials.tokens })
  return await inBatches(count, async (index) => {
    const account = accounts[index % accounts.length]
    if (!account) throw new Error('sessions need an account')
    const { session, sessionKey } = await open(account)
    const { accessToken, refreshToken } = await issue({ session, account }, sessionKey)
    const digest = session.current.keyDigest
    return { cookie: `${COOKIE}=${sessionKey}`, accessToken, refreshToken, digest }
  })
}

/** The access token of a stateless login for each account, as the stateless service itself would issue it. */
export async function seedTokens(
  { credentials: { tokens } }: Workplace,
  accounts: readonly Account[],
): Promise<readonly string[]> {
  const issuePair = createIssuePair({ tokens, lifetimes: LIFETIMES, randomness: systemRandomness })
  const at = systemClock()
  const login = () => ({
    sessionId: systemRandomness.base64url(16) as SessionId,
    endsAt: at + LIFETIMES.session,
  })
  const pairs = await Promise.all(accounts.map((account) => issuePair(account, login(), at)))
  return pairs.map(({ accessToken }) => accessToken)
}

/** The headers that prove an identity. */
export function identityHeaders({ cookie, accessToken }: Client): Headers {
  return { Cookie: cookie, 'X-Authorization': `Bearer ${accessToken}` }
}

/** Creates an API key and returns it. */
export async function seedApiKey(store: Store): Promise<string> {
  const secrets = createApiKeySecrets()
  const key = secrets.fresh()
  await store.apiKeys.insert({
    name: 'bench',
    roles: [],
    digest: secrets.digest(key),
    createdAt: systemClock(),
  })
  return key
}

/** The number of pets of the figures that do not measure the growth with size. */
export const PETS = 1_000_000

/** The path of the first page of 20. */
export const FIRST_PAGE = '/v1/pets?limit=20'

/** The paths of 9,000 pets with IDs of six digits and the same fields, so that all replies are equally long. */
export function pathsOfPets(): readonly string[] {
  return Array.from({ length: 9_000 }, (_, index) => `/v1/pets/${100_001 + index * 100}`)
}

/** Pets with the IDs 1 to `count`, in one statement: through the port it would take minutes. */
export async function seedPets(path: string, count: number): Promise<void> {
  const connection = await connect(path)
  connection.exec(`
    WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < ${count})
    INSERT INTO pets (name, tag, category, revision, traits)
    SELECT
      'Pet number ' || n,
      CASE n % 2 WHEN 0 THEN 'indoor' END,
      CASE n % 4 WHEN 0 THEN 'One' WHEN 1 THEN 'Two' WHEN 2 THEN 'Three' END,
      1,
      CASE n % 5 WHEN 0 THEN '{"kind":"cat","age":' || (n % 20) || ',"hunts":true}' END
    FROM number`)
  connection.close()
}

/** The store commits concurrent writes together. */
async function inBatches<T>(count: number, make: (index: number) => Promise<T>): Promise<T[]> {
  const made: T[] = []
  while (made.length < count) {
    const first = made.length
    const length = Math.min(TOGETHER, count - first)
    made.push(...(await Promise.all(Array.from({ length }, (_, index) => make(first + index)))))
  }
  return made
}
