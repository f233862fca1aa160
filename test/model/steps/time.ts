import fc from 'fast-check'
import { step, type Step } from '../play.js'
import { SECOND } from '../rules.js'
import { comingLimits } from '../time.js'
import type { World } from '../world.js'

const PAUSES = [1, SECOND, 5 * SECOND, 60 * SECOND]

/** Time goes on for a little. */
export const pauses: fc.Arbitrary<Step> = fc
  .constantFrom(...PAUSES)
  .map((pause) => step('wait', async (world) => moveTo(world, world.now + pause, 'wait')))

/** To just before, at, or just after the next limit, or one of those that follow. */
export const limits: fc.Arbitrary<Step> = fc
  .record({ position: fc.oneof(fc.nat(2), fc.nat(12)), offset: fc.constantFrom(-1, 0, 1) })
  .map(({ position, offset }) =>
    step('wait for a limit', async (world) => {
      const all = comingLimits(world)
      const limit = all[Math.min(position, all.length - 1)]
      if (limit !== undefined) moveTo(world, limit + offset, `wait for a limit (${offset} ms)`)
    }),
  )

/** The same for the end of a window, if a client's login has one that is open, with a request that depends on it. */
export function atTheEndOfAWindow(request: fc.Arbitrary<Step>): fc.Arbitrary<Step> {
  return fc.record({ offset: fc.constantFrom(-1, 0, 1), then: request }).map(({ offset, then }) =>
    step(`${then.toString()} at the end of a window`, async (world, place) => {
      const refreshed = world.logins.filter(({ isEnded, pairs }) => !isEnded && pairs.length > 1)
      const ends = refreshed.map(({ windowEndsAt }) => windowEndsAt + offset)
      const end = ends.filter((one) => one > world.now).sort((one, other) => one - other)[0]
      if (end !== undefined) moveTo(world, end, `wait for the end of a window (${offset} ms)`)
      await then.run(world, place)
    }),
  )
}

function moveTo(world: World, now: number, line: string): void {
  const gone = now - world.now
  world.now = now
  world.trace.push(`${line}: ${gone / SECOND} s`)
}
