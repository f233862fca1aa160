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
const HARMLESS = 'a reset token is no part of the account, and ends nothing'
const ONCE = 'of 16 resets with one reset token at once exactly one succeeds'
const SPENT = 'a reset token is spent by its reset'
const NEEDS = 'a reset needs the digest of the token and the email of its account'
const UNTIL = 'a reset token is in force strictly before its end'
const NEWER =
  'the newest three reset tokens are in force, each for its own time, and a fourth voids the first'
const ALL = 'a reset with any one of the reset tokens voids them all'
const TRIES = 'a reset token takes the place of the one of the same mail and voids no other'
const APART = 'reset tokens of one account leave those of another alone'
const SIXTEEN = 'of 16 reset tokens at once exactly three are in force'
const PASSWORD = 'another password voids a reset token'
const DISABLING = 'disabling voids a reset token'
const ENABLING = 'enabling brings no reset token back'
const EPOCH = 'endAllOf voids a reset token'
const REMOVAL = 'a reset token goes with its account and does not come back with the email'
const STAYS = 'what moves no epoch leaves a reset token in force'
const STALE = 'issueResetToken with another epoch is changed and leaves the earlier reset tokens'
const DISABLED = 'issueResetToken of a disabled account is changed'
const COPIES = 'changing a reset token that was passed in changes nothing in the store'
const CHANGES = 'a reset and password changes at once each move the epoch, and the last hash is one of theirs'
const LATE = 'reset tokens that race a password change are void when it is done'
/** Every law in which a reset token is consumed that should be good. */
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
    withTokens(inner, { reset: ({ id }) => sessions.endAllOf(id) }),
  ),
  broken('a reset leaves the epoch', [...IN_FORCE, ENDS, ONCE, CHANGES], (inner) =>
    withTokens(inner, {
      reset: ({ id, passwordHash }, hash) => inner.replaceHash(id, passwordHash ?? hash, hash),
    }),
  ),
  broken('a reset moves the epoch by two', [SETS, ONCE, CHANGES], (inner, { sessions }) =>
    withTokens(inner, {
      async reset({ id }, hash) {
        await sessions.endAllOf(id)
        await inner.setPassword(id, hash)
      },
    }),
  ),
  broken('a reset sets the password of everybody', [SETS, ENDS, ONCE, NEEDS, CHANGES], (inner) =>
    withTokens(inner, {
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
    async issueResetToken(id, epoch, token) {
      const account = await inner.find(id)
      return account?.passwordHash === undefined ? 'changed' : await inner.issueResetToken(id, epoch, token)
    },
  })),
  broken('a reset token logs out', [HARMLESS], (inner, { sessions }) => ({
    async issueResetToken(id, epoch, token) {
      await sessions.endAllOf(id)
      return await inner.issueResetToken(id, epoch, token)
    },
  })),
  broken('an account shows its token', [SETS, HARMLESS, ONCE], (inner) => {
    const tokens = new Map<AccountId, IssuedResetToken>()
    return {
      async issueResetToken(id, epoch, token) {
        tokens.set(id, token)
        return await inner.issueResetToken(id, epoch, token)
      },
      async find(id) {
        const account = await inner.find(id)
        const reset = tokens.get(id)
        return account && reset ? { ...account, reset } : account
      },
    }
  }),
  broken('a reset token is looked up, then spent', [ONCE, CHANGES], (inner) =>
    withTokens(inner, {
      async reset({ id }, hash) {
        await everybodyElse()
        await inner.setPassword(id, hash)
      },
    }),
  ),
  broken('a reset token is good as often as one likes', [...IN_FORCE, ONCE, CHANGES, LATE], (inner) =>
    withTokens(inner, {
      isInForce: (token, account, { at }) => at < token.until && account.disabledAt === undefined,
    }),
  ),
  broken('the digest is not looked at', [NEEDS, NEWER, SIXTEEN, STALE], (inner) => {
    const tokens = new Map<Email, ResetDigest>()
    const digestOf = (email: Email, digest: ResetDigest) => tokens.get(email) ?? digest
    return {
      async issueResetToken(id, epoch, token) {
        const account = await inner.find(id)
        if (account) tokens.set(account.email, token.digest)
        return await inner.issueResetToken(id, epoch, token)
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
  broken('a digest alone is enough', [NEEDS], (inner) => {
    const emails = new Map<ResetDigest, Email>()
    const emailOf = (email: Email, digest: ResetDigest) => emails.get(digest) ?? email
    return {
      async issueResetToken(id, epoch, token) {
        const account = await inner.find(id)
        if (account) emails.set(token.digest, account.email)
        return await inner.issueResetToken(id, epoch, token)
      },
      holdsResetToken: (email, digest, at) => inner.holdsResetToken(emailOf(email, digest), digest, at),
      consumeResetToken: (input) =>
        inner.consumeResetToken({ ...input, email: emailOf(input.email, input.digest) }),
    }
  }),
  broken('the end of a reset token is not looked at', [UNTIL, COPIES], (inner) => ({
    holdsResetToken: (email, digest) => inner.holdsResetToken(email, digest, 0),
    consumeResetToken: (input) => inner.consumeResetToken({ ...input, at: 0 }),
  })),
  broken('the end of a reset token is counted in', [UNTIL, COPIES], (inner) => ({
    holdsResetToken: (email, digest, at) => inner.holdsResetToken(email, digest, at - 1),
    consumeResetToken: (input) => inner.consumeResetToken({ ...input, at: input.at - 1 }),
  })),
  broken('a reset token is over a moment too soon', [UNTIL], (inner) => ({
    holdsResetToken: (email, digest, at) => inner.holdsResetToken(email, digest, at + 1),
    consumeResetToken: (input) => inner.consumeResetToken({ ...input, at: input.at + 1 }),
  })),
  broken('tokens pile up', [ONCE, NEWER, SIXTEEN, CHANGES], (inner) =>
    withTokens(inner, { keep: (kept, token) => [...kept, token] }),
  ),
  broken('the first token stays', [ONCE, NEWER, CHANGES], (inner) =>
    withTokens(inner, { keep: (kept, token) => [kept[0] ?? token] }),
  ),
  broken('a reset token voids the one before', [NEWER, TRIES, SIXTEEN], (inner) =>
    withTokens(inner, { keep: (_, token) => [token] }),
  ),
  broken('four reset tokens are kept', [NEWER, TRIES, SIXTEEN], (inner) =>
    withTokens(inner, { keep: (kept, token) => [...kept, token].slice(-4) }),
  ),
  broken('each try of a mail is a reset token of its own', [TRIES], (inner) =>
    withTokens(inner, { keep: (kept, token) => [...kept, token].slice(-RESET_TOKENS_MAX) }),
  ),
  broken('another try of a mail stays where the first one was', [TRIES], (inner) =>
    withTokens(inner, {
      keep: (kept, token) => {
        const place = kept.findIndex(({ mailJobId }) => mailJobId === token.mailJobId)
        return place === -1 ? [...kept, token].slice(-RESET_TOKENS_MAX) : kept.with(place, token)
      },
    }),
  ),
  broken('all reset tokens end when the newest one does', [NEWER], (inner) =>
    withTokens(inner, {
      keep: (kept, token) => [...kept, token].slice(-3).map((one) => ({ ...one, until: token.until })),
    }),
  ),
  broken('a reset token pushes out those of other accounts', [APART], (inner) => ({
    async issueResetToken(id, epoch, token) {
      for (const other of await inner.page(undefined, 100)) {
        const nothing = { ...token, digest: '' as ResetDigest }
        if (other.id !== id) await inner.issueResetToken(other.id, other.epoch, nothing)
      }
      return await inner.issueResetToken(id, epoch, token)
    },
  })),
  broken(
    'a reset token holds across epochs',
    [ALL, ONCE, PASSWORD, ENABLING, EPOCH, CHANGES, LATE],
    (inner) =>
      withTokens(inner, {
        isInForce: (token, account, { at }) =>
          !token.spent && at < token.until && account.disabledAt === undefined,
      }),
  ),
  broken('replaceHash voids a reset token', [STAYS], (inner) => ({
    async replaceHash(id, expected, next) {
      const answer = await inner.replaceHash(id, expected, next)
      const account = await inner.find(id)
      if (answer === 'replaced' && account) await voidAll(inner, account)
      return answer
    },
  })),
  broken('issueResetToken does not look at the epoch', [STALE, LATE], (inner) => ({
    async issueResetToken(id, _, token) {
      const account = await inner.find(id)
      return account ? await inner.issueResetToken(id, account.epoch, token) : 'changed'
    },
  })),
  broken('a reset token that comes too late clears the one before', [STALE], (inner) => ({
    async issueResetToken(id, epoch, token) {
      const answer = await inner.issueResetToken(id, epoch, token)
      const account = await inner.find(id)
      if (answer === 'changed' && account) await voidAll(inner, account)
      return answer
    },
  })),
  broken('a reset token for an unknown account is issued', [STALE], (inner) => ({
    async issueResetToken(id, epoch, token) {
      return (await inner.find(id)) ? await inner.issueResetToken(id, epoch, token) : 'issued'
    },
  })),
  broken('a disabled account gets a reset token', [ONCE, DISABLED, CHANGES], (inner) =>
    withTokens(inner, { mayIssue: (account, epoch) => account.epoch === epoch }),
  ),
  broken('a reset token is judged, then kept for the epoch of the moment', [LATE], (inner) => ({
    async issueResetToken(id, epoch, token) {
      if ((await inner.find(id))?.epoch !== epoch) return 'changed'
      await everybodyElse()
      const account = await inner.find(id)
      return account ? await inner.issueResetToken(id, account.epoch, token) : 'changed'
    },
  })),
  broken('a reset token is kept as it was passed in', [COPIES], (inner) => {
    const passedIn = new Map<ResetDigest, IssuedResetToken>()
    return {
      async issueResetToken(id, epoch, token) {
        passedIn.set(token.digest, token)
        return await inner.issueResetToken(id, epoch, token)
      },
      consumeResetToken: (input) =>
        inner.consumeResetToken({ ...input, digest: passedIn.get(input.digest)?.digest ?? input.digest }),
    }
  }),
  broken('reset tokens are kept under the email', [REMOVAL], (inner) => {
    const tokens = new Map<Email, IssuedResetToken>()
    return {
      async issueResetToken(id, epoch, token) {
        const account = await inner.find(id)
        if (account) tokens.set(account.email, token)
        return await inner.issueResetToken(id, epoch, token)
      },
      async insert(account) {
        const answer = await inner.insert(account)
        const token = tokens.get(account.email)
        if (answer.kind === 'inserted' && token) await inner.issueResetToken(answer.id, 1 as Epoch, token)
        return answer
      },
    }
  }),
  broken(
    'what is held is not what is consumed',
    [...IN_FORCE, SIXTEEN, REMOVAL, DISABLED, LATE],
    (inner) => ({
      holdsResetToken: async (...ask) => (await inner.holdsResetToken(...ask)) || true,
    }),
  ),
  broken('nothing is ever held', [...IN_FORCE, SIXTEEN], (inner) => ({
    holdsResetToken: async (...ask) => (await inner.holdsResetToken(...ask)) && false,
  })),
  broken('asking whether a token is held spends it', IN_FORCE, (inner) => ({
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
  readonly mayIssue: (account: Account, epoch: Epoch) => boolean
  /** Those that are kept from now on. */
  readonly keep: (kept: readonly Kept[], token: Kept) => readonly Kept[]
  readonly isInForce: (token: Kept, account: Account, input: Pick<ResetConsumption, 'at'>) => boolean
  readonly reset: (account: Account, hash: PasswordHash) => Promise<unknown>
}

/** Keeps tokens beside the accounts, by the rules of the port but for what `change` says. */
function withTokens(inner: Accounts, change: Partial<Rules>): Partial<Accounts> {
  const kept = new Map<AccountId, readonly Kept[]>()
  const rules: Rules = {
    mayIssue: (account, epoch) => account.epoch === epoch && account.disabledAt === undefined,
    keep: (others, token) =>
      [...others.filter(({ mailJobId }) => mailJobId !== token.mailJobId), token].slice(-RESET_TOKENS_MAX),
    isInForce: (token, account, { at }) =>
      at < token.until && account.disabledAt === undefined && account.epoch === token.epoch,
    reset: ({ id }, hash) => inner.setPassword(id, hash),
    ...change,
  }
  const held = async ({ email, digest, at }: Omit<ResetConsumption, 'hash'>) => {
    const account = await inner.findByEmail(email)
    const token = account && kept.get(account.id)?.find((one) => one.digest === digest)
    return token && rules.isInForce(token, account, { at }) ? { account, token } : undefined
  }
  return {
    async issueResetToken(id, epoch, token) {
      const account = await inner.find(id)
      if (!account || !rules.mayIssue(account, epoch)) return 'changed'
      kept.set(id, rules.keep(kept.get(id) ?? [], { ...token, epoch }))
      return 'issued'
    },
    holdsResetToken: async (email, digest, at) => (await held({ email, digest, at })) !== undefined,
    async consumeResetToken(input) {
      const found = await held(input)
      if (!found) return undefined
      found.token.spent = true
      await rules.reset(found.account, input.hash)
      return found.account.id
    },
  }
}
