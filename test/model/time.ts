import { idleEnd, isStateful } from './logins.js'
import type { Login, World } from './world.js'

/** Instants at which something ends, from now on, the nearest first. */
export function comingLimits(world: World): readonly number[] {
  const { now, logins, pairs, counters, usedKeys, accounts } = world
  const all = [
    ...logins.filter(({ isEnded }) => !isEnded).flatMap((login) => endsOf(world, login)),
    ...pairs.flatMap(({ accessEndsAt, refreshEndsAt }) => [accessEndsAt, refreshEndsAt]),
    ...[...counters.values()].map(({ until }) => until),
    ...usedKeys.map(({ endsAt }) => endsAt),
    ...accounts.flatMap(({ resetTokens }) => resetTokens.map(({ endsAt }) => endsAt)),
  ]
  return [...new Set(all)].filter((at) => at > now + 1).sort((one, other) => one - other)
}

function endsOf(world: World, login: Login): readonly number[] {
  const window = login.pairs.length > 1 ? [login.windowEndsAt] : []
  return [...window, login.endsAt, ...(isStateful(world) ? [idleEnd(world, login)] : [])]
}
