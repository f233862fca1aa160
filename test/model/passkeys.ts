import type { RefusalCode } from '../../src/domain/refusal.js'
import { startOfLogin, type Checked } from './accounts.js'
import { ownOnly } from './own-login.js'
import { accountOf, activeFactor, rolesOf, startLogin, type Own, type OwnStep } from './sessions.js'
import { isMet, renewal } from './factors-and-step-up.js'
import { done, enabledAccount, next, refused, without, withRow } from './world.js'
import type { Challenge, OperationId, Step, World } from './world.js'

const MINUTE = 60_000

const issued = (world: World, id: OperationId, challenge: Omit<Challenge, 'until'>, now: number) =>
  done(withRow(world, 'challenges', id, { ...challenge, until: now + 5 * MINUTE }), id)

/** A user may change passkeys for ten minutes after proving their identity. */
const seeFresh: OwnStep = (world, _, { now, note }) => {
  const account = accountOf(world, note)
  if (!account) return refused(world, 'invalid-token')
  const age = 10 * MINUTE
  const condition = account.factor?.isActive ? { fresh: age, factor: age } : { fresh: age }
  return isMet(condition, note.proved, now) ? next(world, note) : refused(world, 'fresh-login-required')
}

const issueOwn =
  (ceremony: 'registration' | 'confirmation'): OwnStep =>
  (world, _, { id, now, note: { session: binding } }) =>
    issued(world, id, { ceremony, binding }, now)

const hasPasskey: OwnStep = (world, _, { note }) =>
  Object.values(world.passkeys).some(({ account }) => account === note.account)
    ? next(world, note)
    : refused(world, 'not-found')

const issueForLogin: Step = (world, _, { id, now }) =>
  issued(world, id, { ceremony: 'login', binding: id }, now)

/** The data that an authenticator signs with a passkey. */
type Response = Readonly<{ challenge: OperationId; passkey: string; counter: number; browser?: OperationId }>

/** A challenge accepts only one response. */
const consume =
  (ceremony: Challenge['ceremony'], refusal: RefusalCode): Step<Response, Partial<Own> | undefined> =>
  (world, { challenge: at, browser }, { now, note }) => {
    const challenge = world.challenges[at]
    if (!challenge) return refused(world, refusal)
    const { binding, until } = challenge
    const isRight = challenge.ceremony === ceremony && binding === (note?.session ?? browser)
    if (!isRight || now >= until) return refused(world, refusal)
    return next(without(world, 'challenges', at), note)
  }

const add: OwnStep<Response> = (world, { passkey, counter }, { note }) => {
  if (!accountOf(world, note)) return refused(world, 'invalid-token')
  if (world.passkeys[passkey]) return refused(world, 'conflict')
  return done(withRow(world, 'passkeys', passkey, { account: note.account, counter }))
}

type Owned = { readonly owner?: number }

const seePasskey: Step<Response, object> = (world, { passkey }, { note }) =>
  next(world, { ...note, owner: world.passkeys[passkey]?.account })

/** A login with a passkey also counts as a login with the second factor. */
const seeOwner: Step<unknown, Owned> = (world, _, { note: { owner: account = 0 } }) => {
  const owner = enabledAccount(world, account)
  if (!owner) return refused(world, 'login-failed')
  const factor = activeFactor(world, account)
  return next(world, { account, epoch: owner.epoch, factor, roles: rolesOf(world, account, factor) })
}

const isOwn =
  (refusal: RefusalCode): Step<unknown, Pick<Own, 'account'> & Owned> =>
  (world, _, { note }) =>
    note.owner === note.account && enabledAccount(world, note.account)
      ? next(world, note)
      : refused(world, refusal)

/** The counter of an authenticator must increase, unless it is always 0. */
const use =
  (refusal: RefusalCode): Step<Response> =>
  (world, { passkey: id, counter }, { note }) => {
    const passkey = world.passkeys[id]
    const isRewound = passkey && counter <= passkey.counter && counter + passkey.counter > 0
    if (!passkey || isRewound) return refused(world, refusal)
    return next(withRow(world, 'passkeys', id, { ...passkey, counter }), note)
  }

const seeFactor: OwnStep = (world, _, { note }) => {
  const account = accountOf(world, note)
  if (!account) return refused(world, 'invalid-token')
  const needsCode = account.factor?.isActive === true
  return next(world, { ...note, needsCode, ...(needsCode && { factor: account.factor.secret }) })
}

/** An account must keep a password or a passkey; otherwise, its owner could not log in. */
const remove: OwnStep<{ readonly passkey: string }> = (world, { passkey }, { note: { account } }) => {
  const own = Object.values(world.passkeys).filter((one) => one.account === account)
  if (world.passkeys[passkey]?.account !== account) return refused(world, 'not-found')
  const isLastWay = own.length === 1 && world.accounts[account]?.password === undefined
  return isLastWay ? refused(world, 'conflict') : done(without(world, 'passkeys', passkey))
}

/** A wrong response from the owner counts as a wrong code; the model does not include the limit for wrong codes. */
const limited: Step = (world, _, { note }) => [...refused(world, 'too-many-attempts'), ...next(world, note)]

/** In a login with the password, a passkey replaces the code. It is ignored if the account has no second factor. */
const asCode =
  (step: Step<never, never>): Step<unknown, Checked | { readonly isOver: true }> =>
  (world, input, moment) => {
    if ('isOver' in moment.note) return []
    return moment.note.withFactor ? step(world, input as never, moment as never) : next(world, moment.note)
  }

const withFactor: Step<unknown, Checked> = (world, _, { note: { withFactor, ...login } }) =>
  next(world, { ...login, ...withFactor })

export const passkeyRules = {
  beginPasskey: [...ownOnly, seeFresh, issueOwn('registration')],
  addPasskey: [...ownOnly, consume('registration', 'invalid'), add],
  beginPasskeyLogin: [issueForLogin],
  loginWithPasskey: [
    seePasskey,
    seeOwner,
    consume('login', 'login-failed'),
    use('login-failed'),
    ...startLogin,
  ],
  loginWithBoth: [
    ...startOfLogin,
    ...[limited, seePasskey, isOwn('login-failed'), consume('login', 'login-failed')].map(asCode),
    ...[use('login-failed'), withFactor].map(asCode),
    ...startLogin,
  ],
  beginPasskeyConfirmation: [...ownOnly, hasPasskey, issueOwn('confirmation')],
  confirmByPasskey: [
    ...[
      ...ownOnly,
      limited,
      seePasskey,
      isOwn('invalid'),
      consume('confirmation', 'invalid'),
      use('invalid'),
    ],
    ...[seeFactor, ...renewal],
  ],
  removePasskey: [...ownOnly, seeFresh, remove],
}
