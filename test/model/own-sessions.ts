import { ownOnly } from './accounts.js'
import { isActive, own, type Credentials, type Own } from './sessions.js'
import { done, refused, withoutSession, type Made, type Step } from './world.js'

const list: Step<unknown> = (world, _, { now, note }) => {
  const { account } = note as Own
  const found = Object.entries(world.sessions).filter(
    ([, session]) => session.account === account && isActive(world, session, now),
  )
  const ids = found
    .map(([id]) => id)
    .sort()
    .join()
  return done(world, (answer: string) => answer === ids)
}

export const listSessions: readonly Step<Credentials>[] = [...own, ownOnly, list]

const endOthers: Step<unknown> = (world, _, { now, note }) => {
  const { account, session: keep } = note as Own
  const others = Object.entries(world.sessions).filter(
    ([id, one]) => id !== keep && (one.account === account || one.actor?.account === account),
  )
  const count = others.filter(([, one]) => isActive(world, one, now)).length
  const left = others.reduce((after, [id]) => withoutSession(after, id), world)
  return done(left, (answer: number) => answer === count)
}

export const endOtherSessions: readonly Step<Credentials>[] = [...own, ownOnly, endOthers]

/** A session that is past its end may be there still. */
const endOne: Step<{ readonly session: Made }> = (world, { session: id }, { now, note }) => {
  const session = world.sessions[id]
  if (session?.account !== (note as Own).account) return refused(world, 'not-found')
  const isEnded = !isActive(world, session, now)
  const gone = withoutSession(world, id)
  return isEnded ? [...done(gone), ...refused(gone, 'not-found')] : done(gone)
}

export const endSession: readonly Step<Credentials & { readonly session: Made }>[] = [...own, ownOnly, endOne]
