import { forgive, proveCode, takeAttempt, type Code } from './limits.js'
import { ownOnly } from './own-login.js'
import { accountOf, openSession, rolesOf, startLogin, stateOf } from './sessions.js'
import type { Credentials, Own, OwnStep, Proved } from './sessions.js'
import {
  accountWith,
  concerns,
  done,
  enabledAccount,
  next,
  refused,
  sessionsThat,
  withAccount,
  without,
} from './world.js'
import type { Account, OperationId, Moment, Outcome, Step, World } from './world.js'

/** An account, identified by its ID or by the number in its email. */
type OfAccount = { readonly account: number }
type Password = { readonly password: string }
type Login = OfAccount & Password & { readonly code?: Code | undefined }

const checkToken: Step<Credentials> = (world, { access }, { now }) =>
  access && stateOf(access, now) !== 'valid' ? refused(world, 'invalid-token') : next(world)

/** Checks the password, and reads the roles that the login gets with and without a second factor. */
const checkPassword: Step<Login> = (world, { account: email, password }, { note: attempt }) => {
  const id = accountWith(world, email) ?? 0
  const account = enabledAccount(world, id)
  if (account?.password !== password) {
    // An attempt that is interrupted is not counted.
    const brokenOff = { world, reply: 'next', ifLost: true, note: { attempt, isOver: true } } as const
    return [brokenOff, ...refused(world, 'login-failed')]
  }
  const { epoch, factor } = account
  const [roles, proved] = [rolesOf(world, id), rolesOf(world, id, factor?.secret)]
  const withFactor = factor?.isActive ? { roles: proved, factor: factor.secret } : undefined
  return next(world, { account: id, epoch, attempt, roles, withFactor })
}

export type Checked = Proved & { readonly withFactor?: Pick<Proved, 'roles' | 'factor'> }

export const checkCode: Step<Pick<Login, 'code'>, Checked> = (world, { code }, { note, ...moment }) => {
  const { withFactor, ...login } = note
  if ('isOver' in login) return []
  if (!withFactor) return next(world, login)
  if (!code) return refused(world, 'second-factor-required')
  return proveCode('login-failed')(world, { code }, { note: { ...login, ...withFactor }, ...moment })
}

/** Creates the steps of an operator's change to an account, which must exist. */
function onAccount<Input extends OfAccount>(
  change: (account: Account, input: Input, id: OperationId) => Partial<Account> | 'not-found' | 'conflict',
): readonly Step<Input>[] {
  return [
    (world, input, { id }) => {
      const account = world.accounts[input.account]
      const changed = account ? change(account, input, id) : 'not-found'
      if (typeof changed === 'string') return refused(world, changed)
      return done(changed === account ? world : withAccount(world, input.account, changed))
    },
  ]
}

const setPassword = onAccount<OfAccount & Password>(({ epoch }, { password }, hash) => ({
  ...{ password, hash, epoch: epoch + 1 },
}))

/** Does not end any logins if the account is already in the requested state. */
const setDisabled = onAccount<OfAccount & { readonly disabled: boolean }>((account, { disabled }) =>
  account.disabled === disabled ? account : { disabled, waits: false, epoch: account.epoch + 1 },
)

const seeWaiting: Step<OfAccount> = (world, { account }) => {
  const found = world.accounts[account]
  if (!found) return refused(world, 'not-found')
  return found.waits ? next(world) : refused(world, 'conflict')
}

/** Conflicts if another call has already enabled the account. */
const approve = onAccount<OfAccount>(({ waits, epoch }) =>
  waits ? { disabled: false, waits: false, epoch: epoch + 1 } : 'conflict',
)

const setRole = onAccount<OfAccount & { readonly role: string; readonly remove: boolean }>(
  ({ roles: before }, { role, remove }) => {
    if (remove && !before.includes(role)) return 'not-found'
    const others = before.filter((one) => one !== role)
    return { roles: remove ? others : [...others, role].sort() }
  },
)

const RESET_TOKENS = 3

/** Sends an email with a token if the account exists and is enabled. */
const issueReset: Step<OfAccount> = (world, { account: email }, { id: token, now }) => {
  const id = accountWith(world, email) ?? 0
  const account = enabledAccount(world, id)
  if (!account) return done(world, '')
  const { epoch, resets } = account
  const current = resets.filter((one) => one.epoch === epoch)
  // Instances may have different clocks; the tokens with the latest expiry remain valid.
  const issued = [...current, { token, until: now + world.rules.resetToken, epoch }]
    .sort((one, other) => one.until - other.until)
    .slice(-RESET_TOKENS)
  return done(withAccount(world, id, { resets: issued }), token)
}

type Reset = OfAccount & Password & { readonly token: OperationId }

const consumeReset: Step<Reset> = (world, { account: email, token, password }, { id: hash, now }) => {
  const id = accountWith(world, email) ?? 0
  const account = enabledAccount(world, id)
  const found = account?.resets.find((one) => one.token === token)
  if (!account || found?.epoch !== account.epoch || now >= found.until) return refused(world, 'invalid')
  return done(withAccount(world, id, { password, hash, epoch: account.epoch + 1, resets: [] }))
}

/** Creates a step that reads the caller's account, and fails if the account's logins have ended. */
function onOwn<Input, Note extends Own = Own>(
  see: (account: Account, input: Input, moment: Moment<Note>, world: World) => readonly Outcome[],
): Step<Input, Note> {
  return (world, input, moment) => {
    const account = accountOf(world, moment.note)
    return account ? see(account, input, moment, world) : refused(world, 'invalid-token')
  }
}

const rolesOfOwn = (world: World, { account, factor }: Own) => rolesOf(world, account, factor)

export const stillOwn = onOwn((_, __, { note }, world) =>
  next(world, { ...note, roles: rolesOfOwn(world, note) }),
)

export const ownPassword = onOwn<Password>(({ password: right, hash }, { password }, { note }, world) =>
  password === right
    ? next(world, { ...note, hash, roles: rolesOfOwn(world, note) })
    : refused(world, 'invalid'),
)

type Change = Password & { readonly newPassword: string }

const newDiffers: Step<Change> = (world, { password, newPassword }, { note }) =>
  password === newPassword ? refused(world, 'invalid') : next(world, note)

/** Starts no new login if another call has ended the logins in the meantime. */
const change: OwnStep<Change, { readonly hash: OperationId }> = (
  world,
  { newPassword: password },
  { id, now, note },
) => {
  const { hash, ...login } = note
  const account = enabledAccount(world, login.account)
  if (account?.hash !== hash) return refused(world, 'invalid')
  const epoch = account.epoch + 1
  const changed = withAccount(world, login.account, { password, hash: id, epoch })
  if (epoch !== login.epoch + 1) return refused(changed, 'invalid-token')
  return next(changed, { ...login, epoch, proved: { ...login.proved, at: now } })
}

/** A wrong password is refused only after the account has been read again. */
const seePassword = onOwn<Password>((account, { password }, { note }, world) =>
  next(world, { ...note, isRight: account.password === password }),
)

const judgePassword = onOwn<unknown, Own & { readonly isRight: boolean }>(({ factor }, _, { note }, world) =>
  note.isRight && !factor?.isActive ? next(world, note) : refused(world, 'invalid'),
)

const remove = onOwn((_, __, { note: { account } }, world) => {
  const its = sessionsThat(world, (one) => concerns(one, account))
  const proofs = Object.entries(world.proofs).filter(([, one]) => one.account === account)
  const left = without(without(world, 'sessions', ...its), 'proofs', ...proofs.map(([id]) => id))
  return done(without(left, 'accounts', account))
})

/** The steps of a login until only the second factor is left to check. */
export const startOfLogin = [checkToken, takeAttempt, checkPassword, forgive]

export const accountRules = {
  login: [...startOfLogin, checkCode, ...startLogin],
  ...{ setPassword, setDisabled, setRole },
  approveUser: [seeWaiting, ...approve],
  revokeSessions: onAccount(({ epoch }) => ({ epoch: epoch + 1 })),
  removeUserFactor: onAccount(() => ({ factor: undefined })),
  issueReset: [issueReset],
  consumeReset: [consumeReset],
  changePassword: [...ownOnly, newDiffers, ownPassword, change, openSession],
  deleteAccount: [...ownOnly, seePassword, judgePassword, remove],
}
