import { ownOnly, ownPassword, stillOwn } from './accounts.js'
import { isCurrent, proveCode, type Code } from './limits.js'
import { openSession, own, rolesOf, type Credentials, type Own } from './sessions.js'
import { done, next, refused, withAccount, withoutSession } from './world.js'
import type { Factor, Made, Step } from './world.js'

const HOUR = 3_600_000

const begin: Step<unknown> = (world, _, { id: secret, now, note }) => {
  const { account: id } = note as Own
  const account = world.accounts[id]
  if (!account) return refused(world, 'invalid-token')
  if (account.factor?.isActive) return refused(world, 'conflict')
  const factor = { secret, begunAt: now, isActive: false, lastStep: 0, recovery: [] }
  return done(withAccount(world, id, { factor }), (answer: Made) => answer === secret)
}

export const setUpFactor = [...own, ownOnly, ownPassword, begin]

type Confirm = Credentials & { readonly code: { readonly secret: Made; readonly step: number } }

const seePending: Step<Confirm> = (world, { code }, { now, note }) => {
  const { account: id } = note as Own
  const factor = world.accounts[id]?.factor
  const limited = refused(world, 'too-many-attempts')
  if (!factor || factor.isActive || now >= factor.begunAt + HOUR)
    return [...limited, ...refused(world, 'conflict')]
  if (factor.secret !== code.secret || !isCurrent(code, now))
    return [...limited, ...refused(world, 'invalid')]
  return [...limited, ...next(world, { ...(note as Own), factor: factor.secret })]
}

const activate: Step<Confirm> = (world, { code }, { id: maker, note }) => {
  const { account: id, factor: secret } = note as Own
  const factor = world.accounts[id]?.factor
  if (!factor || factor.isActive || factor.secret !== secret) return refused(world, 'conflict')
  const active = { ...factor, isActive: true, lastStep: code.step, recovery: recoveryOf(maker) }
  return next(withAccount(world, id, { factor: active }), note)
}

/** Only the call that ends the earlier login begins the next one. */
export const endOwn: Step<unknown> = (world, _, { note }) => {
  const { session, account } = note as Own & { readonly target?: number }
  if (!world.sessions[session] || !world.accounts[account]) return refused(world, 'invalid-token')
  const login = world.sessions[session]
  const isAlive = world.accounts[login.account]?.epoch === login.epoch
  return isAlive ? next(withoutSession(world, session), note) : refused(world, 'invalid-token')
}

/** Roles are seen together with the account. */
const ownWithRoles: Step<unknown> = (world, input, moment) =>
  stillOwn(world, input, moment).map((outcome) => {
    const { account, factor } = moment.note as Own
    return { ...outcome, note: { ...(moment.note as Own), roles: rolesOf(world, account, factor) } }
  })

export const confirmFactor = [
  ...own,
  ownOnly,
  stillOwn,
  seePending,
  activate,
  ownWithRoles,
  endOwn,
  openSession,
]

type Remove = Credentials & { readonly password: string; readonly code: Code }

const isActive: Step<unknown> = (world, _, { note }) =>
  world.accounts[(note as Own).account]?.factor?.isActive ? next(world, note) : refused(world, 'conflict')

const prove: Step<Remove> = (world, { code }, moment) => {
  const { account } = moment.note as Own
  return proveCode(world, { account, code, refusal: 'invalid' }, moment)
}

const remove: Step<unknown> = (world, _, { note }) => {
  const { account: id } = note as Own
  if (!world.accounts[id]?.factor) return refused(world, 'conflict')
  return next(withAccount(world, id, { factor: undefined }), note)
}

const end: Step<unknown> = (world) => done(world)

export const removeFactor = [...own, ownOnly, ownPassword, isActive, prove, remove, stillOwn, end]

const recoveryOf = (maker: Made) => [`${maker} 1`, `${maker} 2`]

/** The code is used up, and all recovery codes are replaced, at one point. */
const renew: Step<Remove> = (world, input, moment) =>
  prove(world, input, moment).flatMap((outcome) => {
    if (outcome.reply !== 'next') return outcome
    const { account: id } = moment.note as Own
    const factor = outcome.world.accounts[id]?.factor as Factor
    const renewed = { ...factor, recovery: recoveryOf(moment.id) }
    return done(withAccount(outcome.world, id, { factor: renewed }))
  })

export const renewRecovery = [...own, ownOnly, ownPassword, isActive, renew]

export const removeUserFactor: readonly Step<{ readonly account: number }>[] = [
  (world, { account: id }) => {
    const account = world.accounts[id]
    return account ? done(withAccount(world, id, { factor: undefined })) : refused(world, 'not-found')
  },
]
