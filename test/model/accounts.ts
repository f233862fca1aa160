import { rolesOf, startLogin, stateOf, type Credentials } from './sessions.js'
import { done, next, refused, withAccount, type Account, type Step, type World } from './world.js'

export type Login = Credentials & { readonly account: number; readonly password: string }

const checkPassword: Step<Login> = (world, { account: id, password, access }, { now }) => {
  if (access && stateOf(access, now) !== 'valid') return refused(world, 'invalid-token')
  const account = world.accounts[id]
  if (!account || account.disabled || account.password !== password) return refused(world, 'login-failed')
  return next(world, { account: id, epoch: account.epoch, roles: rolesOf(world, id) })
}

export const login = [checkPassword, ...startLogin]

type Named = { readonly account: number }

/** A write of an operator to the account, if there is such an account. */
function onAccount<Input extends Named>(
  change: (world: World, account: Account, input: Input) => ReturnType<Step<Input>>,
): readonly Step<Input>[] {
  return [
    (world, input) => {
      const account = world.accounts[input.account]
      return account ? change(world, account, input) : refused(world, 'not-found')
    },
  ]
}

export const setPassword = onAccount<Named & { readonly password: string }>(
  (world, { epoch }, { account, password }) =>
    done(withAccount(world, account, { password, epoch: epoch + 1 })),
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
