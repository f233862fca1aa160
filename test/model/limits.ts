import type { RefusalCode } from '../../src/domain/refusal.js'
import { next, refused, withAccount } from './world.js'
import type { Factor, OperationId, Step, World } from './world.js'

const WINDOW = 15 * 60_000

type Guess = { readonly account: number; readonly network: string }

/** Returns an attempt's three counters with their limits: per account and network, per network, and per account. */
const countsOf = ({ account, network }: Guess, limit: number): readonly (readonly [string, number])[] => [
  [`${account} ${network}`, limit],
  [network, 5 * limit],
  [`${account}`, 10 * limit],
]

type Attempt = readonly { readonly name: string; readonly until: number }[]

/** Counts an attempt when it begins. If a limit is reached, the attempt is refused and no counter changes. */
export const takeAttempt: Step<Guess> = (before, guess, { now }) => {
  const { loginLimit } = before.rules
  if (loginLimit === undefined) return next(before)
  return forgetful(before, now).flatMap((world) => {
    const counts = countsOf(guess, loginLimit).map(([name, most]) => {
      const found = world.attempts[name]
      return { name, most, ...(found && now < found.until ? found : { count: 0, until: now + WINDOW }) }
    })
    if (counts.some(({ count, most }) => count >= most)) return refused(world, 'too-many-attempts')
    const taken = counts.map(({ name, count, until }) => [name, { count: count + 1, until }])
    return next(withCounts(world, taken), counts)
  })
}

/** An instance may forget each window that has ended on its clock, even if the window still runs on another clock. */
function forgetful(world: World, now: number): readonly World[] {
  const all = Object.entries(world.attempts).sort(([, one], [, other]) => one.until - other.until)
  const ended = all.filter(([, { until }]) => until <= now).length
  return Array.from({ length: ended + 1 }, (_, kept) => ({
    ...world,
    attempts: Object.fromEntries(all.slice(ended - kept)),
  }))
}

/** A successful attempt is not counted. */
export const forgive: Step<unknown, { readonly attempt?: Attempt }> = (world, _, { note }) => {
  const { attempt = [], ...login } = note
  const given = attempt.flatMap(({ name, until }) => {
    const found = world.attempts[name]
    return found?.until === until && found.count > 0 ? [[name, { until, count: found.count - 1 }]] : []
  })
  return next(withCounts(world, given), login)
}

const withCounts = (world: World, counts: readonly unknown[][]): World => ({
  ...world,
  attempts: { ...world.attempts, ...(Object.fromEntries(counts) as World['attempts']) },
})

/** A code from an authenticator app, or a recovery code. */
export type Code = { readonly secret: OperationId; readonly step: number } | { readonly recovery: string }

const STEP = 30_000

/** Returns the factor after it has accepted a code, or `undefined` if the code is wrong or was used before. */
function used(factor: Factor, code: Code, now: number): Factor | undefined {
  if ('recovery' in code) {
    const recovery = factor.recovery.filter((one) => one !== code.recovery)
    return recovery.length < factor.recovery.length ? { ...factor, recovery } : undefined
  }
  const isRight = code.secret === factor.secret && isCurrent(code, now) && code.step > factor.lastStep
  return isRight ? { ...factor, lastStep: code.step } : undefined
}

/** Returns whether a code belongs to the current time step or an adjacent time step. */
export const isCurrent = ({ step }: { readonly step: number }, now: number) =>
  Math.abs(Math.floor(now / STEP) - step) <= 1

/** Each code is accepted once. Any wrong code may be refused because of the limit, since the model does not include that limit. */
export const proveCode =
  (refusal: RefusalCode): Step<{ readonly code: Code }, { readonly account: number }> =>
  (world, { code }, { now, note }) => {
    const limited = refused(world, 'too-many-attempts')
    const factor = world.accounts[note.account]?.factor
    const after = factor?.isActive ? used(factor, code, now) : undefined
    if (!factor || !after) return [...limited, ...refused(world, refusal)]
    const proved = { ...note, factor: factor.secret }
    return [...limited, ...next(withAccount(world, note.account, { factor: after }), proved)]
  }
