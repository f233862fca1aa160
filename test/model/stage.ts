import fc from 'fast-check'
import { OPERATOR } from '../../src/domain/access/caller.js'
import type { PageLimit } from '../../src/domain/page-limit.js'
import type { Store } from '../../src/ports/store.js'
import { PASSWORD } from '../support/http/service.js'
import { propertyError } from '../support/property-reports.js'
import type { Place, Step } from './play.js'
import { rulesInBrief, type Rules } from './rules.js'
import { serve } from './service.js'
import { logIn } from './steps/identity.js'
import { histories } from './themes.js'
import { newAccount, newWorld, type Account, type ApiKey, type Role, type World } from './world.js'

/** What many histories came to. */
export type Outcome = {
  readonly histories: number
  readonly operations: number
  /** How often each reply came until now, such as `POST /api/auth/login 429`. */
  readonly seen: ReadonlyMap<string, number>
  /** The first history that is not allowed, shrunk. */
  readonly violation?: string
}

/** Which histories: of a seed so many, or the one that a path leads to. */
export type Performance = { readonly seed: number; readonly runs: number; readonly path?: string }

/** A service of the rules, on which histories are played one after the other. */
export type Stage = {
  play(performance: Performance): Promise<Outcome>
  /** The store stays open. */
  close(): Promise<void>
}

export async function openStage(rules: Rules, store: Store): Promise<Stage> {
  const place: Place = { service: await serve(rules, store), history: 0, sent: 0, seen: new Map() }
  return {
    play: (performance) => playAll(rules, place, performance),
    close: () => place.service.close(),
  }
}

/** How many runs the shrinking of one history may take. */
const SHRINKS = 100

async function playAll(rules: Rules, place: Place, { seed, runs, path }: Performance): Promise<Outcome> {
  const [firstHistory, sentBefore] = [place.history, place.sent]
  let left = SHRINKS
  let isShrinking = false
  const property = fc.asyncProperty(histories, async (steps) => {
    if (isShrinking) left -= 1
    // What is left then is small enough: every other run is said to hold.
    if (left < 0) return
    try {
      await playOne(rules, place, steps)
    } catch (error) {
      isShrinking = true
      throw error
    }
  })
  const details = await fc.check(property, { seed, numRuns: runs, ...(path !== undefined && { path }) })
  const error = propertyError(details)
  return {
    histories: place.history - firstHistory,
    operations: place.sent - sentBefore,
    seen: place.seen,
    ...(error && { violation: `${rulesInBrief(rules)}\n${error.message}` }),
  }
}

async function playOne(rules: Rules, place: Place, steps: Iterable<Step>): Promise<void> {
  place.history += 1
  const world = await beginning(rules, place)
  try {
    for (const who of [0, 1, 2]) await logIn(world, place, { ...FIRST_LOGIN, who, account: who })
    await fc.asyncModelRun(() => ({ model: world, real: place }), steps)
  } finally {
    await removePets(place)
  }
}

const FIRST_LOGIN = { password: 'right', written: 0, bearer: { kind: 'none' }, from: 0 } as const
const INHABITANTS: Readonly<Record<string, readonly Role[]>> = {
  ann: ['project-editor'],
  root: ['admin'],
  bob: [],
}

/** Accounts and keys that no other history has; time goes on from where the history before it was. */
async function beginning(rules: Rules, { service, history }: Place): Promise<World> {
  const accounts: Account[] = []
  for (const [name, roles] of Object.entries(INHABITANTS)) {
    const email = `${name}-${history}@example.com`
    accounts.push(newAccount(email, await service.account(email, roles), PASSWORD, roles))
  }
  const apiKeys: ApiKey[] = []
  for (const name of ['one', 'two']) {
    const { id, key } = await service.useCases.createApiKey({ caller: OPERATOR, name, roles: [] })
    apiKeys.push({ id, text: key, isRevoked: false })
  }
  return newWorld({ rules, now: service.clock.now, accounts, apiKeys })
}

const ALL = 100 as PageLimit

/** So that the lists of the next history hold its own alone. */
async function removePets({ service: { store } }: Place): Promise<void> {
  for (;;) {
    const { pets } = await store.pets.page(undefined, ALL)
    if (pets.length === 0) return
    for (const { id } of pets) await store.pets.remove(id)
  }
}
