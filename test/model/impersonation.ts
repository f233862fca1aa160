import { endOwn } from './factors.js'
import { openSession, own, type Credentials, type Own, type Proved } from './sessions.js'
import { next, refused, type Step } from './world.js'

type LoginAs = Credentials & { readonly target: number }

const mayActAs: Step<LoginAs> = (world, { target }, { note }) => {
  const { actor, roles, account } = note as Own
  if (actor || !roles.split(',').includes('admin')) return refused(world, 'forbidden')
  return target === account ? refused(world, 'invalid') : next(world, note)
}

const findTarget: Step<LoginAs> = (world, { target: id }, { now, note }) => {
  const target = world.accounts[id]
  if (!target || target.disabled) return refused(world, 'not-found')
  if (target.roles.includes('admin')) return refused(world, 'forbidden')
  const { account, epoch, endsAt } = note as Own
  const until = Math.min(now + world.rules.impersonation, endsAt)
  const other = { account: id, epoch: target.epoch, roles: target.roles.join(), endsAt: until }
  return next(world, { ...(note as Own), other: { ...other, actor: { account, epoch, endsAt } } })
}

/** The login of the other account takes the place of the own login. */
const turn: Step<unknown> = (world, _, { note }) => next(world, (note as { readonly other: Proved }).other)

export const loginAs = [...own, mayActAs, findTarget, endOwn, turn, openSession]

const findActor: Step<unknown> = (world, _, { note }) => {
  const { actor } = note as Own
  if (!actor) return refused(world, 'forbidden')
  const account = world.accounts[actor.account]
  if (!account || account.disabled || account.epoch !== actor.epoch) return refused(world, 'invalid-token')
  if (!account.roles.includes('admin')) return refused(world, 'forbidden')
  const other = { ...actor, roles: account.roles.join() }
  return next(world, { ...(note as Own), other })
}

export const logoutAs = [...own, findActor, endOwn, turn, openSession]
