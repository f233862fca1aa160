import { ownPassword, stillOwn } from './accounts.js'
import { forgive, proveCode, takeAttempt, type Code, isCurrent } from './limits.js'
import { own, ownOnly, endOwn } from './own-login.js'
import { authenticate, type PetClient } from './pets.js'
import {
  accountOf,
  isActive,
  isKeyOf,
  issuedBy,
  rotated,
  rolesOf,
  type Credentials,
  type Own,
  type OwnStep,
  openSession,
} from './sessions.js'
import {
  done,
  next,
  refused,
  type Outcome,
  type Step,
  type World,
  withAccount,
  type Factor,
  type OperationId,
} from './world.js'

const AGE = 20_000

/** The condition in the permission file, with ages in milliseconds. */
type Condition = { readonly fresh?: number; readonly factor?: true | number }

/** A custom component's actions, each with the roles that permit it and their conditions. */
export const DOORS: Readonly<Record<string, Readonly<Record<string, Condition>>>> = {
  fresh: { user: { fresh: AGE }, editor: {} },
  code: { user: { factor: AGE } },
  factor: { user: { factor: true } },
  both: { admin: { fresh: AGE, factor: true } },
}

/** A proof is not recent if its time is in the future. */
const isRecent = (at: number | undefined, age: number, now: number) =>
  at !== undefined && Math.abs(now - at) <= age

export const isMet = ({ fresh, factor }: Condition, { at, factorAt }: Own['proved'], now: number) =>
  (fresh === undefined || isRecent(at, fresh, now)) &&
  (factor === undefined || isRecent(factorAt, factor === true ? Infinity : factor, now))

type Visitor = Pick<Own, 'roles'> & { readonly proved?: Own['proved'] | undefined }

/** A caller that has proved nothing, such as an impersonating administrator, meets no condition. */
function open(world: World, door: string, { roles, proved }: Visitor, now: number): readonly Outcome[] {
  const held = ['user', ...roles.split(',')]
  const conditions = Object.entries(DOORS[door] ?? {}).flatMap(([role, one]) =>
    held.includes(role) ? one : [],
  )
  const isOpen = (one: Condition) => Object.keys(one).length === 0 || (proved && isMet(one, proved, now))
  if (conditions.some(isOpen)) return done(world)
  return refused(world, proved && conditions.length > 0 ? 'fresh-login-required' : 'forbidden')
}

type Enter = { readonly door: string }

const enter: OwnStep<Enter> = (world, { door }, { now, note: { roles, proved, actor } }) =>
  open(world, door, { roles, proved: actor ? undefined : proved }, now)

/** Authenticates each request separately, with the current roles. */
const enterAlone: Step<Enter & PetClient> = (world, input, moment) =>
  authenticate(world, input, moment).flatMap((outcome) => {
    const roles = 'apiKey' in input.client ? '' : rolesOf(world, input.client.account)
    return outcome.reply === 'next' ? open(world, input.door, { roles }, moment.now) : outcome
  })

type Confirm = Credentials & {
  readonly password: string
  readonly network: string
  readonly code?: Code | undefined
}

const count: OwnStep<Confirm> = (world, { network }, { note, ...moment }) =>
  takeAttempt(world, { account: note.account, network }, { ...moment, note: undefined }).map((outcome) =>
    outcome.reply === 'next' ? { ...outcome, note: { ...note, attempt: outcome.note } } : outcome,
  )

type Counted = Parameters<typeof forgive>[2]['note'] & { readonly isRight?: boolean }

/** An interrupted attempt, or an attempt without an account, proves nothing. */
const seePassword: OwnStep<Confirm, Counted> = (world, { password }, { note }) => {
  const account = accountOf(world, note)
  const brokenOff: Outcome = { world, reply: 'next', ifLost: true, note }
  return [brokenOff, ...next(world, account ? { ...note, isRight: account.password === password } : note)]
}

/** Counts only attempts with a wrong password. */
const refund: OwnStep<Confirm, Counted> = (world, input, moment) =>
  moment.note.isRight === false ? next(world, moment.note) : forgive(world, input, moment)

const judge: OwnStep<Confirm, Counted> = (world, { code }, { note }) => {
  const account = accountOf(world, note)
  if (!account) return refused(world, 'invalid-token')
  const needsCode = account.factor?.isActive === true
  const isProved = note.isRight && (code || !needsCode)
  return isProved ? next(world, { ...note, needsCode }) : refused(world, 'invalid')
}

type ByCode = { readonly needsCode: boolean }

const checkCode: OwnStep<Confirm, ByCode> = (world, { code }, moment) =>
  moment.note.needsCode && code ? proveCode('invalid')(world, { code }, moment) : next(world, moment.note)

/** Several confirmations with the same cookie share one new generation of the session. */
const seeAgain: OwnStep<Confirm, ByCode> = (world, { key }, { now, note }) => {
  const session = world.sessions[note.session]
  if (!isActive(world, session, now)) return refused(world, 'invalid-token')
  const { confirmed, current, previous } = session
  const isShared = confirmed === current.number && key === previous?.key
  const roles = rolesOf(world, note.account, isShared ? session.factor : note.factor)
  const seen = { ...note, roles }
  return isShared ? done(world, issuedBy(world.rules, session, seen)) : next(world, seen)
}

/** Rotates the session as a refresh does. A late confirmation is refused, but ends no session. */
const renew: OwnStep<Confirm, ByCode> = (world, { key }, { now, id, note }) => {
  const session = world.sessions[note.session]
  if (!isActive(world, session, now) || !isKeyOf(world, session, key, now))
    return refused(world, 'invalid-token')
  const { needsCode, factor } = note
  return rotated(world, note.session, { now, id, note }, (confirmed) =>
    needsCode
      ? { confirmed, proved: { at: now, factorAt: now }, factor }
      : { confirmed, proved: { at: now } },
  )
}

/** The last steps of a confirmation. */
export const renewal = [seeAgain, renew]

export const stepUpRules = {
  enterVault: [...own, enter],
  enterVaultAlone: [enterAlone],
  confirmLogin: [...ownOnly, count, seePassword, refund, judge, checkCode, ...renewal],
}

const HOUR = 3_600_000

const begin: OwnStep = (world, _, { id: secret, now, note: { account: id } }) => {
  const account = world.accounts[id]
  if (!account) return refused(world, 'invalid-token')
  if (account.factor?.isActive) return refused(world, 'conflict')
  const factor = { secret, begunAt: now, isActive: false, lastStep: 0, recovery: [] }
  return done(withAccount(world, id, { factor }), secret)
}

type Confirmation = { readonly code: { readonly secret: OperationId; readonly step: number } }

const seePending: OwnStep<Confirmation> = (world, { code }, { now, note }) => {
  const factor = world.accounts[note.account]?.factor
  const limited = refused(world, 'too-many-attempts')
  if (!factor || factor.isActive || now >= factor.begunAt + HOUR)
    return [...limited, ...refused(world, 'conflict')]
  if (factor.secret !== code.secret || !isCurrent(code, now))
    return [...limited, ...refused(world, 'invalid')]
  const proved = { ...note.proved, factorAt: now }
  return [...limited, ...next(world, { ...note, factor: factor.secret, proved })]
}

const activate: OwnStep<Confirmation> = (world, { code }, { id: maker, note }) => {
  const factor = world.accounts[note.account]?.factor
  if (!factor || factor.isActive || factor.secret !== note.factor) return refused(world, 'conflict')
  const active = { ...factor, isActive: true, lastStep: code.step, recovery: recoveryOf(maker) }
  return next(withAccount(world, note.account, { factor: active }), note)
}

const recoveryOf = (maker: OperationId) => [`${maker} 1`, `${maker} 2`]

const hasFactor: OwnStep = (world, _, { note }) =>
  world.accounts[note.account]?.factor?.isActive ? next(world, note) : refused(world, 'conflict')

const prove = proveCode('invalid')

const remove: OwnStep = (world, _, { note }) =>
  world.accounts[note.account]?.factor
    ? next(withAccount(world, note.account, { factor: undefined }), note)
    : refused(world, 'conflict')

const end: Step = (world) => done(world)

/** The code is used up and all recovery codes are replaced in one atomic step. */
const renewCodes: OwnStep<{ readonly code: Code }> = (world, input, moment) =>
  prove(world, input, moment).flatMap((outcome) => {
    if (outcome.reply !== 'next') return outcome
    const { account: id } = moment.note
    const factor = outcome.world.accounts[id]?.factor as Factor
    const renewed = { ...factor, recovery: recoveryOf(moment.id) }
    return done(withAccount(outcome.world, id, { factor: renewed }))
  })

export const factorRules = {
  setUpFactor: [...ownOnly, ownPassword, begin],
  confirmFactor: [...ownOnly, stillOwn, seePending, activate, stillOwn, endOwn, openSession],
  removeFactor: [...ownOnly, ownPassword, hasFactor, prove, remove, stillOwn, end],
  renewRecovery: [...ownOnly, ownPassword, hasFactor, renewCodes],
}
