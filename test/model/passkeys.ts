import type { RefusalCode } from '../../src/domain/refusal.js'
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

const isOwn: OwnStep<unknown, Owned> = (world, _, { note }) =>
  note.owner === note.account && enabledAccount(world, note.account)
    ? next(world, note)
    : refused(world, 'invalid')

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

const remove: OwnStep<{ readonly passkey: string }> = (world, { passkey }, { note }) =>
  world.passkeys[passkey]?.account === note.account
    ? done(without(world, 'passkeys', passkey))
    : refused(world, 'not-found')

/** A wrong response from the owner counts as a wrong code; the model does not include the limit for wrong codes. */
const limited: OwnStep = (world, _, { note }) => [
  ...refused(world, 'too-many-attempts'),
  ...next(world, note),
]

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
  beginPasskeyConfirmation: [...ownOnly, hasPasskey, issueOwn('confirmation')],
  confirmByPasskey: [
    ...[...ownOnly, limited, seePasskey, isOwn, consume('confirmation', 'invalid'), use('invalid')],
    ...[seeFactor, ...renewal],
  ],
  removePasskey: [...ownOnly, seeFresh, remove],
}
