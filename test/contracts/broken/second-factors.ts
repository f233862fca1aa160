import type { Account, AccountId } from '../../../src/domain/identity/account.js'
import type {
  RecoveryDigest,
  StoredSecondFactor,
  TimeStep,
} from '../../../src/domain/identity/second-factor.js'
import type { SecondFactors } from '../../../src/ports/second-factors.js'
import { NOW } from '../../../src/contracts/samples.js'
import { breakageOf, breakageOfStore, everybodyElse, type Breakage } from './breakage.js'

const broken = breakageOf('secondFactors')
const INACTIVE = 'a factor that was set up is not active, and its account is as it was'
const REPLACED = 'a factor that is set up takes the place of the one before, which can then not be activated'
const ACTIVE = 'an active factor has what it was activated with, and begin leaves it as it is'
const MARKED = 'every read of an account tells that its factor is active, and of no other account'
const QUIET = 'a factor comes and goes without ending a session or moving an epoch'
const STAYS = 'what changes the password or disables the account leaves its factor'
const REMOVED = 'remove takes the factor and its recovery codes away, and twice is unknown'
const EARLIER =
  'a session that was begun with a factor has none once that was removed, also when there is another one'
const GOES = 'a factor goes with its account and does not come back with the email'
const ABSENT = 'of an account that is not there nothing is found, and nothing is kept'
const RESEALED = 'reseal writes over the expected secret only, and changes nothing else'
const ONE_ACTIVATES =
  'of 16 activations of one factor at once exactly one activates, and its recovery codes are the good ones'
const ONE_SET_UP = 'of 16 set-ups at once one is kept, whole'
const ONE_REMOVES = 'of 16 removals at once exactly one removes'
const EXACT =
  'secrets are kept exactly, and changing what was passed in or handed out changes nothing in the store'
const SESSION = 'a session keeps that it was begun with a second factor, through refreshes'
const STEP = 'a step is taken where it is later than every one before, and spent else'
const NO_STEP = 'a step of an account without an active factor is spent'
const NO_CODE = 'without an active factor no recovery code is taken, and without a set-up none is activated'
const CODE = 'a recovery code is taken once, and the others stay'
const APART = 'codes of one account are none of another'
const ONE_STEP = 'of 16 takes of one step at once exactly one is taken'
const ONE_CODE = 'of 16 takes of one recovery code at once exactly one is taken'
const RENEWED = 'renewed recovery codes replace all previous codes and use up the code that proves them'
const NOT_RENEWED =
  'a code that is spent or of another account renews no recovery codes, and neither does a factor that is not active'
const ONE_RENEWS =
  'of 16 concurrent renewals with one code exactly one renews, and its recovery codes are the valid ones'
const WHOLE_SET =
  'of concurrent renewals with different codes, beside a recovery code that is taken, one whole set is valid'

export const brokenSecondFactors: readonly Breakage[] = [
  broken('the first set-up stays', [REPLACED], (inner) => ({
    begin: async (id, pending) => ((await inner.find(id)) ? 'begun' : await inner.begin(id, pending)),
  })),
  broken('a second set-up takes an active factor away', [ACTIVE], (inner) => ({
    async begin(id, pending) {
      await inner.remove(id)
      return await inner.begin(id, pending)
    },
  })),
  broken('recovery codes are not kept', [ACTIVE, CODE, APART, ONE_CODE, ONE_ACTIVATES], (inner) => ({
    activate: (id, activation) => inner.activate(id, { ...activation, recovery: [] }),
  })),
  broken('whether it is active is looked up before it is activated', [ONE_ACTIVATES], (inner) => ({
    async activate(id, activation) {
      const before = await inner.find(id)
      await everybodyElse()
      if (before?.sealedSecret !== activation.sealedSecret || before.activeSince !== undefined)
        return 'changed'
      await inner.activate(id, activation)
      return 'activated'
    },
  })),
  broken('a set-up beside another is refused', [ONE_SET_UP], (inner) => {
    let underWay = 0
    return {
      async begin(id, pending) {
        underWay += 1
        const alone = underWay === 1
        await everybodyElse()
        const answer = await inner.begin(id, pending)
        underWay -= 1
        return alone ? answer : 'active'
      },
    }
  }),
  broken('what is found is not known of unknown accounts', [ABSENT], () => ({
    remove: async () => 'removed',
  })),
  broken('every removal says that it removed', [REMOVED, ONE_REMOVES], (inner) => ({
    async remove(id) {
      await inner.remove(id)
      return 'removed'
    },
  })),
  broken('reseal only says so', [RESEALED], () => ({ reseal: async () => 'resealed' })),
  broken('secrets are trimmed of what looks like a command', [EXACT], (inner) => ({
    begin: (id, pending) => {
      const sealedSecret = pending.sealedSecret.replace(/[$']/gu, '') as StoredSecondFactor['sealedSecret']
      return inner.begin(id, { ...pending, sealedSecret })
    },
  })),
  broken('every step is taken', [STEP, NO_STEP, INACTIVE, ONE_STEP], (inner) => ({
    async takeStep(id, step) {
      await inner.takeStep(id, step)
      return 'taken'
    },
  })),
  broken('whether a step was taken is looked up before', [ONE_STEP], (inner) => ({
    async takeStep(id, step) {
      const last = (await inner.find(id))?.lastStep
      await everybodyElse()
      if (last === undefined || last >= step) return 'spent'
      await inner.takeStep(id, step)
      return 'taken'
    },
  })),
  broken('a recovery code of no active factor is taken', [NO_CODE], (inner) => ({
    takeRecovery: async (id, digest) =>
      (await inner.find(id))?.activeSince === undefined ? 'taken' : await inner.takeRecovery(id, digest),
  })),
  broken('every renewal says that it renewed', [RENEWED, NOT_RENEWED, ONE_RENEWS], (inner) => ({
    async renewRecovery(id, renewal) {
      await inner.renewRecovery(id, renewal)
      return 'renewed'
    },
  })),
  broken('a renewal leaves the code that proves it', [RENEWED, NOT_RENEWED], (inner) => ({
    async renewRecovery(id, { recovery }) {
      const last = (await inner.find(id))?.lastStep
      if (last === undefined) return 'spent'
      const step = (last + 1) as TimeStep
      return await inner.renewRecovery(id, { proof: { kind: 'step', step }, recovery })
    },
  })),
  broken(
    'sets of recovery codes that are renewed concurrently are mixed',
    [ONE_RENEWS, WHOLE_SET],
    (inner) => {
      const underWay = new Set<RecoveryDigest>()
      return {
        async renewRecovery(id, { proof, recovery }) {
          const [first] = recovery
          if (first) underWay.add(first)
          await everybodyElse()
          const answer = await inner.renewRecovery(id, { proof, recovery: [...underWay, ...recovery] })
          await everybodyElse()
          if (first) underWay.delete(first)
          return answer
        },
      }
    },
  ),
  breakageOfStore('no read tells of a factor', labels([MARKED, STAYS]), (store) => ({
    accounts: {
      ...store.accounts,
      find: async (id) => unmarked(await store.accounts.find(id)),
    },
  })),
  breakageOfStore('a factor ends the sessions of its account', labels([QUIET]), (store) => ({
    secondFactors: {
      ...store.secondFactors,
      async activate(id, activation) {
        const answer = await store.secondFactors.activate(id, activation)
        await store.sessions.endAllOf(id)
        return answer
      },
    },
  })),
  breakageOfStore('a removal is one for all who act as the account', labels([EARLIER]), (store) => ({
    secondFactors: {
      ...store.secondFactors,
      async remove(id) {
        for (const session of await store.sessions.pageOf({ accountId: id, limit: 100, at: NOW })) {
          const { factor: _, ...rest } = session
          await store.sessions.end(session.id)
          await store.sessions.open(rest)
        }
        return await store.secondFactors.remove(id)
      },
    },
  })),
  breakageOfStore('factors are kept by email', labels([GOES]), (store) => {
    const before = new Map<AccountId, Awaited<ReturnType<SecondFactors['find']>>>()
    return {
      accounts: {
        ...store.accounts,
        async remove(id) {
          before.set(id, await store.secondFactors.find(id))
          return await store.accounts.remove(id)
        },
      },
      secondFactors: {
        ...store.secondFactors,
        find: async (id) => (await store.secondFactors.find(id)) ?? before.get(id),
      },
    }
  }),
  breakageOfStore('a session forgets its second factor', [`sessions: ${SESSION}`], (store) => ({
    sessions: {
      ...store.sessions,
      open: ({ factor: _, ...session }) => store.sessions.open(session),
    },
  })),
]

function labels(laws: readonly string[]): readonly string[] {
  return laws.map((name) => `secondFactors: ${name}`)
}

function unmarked(account: Account | undefined): Account | undefined {
  if (!account) return undefined
  const { secondFactor: _, ...rest } = account
  return rest
}
