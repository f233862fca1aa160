import type { Account, AccountId, Epoch } from '../../../../src/domain/identity/account.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import type { PasswordHash } from '../../../../src/domain/identity/password.js'
import {
  RESET_TOKENS_MAX,
  type ResetDigest,
  type IssuedResetToken,
} from '../../../../src/domain/identity/reset-token.js'
import type { MailJobId } from '../../../../src/domain/mail.js'
import type { Accounts, ResetConsumption } from '../../../../src/ports/accounts.js'
import { breakageOf, everybodyElse, type Breakage } from '../breakage.js'

const broken = breakageOf('accounts')
const SETS = 'a reset sets the hash and moves the epoch by one, of its account alone'
const ENDS = 'a reset ends every session of the account and of no other'
const FIRST = 'a reset gives an account without a password its first one'
const HARMLESS = 'an offer is no part of the account, and ends nothing'
const ONCE = 'of 16 resets with one offer at once exactly one succeeds'
const SPENT = 'an offer is spent by its reset'
const NEEDS = 'a reset needs the digest of the offer and the email of its account'
const UNTIL = 'an offer is in force strictly before its end'
const NEWER = 'the newest three offers are in force, each for its own time, and a fourth voids the first'
const ALL = 'a reset with any one of the offers voids them all'
const TRIES = 'an offer takes the place of the one of the same mail and voids no other'
const APART = 'offers of one account leave those of another alone'
const OFFERS = 'of 16 offers at once exactly three are in force'
const PASSWORD = 'another password voids an offer'
const DISABLING = 'disabling voids an offer'
const ENABLING = 'enabling brings no offer back'
const EPOCH = 'endAllOf voids an offer'
const REMOVAL = 'an offer goes with its account and does not come back with the email'
const STAYS = 'what moves no epoch leaves an offer in force'
const STALE = 'issueResetToken with another epoch is changed and leaves the offers of before'
const DISABLED = 'issueResetToken of a disabled account is changed'
const COPIES = 'changing an offer that was passed in changes nothing in the store'
const CHANGES = 'a reset and password changes at once each move the epoch, and the last hash is one of theirs'
const LATE = 'offers that race a password change are void when it is done'
/** Every law in which an offer is redeemed that should be good. */
const IN_FORCE = [
  SETS,
  FIRST,
  SPENT,
  NEEDS,
  UNTIL,
  NEWER,
  PASSWORD,
  DISABLING,
  ENABLING,
  EPOCH,
  STAYS,
  STALE,
  COPIES,
  ALL,
  APART,
]

export const brokenPasswordResets: readonly Breakage[] = [
  broken('a reset only says so', [...IN_FORCE, ENDS, ONCE, CHANGES], (inner) => ({
    async consumeResetToken({ email, digest, at }) {
      const held = await inner.holdsResetToken(email, digest, at)
      return held ? (await inner.findByEmail(email))?.id : undefined
    },
  })),
  broken('a reset leaves the password', [...IN_FORCE, ONCE, CHANGES], (inner, { sessions }) =>
    withOffers(inner, { reset: ({ id }) => sessions.endAllOf(id) }),
  ),
  broken('a reset leaves the epoch', [...IN_FORCE, ENDS, ONCE, CHANGES], (inner) =>
    withOffers(inner, {
      reset: ({ id, passwordHash }, hash) => inner.replaceHash(id, passwordHash ?? hash, hash),
    }),
  ),
  broken('a reset moves the epoch by two', [SETS, ONCE, CHANGES], (inner, { sessions }) =>
    withOffers(inner, {
      async reset({ id }, hash) {
        await sessions.endAllOf(id)
        await inner.setPassword(id, hash)
      },
    }),
  ),
  broken('a reset sets the password of everybody', [SETS, ENDS, ONCE, NEEDS, CHANGES], (inner) =>
    withOffers(inner, {
      async reset(_, hash) {
        for (const { id } of await inner.page(undefined, 100)) await inner.setPassword(id, hash)
      },
    }),
  ),
  broken('a reset ends the sessions of everybody', [ENDS], (inner, { sessions }) => ({
    async consumeResetToken(input) {
      const id = await inner.consumeResetToken(input)
      if (id === undefined) return undefined
      for (const account of await inner.page(undefined, 100)) await sessions.endAllOf(account.id)
      return id
    },
  })),
  broken('an account without a password has nothing to reset', [FIRST], (inner) => ({
    async issueResetToken(id, epoch, offer) {
      const account = await inner.find(id)
      return account?.passwordHash === undefined ? 'changed' : await inner.issueResetToken(id, epoch, offer)
    },
  })),
  broken('an offer logs out', [HARMLESS], (inner, { sessions }) => ({
    async issueResetToken(id, epoch, offer) {
      await sessions.endAllOf(id)
      return await inner.issueResetToken(id, epoch, offer)
    },
  })),
  broken('an account shows its offer', [SETS, HARMLESS, ONCE], (inner) => {
    const offers = new Map<AccountId, IssuedResetToken>()
    return {
      async issueResetToken(id, epoch, offer) {
        offers.set(id, offer)
        return await inner.issueResetToken(id, epoch, offer)
      },
      async find(id) {
        const account = await inner.find(id)
        const reset = offers.get(id)
        return account && reset ? { ...account, reset } : account
      },
    }
  }),
  broken('an offer is looked up, then spent', [ONCE, CHANGES], (inner) =>
    withOffers(inner, {
      async reset({ id }, hash) {
        await everybodyElse()
        await inner.setPassword(id, hash)
      },
    }),
  ),
  broken('an offer is good as often as one likes', [...IN_FORCE, ONCE, CHANGES, LATE], (inner) =>
    withOffers(inner, {
      isInForce: (offer, account, { at }) => at < offer.until && account.disabledAt === undefined,
    }),
  ),
  broken('the digest is not looked at', [NEEDS, NEWER, OFFERS, STALE], (inner) => {
    const offers = new Map<Email, ResetDigest>()
    const digestOf = (email: Email, digest: ResetDigest) => offers.get(email) ?? digest
    return {
      async issueResetToken(id, epoch, offer) {
        const account = await inner.find(id)
        if (account) offers.set(account.email, offer.digest)
        return await inner.issueResetToken(id, epoch, offer)
      },
      holdsResetToken: (email, digest, at) => inner.holdsResetToken(email, digestOf(email, digest), at),
      consumeResetToken: (input) =>
        inner.consumeResetToken({ ...input, digest: digestOf(input.email, input.digest) }),
    }
  }),
  broken('digests are compared without regard to case', [NEEDS], (inner) => ({
    holdsResetToken: (email, digest, at) =>
      inner.holdsResetToken(email, digest.toLowerCase() as ResetDigest, at),
    consumeResetToken: (input) =>
      inner.consumeResetToken({ ...input, digest: input.digest.toLowerCase() as ResetDigest }),
  })),
  broken('emails are compared without regard to case', [NEEDS], (inner) => ({
    holdsResetToken: (email, digest, at) => inner.holdsResetToken(email.toLowerCase() as Email, digest, at),
    consumeResetToken: (input) =>
      inner.consumeResetToken({ ...input, email: input.email.toLowerCase() as Email }),
  })),
  broken('whoever has a digest needs no email', [NEEDS], (inner) => {
    const emails = new Map<ResetDigest, Email>()
    const emailOf = (email: Email, digest: ResetDigest) => emails.get(digest) ?? email
    return {
      async issueResetToken(id, epoch, offer) {
        const account = await inner.find(id)
        if (account) emails.set(offer.digest, account.email)
        return await inner.issueResetToken(id, epoch, offer)
      },
      holdsResetToken: (email, digest, at) => inner.holdsResetToken(emailOf(email, digest), digest, at),
      consumeResetToken: (input) =>
        inner.consumeResetToken({ ...input, email: emailOf(input.email, input.digest) }),
    }
  }),
  broken('the end of an offer is not looked at', [UNTIL, COPIES], (inner) => ({
    holdsResetToken: (email, digest) => inner.holdsResetToken(email, digest, 0),
    consumeResetToken: (input) => inner.consumeResetToken({ ...input, at: 0 }),
  })),
  broken('the end of an offer is counted in', [UNTIL, COPIES], (inner) => ({
    holdsResetToken: (email, digest, at) => inner.holdsResetToken(email, digest, at - 1),
    consumeResetToken: (input) => inner.consumeResetToken({ ...input, at: input.at - 1 }),
  })),
  broken('an offer is over a moment too soon', [UNTIL], (inner) => ({
    holdsResetToken: (email, digest, at) => inner.holdsResetToken(email, digest, at + 1),
    consumeResetToken: (input) => inner.consumeResetToken({ ...input, at: input.at + 1 }),
  })),
  broken('offers pile up', [ONCE, NEWER, OFFERS, CHANGES], (inner) =>
    withOffers(inner, { keep: (kept, offer) => [...kept, offer] }),
  ),
  broken('the first offer stays', [ONCE, NEWER, CHANGES], (inner) =>
    withOffers(inner, { keep: (kept, offer) => [kept[0] ?? offer] }),
  ),
  broken('an offer voids the one before', [NEWER, TRIES, OFFERS], (inner) =>
    withOffers(inner, { keep: (_, offer) => [offer] }),
  ),
  broken('four offers are kept', [NEWER, TRIES, OFFERS], (inner) =>
    withOffers(inner, { keep: (kept, offer) => [...kept, offer].slice(-4) }),
  ),
  broken('each try of a mail is an offer of its own', [TRIES], (inner) =>
    withOffers(inner, { keep: (kept, offer) => [...kept, offer].slice(-RESET_TOKENS_MAX) }),
  ),
  broken('another try of a mail stays where the first one was', [TRIES], (inner) =>
    withOffers(inner, {
      keep: (kept, offer) => {
        const place = kept.findIndex(({ mailJobId }) => mailJobId === offer.mailJobId)
        return place === -1 ? [...kept, offer].slice(-RESET_TOKENS_MAX) : kept.with(place, offer)
      },
    }),
  ),
  broken('all offers end when the newest one does', [NEWER], (inner) =>
    withOffers(inner, {
      keep: (kept, offer) => [...kept, offer].slice(-3).map((one) => ({ ...one, until: offer.until })),
    }),
  ),
  broken('an offer pushes out those of other accounts', [APART], (inner) => ({
    async issueResetToken(id, epoch, offer) {
      for (const other of await inner.page(undefined, 100)) {
        const nothing = { ...offer, digest: '' as ResetDigest }
        if (other.id !== id) await inner.issueResetToken(other.id, other.epoch, nothing)
      }
      return await inner.issueResetToken(id, epoch, offer)
    },
  })),
  broken('an offer holds across epochs', [ALL, ONCE, PASSWORD, ENABLING, EPOCH, CHANGES, LATE], (inner) =>
    withOffers(inner, {
      isInForce: (offer, account, { at }) =>
        !offer.spent && at < offer.until && account.disabledAt === undefined,
    }),
  ),
  broken('replaceHash voids an offer', [STAYS], (inner) => ({
    async replaceHash(id, expected, next) {
      const answer = await inner.replaceHash(id, expected, next)
      const account = await inner.find(id)
      if (answer === 'replaced' && account) await voidAll(inner, account)
      return answer
    },
  })),
  broken('issueResetToken does not look at the epoch', [STALE, LATE], (inner) => ({
    async issueResetToken(id, _, offer) {
      const account = await inner.find(id)
      return account ? await inner.issueResetToken(id, account.epoch, offer) : 'changed'
    },
  })),
  broken('an offer that comes too late clears the one before', [STALE], (inner) => ({
    async issueResetToken(id, epoch, offer) {
      const answer = await inner.issueResetToken(id, epoch, offer)
      const account = await inner.find(id)
      if (answer === 'changed' && account) await voidAll(inner, account)
      return answer
    },
  })),
  broken('an offer to nobody is made', [STALE], (inner) => ({
    async issueResetToken(id, epoch, offer) {
      return (await inner.find(id)) ? await inner.issueResetToken(id, epoch, offer) : 'issued'
    },
  })),
  broken('a disabled account is offered a reset', [ONCE, DISABLED, CHANGES], (inner) =>
    withOffers(inner, { mayOffer: (account, epoch) => account.epoch === epoch }),
  ),
  broken('an offer is judged, then kept for the epoch of the moment', [LATE], (inner) => ({
    async issueResetToken(id, epoch, offer) {
      if ((await inner.find(id))?.epoch !== epoch) return 'changed'
      await everybodyElse()
      const account = await inner.find(id)
      return account ? await inner.issueResetToken(id, account.epoch, offer) : 'changed'
    },
  })),
  broken('an offer is kept as it was passed in', [COPIES], (inner) => {
    const passedIn = new Map<ResetDigest, IssuedResetToken>()
    return {
      async issueResetToken(id, epoch, offer) {
        passedIn.set(offer.digest, offer)
        return await inner.issueResetToken(id, epoch, offer)
      },
      consumeResetToken: (input) =>
        inner.consumeResetToken({ ...input, digest: passedIn.get(input.digest)?.digest ?? input.digest }),
    }
  }),
  broken('offers are kept under the email', [REMOVAL], (inner) => {
    const offers = new Map<Email, IssuedResetToken>()
    return {
      async issueResetToken(id, epoch, offer) {
        const account = await inner.find(id)
        if (account) offers.set(account.email, offer)
        return await inner.issueResetToken(id, epoch, offer)
      },
      async insert(account) {
        const answer = await inner.insert(account)
        const offer = offers.get(account.email)
        if (answer.kind === 'inserted' && offer) await inner.issueResetToken(answer.id, 1 as Epoch, offer)
        return answer
      },
    }
  }),
  broken('what is held is not what is redeemed', [...IN_FORCE, OFFERS, REMOVAL, DISABLED, LATE], (inner) => ({
    holdsResetToken: async (...ask) => (await inner.holdsResetToken(...ask)) || true,
  })),
  broken('nothing is ever held', [...IN_FORCE, OFFERS], (inner) => ({
    holdsResetToken: async (...ask) => (await inner.holdsResetToken(...ask)) && false,
  })),
  broken('whoever asks whether an offer is held spends it', IN_FORCE, (inner) => ({
    async holdsResetToken(email, digest, at) {
      const held = await inner.holdsResetToken(email, digest, at)
      const account = await inner.findByEmail(email)
      if (held && account) await voidAll(inner, account)
      return held
    },
  })),
]

/** Enough to push all others out. */
const NOTHINGS: readonly IssuedResetToken[] = ['1', '2', '3'].map((mail) => ({
  digest: '' as ResetDigest,
  until: 0,
  mailJobId: mail as MailJobId,
}))

async function voidAll(inner: Accounts, { id, epoch }: Account): Promise<void> {
  for (const nothing of NOTHINGS) await inner.issueResetToken(id, epoch, nothing)
}

type Kept = IssuedResetToken & { readonly epoch: Epoch; spent?: boolean }
type Rules = {
  readonly mayOffer: (account: Account, epoch: Epoch) => boolean
  /** Those that are kept from now on. */
  readonly keep: (kept: readonly Kept[], offer: Kept) => readonly Kept[]
  readonly isInForce: (offer: Kept, account: Account, input: Pick<ResetConsumption, 'at'>) => boolean
  readonly reset: (account: Account, hash: PasswordHash) => Promise<unknown>
}

/** Keeps offers beside the accounts, by the rules of the port but for what `change` says. */
function withOffers(inner: Accounts, change: Partial<Rules>): Partial<Accounts> {
  const kept = new Map<AccountId, readonly Kept[]>()
  const rules: Rules = {
    mayOffer: (account, epoch) => account.epoch === epoch && account.disabledAt === undefined,
    keep: (others, offer) =>
      [...others.filter(({ mailJobId }) => mailJobId !== offer.mailJobId), offer].slice(-RESET_TOKENS_MAX),
    isInForce: (offer, account, { at }) =>
      at < offer.until && account.disabledAt === undefined && account.epoch === offer.epoch,
    reset: ({ id }, hash) => inner.setPassword(id, hash),
    ...change,
  }
  const held = async ({ email, digest, at }: Omit<ResetConsumption, 'hash'>) => {
    const account = await inner.findByEmail(email)
    const offer = account && kept.get(account.id)?.find((one) => one.digest === digest)
    return offer && rules.isInForce(offer, account, { at }) ? { account, offer } : undefined
  }
  return {
    async issueResetToken(id, epoch, offer) {
      const account = await inner.find(id)
      if (!account || !rules.mayOffer(account, epoch)) return 'changed'
      kept.set(id, rules.keep(kept.get(id) ?? [], { ...offer, epoch }))
      return 'issued'
    },
    holdsResetToken: async (email, digest, at) => (await held({ email, digest, at })) !== undefined,
    async consumeResetToken(input) {
      const found = await held(input)
      if (!found) return undefined
      found.offer.spent = true
      await rules.reset(found.account, input.hash)
      return found.account.id
    },
  }
}
