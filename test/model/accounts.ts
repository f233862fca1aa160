import { own, openSession, rolesOf, startLogin, stateOf } from './sessions.js'
import type { Credentials, Own, Proved } from './sessions.js'
import { done, next, refused, withAccount, withoutAccount } from './world.js'
import type { Account, Made, Outcome, Step, World } from './world.js'
import { forgive, proveCode, takeAttempt, type Code } from './limits.js'

export type Login = Credentials & {
  readonly account: number
  readonly password: string
  readonly network: string
  readonly code?: Code | undefined
}

const checkToken: Step<Login> = (world, { access }, { now }) =>
  access && stateOf(access, now) !== 'valid' ? refused(world, 'invalid-token') : next(world)

/** The roles are read together with the password: the roles of a login without a second factor, and with it. */
const checkPassword: Step<Login> = (world, { account: id, password }, { note: attempt }) => {
  const account = world.accounts[id]
  if (!account || account.disabled || account.password !== password) {
    // An attempt that breaks off is not counted.
    const brokenOff = { world, reply: 'next', ifLost: true, note: { attempt, isOver: true } } as const
    return [brokenOff, ...refused(world, 'login-failed')]
  }
  const { epoch, factor } = account
  const [roles, proved] = [rolesOf(world, id), rolesOf(world, id, factor?.secret)]
  const withFactor = factor?.isActive ? { roles: proved } : undefined
  return next(world, { account: id, epoch, attempt, roles, withFactor })
}

const checkCode: Step<Login> = (world, { code }, { note, ...moment }) => {
  const { withFactor, ...login } = note as Proved & { readonly withFactor?: Pick<Proved, 'roles'> }
  if ('isOver' in login) return []
  if (!withFactor) return next(world, login)
  if (!code) return refused(world, 'second-factor-required')
  const proof = { account: login.account, code, refusal: 'login-failed' } as const
  return proveCode(world, proof, { note: { ...login, ...withFactor }, ...moment })
}

export const login = [checkToken, takeAttempt, checkPassword, forgive, checkCode, ...startLogin]

type Named = { readonly account: number }

/** A write of an operator to the account, if there is such an account. */
function onAccount<Input extends Named>(
  change: (world: World, account: Account, input: Input, id: Made) => readonly Outcome[],
): readonly Step<Input>[] {
  return [
    (world, input, { id }) => {
      const account = world.accounts[input.account]
      return account ? change(world, account, input, id) : refused(world, 'not-found')
    },
  ]
}

export const setPassword = onAccount<Named & { readonly password: string }>(
  (world, { epoch }, { account, password }, hash) =>
    done(withAccount(world, account, { password, hash, epoch: epoch + 1 })),
)

/** An account that is in this state already keeps its logins. */
export const setDisabled = onAccount<Named & { readonly disabled: boolean }>(
  (world, { epoch, disabled: before }, { account, disabled }) =>
    done(before === disabled ? world : withAccount(world, account, { disabled, epoch: epoch + 1 })),
)

export const revokeSessions = onAccount((world, { epoch }, { account }) =>
  done(withAccount(world, account, { epoch: epoch + 1 })),
)

export const setRole = onAccount<Named & { readonly role: string; readonly remove: boolean }>(
  (world, { roles: before }, { account, role, remove }) => {
    if (remove && !before.includes(role)) return refused(world, 'not-found')
    const others = before.filter((one) => one !== role)
    return done(withAccount(world, account, { roles: remove ? others : [...others, role].sort() }))
  },
)

const RESET_TOKENS = 3

/** The mail with a token; without an enabled account there is no mail. */
export const issueReset: readonly Step<Named>[] = [
  (world, { account: id }, { id: token, now }) => {
    const account = world.accounts[id]
    if (!account || account.disabled) return done(world, (answer: string) => answer === '')
    const { epoch, resets } = account
    const issued = [...resets, { token, until: now + world.rules.resetToken, epoch }].slice(-RESET_TOKENS)
    return done(withAccount(world, id, { resets: issued }), (answer: string) => answer === token)
  },
]

export const consumeReset: readonly Step<Named & { readonly token: Made; readonly password: string }>[] = [
  (world, { account: id, token, password }, { id: hash, now }) => {
    const account = world.accounts[id]
    const found = account?.resets.find((one) => one.token === token)
    if (!account || account.disabled || found?.epoch !== account.epoch || now >= found.until)
      return refused(world, 'invalid')
    return done(withAccount(world, id, { password, hash, epoch: account.epoch + 1, resets: [] }))
  },
]

type OwnPassword = Credentials & { readonly password: string }

/** The account of the login, unless its logins have ended since. */
function ownAccount({ accounts }: World, { account: id, epoch }: Own): Account | undefined {
  const account = accounts[id]
  return account && !account.disabled && account.epoch === epoch ? account : undefined
}

/** Refused while another account acts. */
export const ownOnly: Step<unknown> = (world, _, { note }) =>
  (note as Own).actor ? refused(world, 'forbidden') : next(world, note)

export const stillOwn: Step<unknown> = (world, _, { note }) =>
  ownAccount(world, note as Own) ? next(world, note) : refused(world, 'invalid-token')

export const ownPassword: Step<OwnPassword> = (world, { password }, { note }) => {
  const account = ownAccount(world, note as Own)
  if (!account) return refused(world, 'invalid-token')
  if (account.password !== password) return refused(world, 'invalid')
  const { factor } = note as Own
  const roles = rolesOf(world, (note as Own).account, factor)
  return next(world, { ...(note as Own), hash: account.hash, roles })
}

type Change = OwnPassword & { readonly newPassword: string }

const newDiffers: Step<Change> = (world, { password, newPassword }, { note }) =>
  password === newPassword ? refused(world, 'invalid') : next(world, note)

/** The write decides; if another call has ended the logins meanwhile, no new login begins. */
const change: Step<Change> = (world, { newPassword: password }, { id, note }) => {
  const { account: number, hash, epoch: before, ...login } = note as Own & { readonly hash: Made }
  const account = world.accounts[number]
  if (!account || account.disabled || account.hash !== hash) return refused(world, 'invalid')
  const epoch = account.epoch + 1
  const changed = withAccount(world, number, { password, hash: id, epoch })
  if (epoch !== before + 1) return refused(changed, 'invalid-token')
  return next(changed, { ...login, account: number, epoch })
}

export const changePassword = [...own, ownOnly, newDiffers, ownPassword, change, openSession]

const remove: Step<unknown> = (world, _, { note }) => {
  const { account, epoch } = note as Own
  const isOwn = world.accounts[account]?.epoch === epoch
  return isOwn ? done(withoutAccount(world, account)) : refused(world, 'invalid-token')
}

/** A wrong password is refused after the account was seen once more. */
const seePassword: Step<OwnPassword> = (world, { password }, { note }) => {
  const account = ownAccount(world, note as Own)
  return account
    ? next(world, { ...(note as Own), isRight: account.password === password })
    : refused(world, 'invalid-token')
}

const judgePassword: Step<unknown> = (world, _, { note }) => {
  const account = ownAccount(world, note as Own)
  if (!account) return refused(world, 'invalid-token')
  const { isRight } = note as { readonly isRight: boolean }
  return isRight && !account.factor?.isActive ? next(world, note) : refused(world, 'invalid')
}

export const deleteAccount = [...own, ownOnly, seePassword, judgePassword, remove]
