import { createApiKeySecrets } from '../../src/adapters/keyring/index.js'
import { systemKdf, writeScryptHash } from '../../src/adapters/scrypt/password-hasher.js'
import { systemClock, systemRandomness } from '../../src/adapters/system/index.js'
import { createIssue, createIssuePair } from '../../src/application/identity/issue.js'
import type { Account } from '../../src/domain/identity/account.js'
import type { PasswordHash } from '../../src/domain/identity/password.js'
import { PASSWORD, type Credentials } from '../load/requests.js'
import { LIFETIMES, type Workplace } from '../workplace/workplace.js'
import { fillPopulation, withFastPut, type Put } from './fill.js'
import { accountOf, emailOf, sessionKeyOf, sessionOf, type Population, type Size } from './population.js'

/** A workplace whose store contains this population. */
export type SizedStore = { readonly place: Workplace; readonly population: Population }

type Sessions = Pick<SizedStore, 'population'> & { readonly place: Pick<Workplace, 'credentials'> }

/** The service's default hash cost. */
export const COST = { logN: 17, r: 8, p: 1 }
/** The service is configured with a secure cookie. */
const COOKIE = '__Host-sid'
const GROUPS = 4
const NONE: Size = { pets: 0, accounts: 0, sessions: 0, auditRecords: 0 }

/** Fills the store of a workplace. */
export async function fillStore(place: Workplace, size: Partial<Size>): Promise<SizedStore> {
  const population = {
    size: { ...NONE, ...size },
    madeAt: systemClock(),
    kid: place.credentials.tokens.currentKid,
    lifetimes: LIFETIMES,
    passwordHash: writeScryptHash(await systemKdf.derive(PASSWORD, COST)) as PasswordHash,
  }
  await putting(place, (put) => fillPopulation(put, population))
  return { place, population }
}

/** Fills the store of a workplace with this many sessions, each for a separate account, and returns their clients. */
export async function fillSessions(place: Workplace, count: number): Promise<readonly Credentials[]> {
  return await clientsOf(await fillStore(place, { accounts: count, sessions: count }), count)
}

/** Uses fast writes for a SQLite file, and the store's bulk interface otherwise. */
async function putting(place: Workplace, work: (put: Put) => Promise<void>): Promise<void> {
  const isFile = place.env['DATABASE_URL']?.startsWith('sqlite:')
  await place.withStore(async ({ copyableRecords }) => {
    if (!isFile && copyableRecords) await work((kind, many) => copyableRecords.put(kind, many))
  })
  if (isFile) await withFastPut(place.database, work)
}

/**
 * Returns clients for this many sessions, spread evenly over the whole store. Each `group` from 0 to 3 has different sessions, so that
 * measurements do not refresh each other's sessions.
 */
export async function clientsOf(
  { place, population }: Sessions,
  count: number,
  group = 0,
): Promise<readonly Required<Credentials>[]> {
  const issue = createIssue({ tokens: place.credentials.tokens, lifetimes: LIFETIMES })
  const stride = Math.max(1, GROUPS * Math.floor(population.size.sessions / count / GROUPS))
  const now = systemClock()
  return await Promise.all(
    Array.from({ length: count }, async (_, number) => {
      const index = (group + number * stride) % population.size.sessions
      const session = sessionOf(population, index)
      const account = { ...accountOf(population, index % population.size.accounts), roles: [] } as Account
      const key = sessionKeyOf(index)
      const issued = { ...session, current: { ...session.current, issuedAt: now } }
      const { accessToken, refreshToken } = await issue({ session: issued, account }, key)
      return { email: account.email, cookie: `${COOKIE}=${key}`, accessToken, refreshToken }
    }),
  )
}

/** Returns stateless logins to this many accounts, with tokens like those that the service issues. */
export async function fillLogins(place: Workplace, count: number): Promise<readonly Credentials[]> {
  const { population } = await fillStore(place, { accounts: count })
  const { tokens } = place.credentials
  const issuePair = createIssuePair({ tokens, lifetimes: LIFETIMES, randomness: systemRandomness })
  const at = systemClock()
  return await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const account = { ...accountOf(population, index), roles: [] } as Account
      const login = { sessionId: sessionOf(population, index).id, endsAt: at + LIFETIMES.session }
      const { accessToken } = await issuePair(account, login, at)
      return { email: emailOf(index), accessToken }
    }),
  )
}

/** The path of the first page of 20 pets. */
export const FIRST_PAGE = '/v1/pets?limit=20'

/** Creates an API key and returns its header. */
export async function seedApiKey(place: Workplace): Promise<{ readonly 'X-API-Key': string }> {
  const secrets = createApiKeySecrets()
  const key = secrets.fresh()
  const createdAt = systemClock()
  await place.withStore(({ apiKeys }) =>
    apiKeys.insert({ name: 'bench', roles: [], digest: secrets.digest(key), createdAt }),
  )
  return { 'X-API-Key': key }
}
