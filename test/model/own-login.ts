import { accountOf, endLapsed, isActive, openedBy, openSession, ownOf, stateOf } from './sessions.js'
import type { Credentials, OwnStep, Proved } from './sessions.js'
import { concerns, done, enabledAccount, next, refused, sessionsThat, without } from './world.js'
import type { OperationId, Step } from './world.js'

/** A request is authenticated only if its cookie and its bearer token belong to the same session. */
const proveLogin: Step<Credentials> = (world, { key, access }, { now }) => {
  if (access === undefined && key === undefined) return refused(world, 'unauthenticated')
  const id = openedBy(world, key, now)
  if (id === undefined || id !== access?.session || stateOf(access, now) !== 'valid')
    return refused(world, 'invalid-token')
  return next(world, ownOf(world, id))
}

/** The first steps of an operation on the caller's own login, even while another account impersonates the owner. */
export const own = [proveLogin, endLapsed]

const withoutActor: OwnStep = (world, _, { note }) =>
  note.actor ? refused(world, 'forbidden') : next(world, note)

/** The first steps of an operation that is refused during an impersonation. */
export const ownOnly = [...own, withoutActor]

/** Ends the earlier login; if another call has already ended it, no new login begins. */
export const endOwn: OwnStep = (world, _, { note }) => {
  const login = world.sessions[note.session]
  const isAlive = login && world.accounts[note.account] && accountOf(world, login)
  return isAlive ? next(without(world, 'sessions', note.session), note) : refused(world, 'invalid-token')
}

const seeIdentity: OwnStep = (world, _, { note: { account, session, roles, actor } }) =>
  done(world, { account, session, roles, actor: actor?.account ?? 0 })

const list: OwnStep = (world, _, { now, note: { account } }) => {
  const ids = sessionsThat(world, (one) => one.account === account && isActive(world, one, now))
  return done(world, ids.sort().join())
}

const endOthers: OwnStep = (world, _, { now, note: { account, session } }) => {
  const others = sessionsThat(world, (one, id) => id !== session && concerns(one, account))
  const count = others.filter((id) => isActive(world, world.sessions[id], now)).length
  return done(without(world, 'sessions', ...others), count)
}

/** A session that has ended may still be stored. */
const endOne: OwnStep<{ readonly session: OperationId }> = (world, { session: id }, { now, note }) => {
  const session = world.sessions[id]
  if (session?.account !== note.account) return refused(world, 'not-found')
  const gone = without(world, 'sessions', id)
  return isActive(world, session, now) ? done(gone) : [...done(gone), ...refused(gone, 'not-found')]
}

type LoginAs = { readonly target: number }

const mayActAs: OwnStep<LoginAs> = (world, { target }, { note }) => {
  if (note.actor || !note.roles.split(',').includes('admin')) return refused(world, 'forbidden')
  return target === note.account ? refused(world, 'invalid') : next(world, note)
}

const findTarget: OwnStep<LoginAs> = (world, { target: id }, { now, note }) => {
  const target = enabledAccount(world, id)
  if (!target) return refused(world, 'not-found')
  if (target.roles.includes('admin')) return refused(world, 'forbidden')
  const { account, epoch, endsAt } = note
  const until = Math.min(now + world.rules.impersonation, endsAt)
  const other = { account: id, epoch: target.epoch, roles: target.roles.join(), endsAt: until }
  return next(world, { ...note, other: { ...other, actor: { account, epoch, endsAt } } })
}

/** The login that resumes after an impersonation has no recent proof of identity. */
const NEVER = { at: 0 }

const findActor: OwnStep = (world, _, { note }) => {
  if (!note.actor) return refused(world, 'forbidden')
  const account = accountOf(world, note.actor)
  if (!account) return refused(world, 'invalid-token')
  if (!account.roles.includes('admin')) return refused(world, 'forbidden')
  const other = { ...note.actor, roles: account.roles.join(), proved: NEVER }
  return next(world, { ...note, other })
}

/** Replaces the caller's own login with the other account's login. */
const turn: Step<unknown, { readonly other: Proved }> = (world, _, { note }) => next(world, note.other)

export const ownLoginRules = {
  getIdentity: [...own, seeIdentity],
  listSessions: [...ownOnly, list],
  endOtherSessions: [...ownOnly, endOthers],
  endSession: [...ownOnly, endOne],
  loginAs: [...own, mayActAs, findTarget, endOwn, turn, openSession],
  logoutAs: [...own, findActor, endOwn, turn, openSession],
}
