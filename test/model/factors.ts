import { ownPassword, stillOwn } from './accounts.js'
import { isCurrent, proveCode, type Code } from './limits.js'
import { endOwn, ownOnly } from './own-login.js'
import { openSession, type OwnStep } from './sessions.js'
import { done, next, refused, withAccount, type Factor, type OperationId, type Step } from './world.js'

const HOUR = 3_600_000

const begin: OwnStep = (world, _, { id: secret, now, note: { account: id } }) => {
  const account = world.accounts[id]
  if (!account) return refused(world, 'invalid-token')
  if (account.factor?.isActive) return refused(world, 'conflict')
  const factor = { secret, begunAt: now, isActive: false, lastStep: 0, recovery: [] }
  return done(withAccount(world, id, { factor }), secret)
}

type Confirm = { readonly code: { readonly secret: OperationId; readonly step: number } }

const seePending: OwnStep<Confirm> = (world, { code }, { now, note }) => {
  const factor = world.accounts[note.account]?.factor
  const limited = refused(world, 'too-many-attempts')
  if (!factor || factor.isActive || now >= factor.begunAt + HOUR)
    return [...limited, ...refused(world, 'conflict')]
  if (factor.secret !== code.secret || !isCurrent(code, now))
    return [...limited, ...refused(world, 'invalid')]
  const proved = { ...note.proved, factorAt: now }
  return [...limited, ...next(world, { ...note, factor: factor.secret, proved })]
}

const activate: OwnStep<Confirm> = (world, { code }, { id: maker, note }) => {
  const factor = world.accounts[note.account]?.factor
  if (!factor || factor.isActive || factor.secret !== note.factor) return refused(world, 'conflict')
  const active = { ...factor, isActive: true, lastStep: code.step, recovery: recoveryOf(maker) }
  return next(withAccount(world, note.account, { factor: active }), note)
}

const recoveryOf = (maker: OperationId) => [`${maker} 1`, `${maker} 2`]

const isActive: OwnStep = (world, _, { note }) =>
  world.accounts[note.account]?.factor?.isActive ? next(world, note) : refused(world, 'conflict')

const prove = proveCode('invalid')

const remove: OwnStep = (world, _, { note }) =>
  world.accounts[note.account]?.factor
    ? next(withAccount(world, note.account, { factor: undefined }), note)
    : refused(world, 'conflict')

const end: Step = (world) => done(world)

/** The code is used up and all recovery codes are replaced in one atomic step. */
const renew: OwnStep<{ readonly code: Code }> = (world, input, moment) =>
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
  removeFactor: [...ownOnly, ownPassword, isActive, prove, remove, stillOwn, end],
  renewRecovery: [...ownOnly, ownPassword, isActive, renew],
}
