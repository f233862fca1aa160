import type { Account, AccountId, Epoch } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import {
  RESET_TOKENS_MAX,
  type ResetDigest,
  type IssuedResetToken,
} from '../../../src/domain/identity/reset-token.js'
import type { Accounts, ResetConsumption } from '../../../src/ports/accounts.js'
import { breakageOf, everybodyElse, type Breakage } from './breakage.js'

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
const STALE = 'issueResetToken with another epoch is changed and leaves the earlier reset tokens'
const DISABLED = 'issueResetToken of a disabled account is changed'
const COPIES = 'changing a reset token that was passed in changes nothing in the store'
const CHANGES = 'a reset and password changes at once each move the epoch, and the last hash is one of theirs'
const LATE = 'reset tokens that race a password change are void when it is done'

export const brokenPasswordResets: readonly Breakage[] = [
  broken(
    'a reset leaves the password',
    [SETS, FIRST, SPENT, DISABLING, ENABLING, STALE],
    (inner, { sessions }) => withTokens(inner, { reset: ({ id }) => sessions.endAllOf(id) }),
  ),
  broken('a reset sets the password of everybody', [SETS, ENDS, ONCE, NEEDS, CHANGES], (inner) =>
    withTokens(inner, {
      async reset(_, hash) {
        for (const { id } of await inner.page(undefined, 100)) await inner.setPassword(id, hash)
      },
    }),
  ),
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
  broken('a reset token is looked up, then spent', [ONCE, CHANGES], (inner) =>
    withTokens(inner, {
      async reset({ id }, hash) {
        await everybodyElse()
        await inner.setPassword(id, hash)
      },
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
  broken('the end of a reset token is not looked at', [UNTIL, COPIES], (inner) => ({
    holdsResetToken: (email, digest) => inner.holdsResetToken(email, digest, 0),
    consumeResetToken: (input) => inner.consumeResetToken({ ...input, at: 0 }),
  })),
  broken('a reset token voids the one before', [NEWER, TRIES, SIXTEEN], (inner) =>
    withTokens(inner, { keep: (_, token) => [token] }),
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
]

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
