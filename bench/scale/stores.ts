import { systemClock } from '../../src/adapters/system/index.js'
import { createIssue } from '../../src/application/identity/issue.js'
import type { Account } from '../../src/domain/identity/account.js'
import { hashOfPassword } from '../workplace/logins.js'
import type { Client } from '../workplace/seed.js'
import { LIFETIMES, type Workplace } from '../workplace/workplace.js'
import { fillEnded, fillPopulation, putOf, withFastPut, type OnProgress, type Put } from './fill.js'
import { accountOf, sessionKeyOf, sessionOf, type Population, type Size } from './population.js'

/** A store of a size, and the service on it. */
export type SizedStore = { readonly place: Workplace; readonly population: Population }

type Sessions = Pick<SizedStore, 'population'> & { readonly place: Pick<Workplace, 'credentials'> }

/** The service is configured with a secure cookie. */
const COOKIE = '__Host-sid'

const GROUPS = 4

/** Fills the store of a workplace. */
export async function fillStore(place: Workplace, size: Size, onProgress?: OnProgress): Promise<SizedStore> {
  const population = {
    size,
    madeAt: systemClock(),
    kid: place.credentials.tokens.currentKid,
    lifetimes: LIFETIMES,
    passwordHash: await hashOfPassword(),
  }
  await putting(place, (put) => fillPopulation(put, population, onProgress))
  return { place, population }
}

/** Fills the store of a workplace with this many sessions, each of a separate account, and returns their clients. */
export async function fillSessions(place: Workplace, count: number): Promise<readonly Client[]> {
  const store = await fillStore(place, { pets: 0, accounts: count, sessions: count, auditRecords: 0 })
  return await clientsOf(store, count)
}

/** Adds ended sessions, which the next purge removes. */
export async function addEnded({ place, population }: SizedStore, count: number): Promise<void> {
  await putting(place, (put) => fillEnded(put, population, count))
}

/** Runs work with a function that puts records into the store of a workplace. */
export async function putting(place: Workplace, work: (put: Put) => Promise<void>): Promise<void> {
  const isFile = place.env['DATABASE_URL']?.startsWith('sqlite:')
  await place.withStore(async (store) => {
    if (!isFile) await work(putOf(store))
  })
  if (isFile) await withFastPut(place.database, work)
}

/**
 * The clients of this many sessions, spread evenly over a whole store. The four values of `group` share no sessions, so
 * that measurements do not refresh each other's sessions.
 */
export async function clientsOf(
  { place, population }: Sessions,
  count: number,
  group = 0,
): Promise<readonly Client[]> {
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
      return { cookie: `${COOKIE}=${key}`, accessToken, refreshToken, digest: session.current.keyDigest }
    }),
  )
}
