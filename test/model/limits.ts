import { HOUR, MINUTE, SECOND } from './rules.js'
import type { World } from './world.js'

/** So many attempts by one name, and when they are forgotten. */
export type Counter = { count: number; readonly until: number }

type Count = { readonly name: string; readonly most: number; readonly window: number }

/** An attempt that was counted; `refund` takes it back. */
export type Attempt =
  { readonly kind: 'taken'; refund(): void } | { readonly kind: 'refused'; readonly seconds: number }

/** What LOGIN_LIMIT counts (7.2): one account from one network, one network, one account from anywhere. */
export function attempt(world: World, email: string, network: string): Attempt {
  const { limit } = world.rules
  if (!limit) return { kind: 'taken', refund: () => undefined }
  const { count, window } = limit
  return take(world, [
    { name: `account ${email} from ${network}`, most: count, window },
    { name: `network ${network}`, most: 5 * count, window },
    { name: `account ${email}`, most: 10 * count, window },
  ])
}

/** Asks for resets from one network, where attempts are limited. */
export function askFrom(world: World, network: string): Attempt {
  const { limit } = world.rules
  if (!limit) return { kind: 'taken', refund: () => undefined }
  return take(world, [{ name: `asks from ${network}`, most: 5 * limit.count, window: limit.window }])
}

/** One mail a minute and five an hour for an account, whatever LOGIN_LIMIT says. */
export function mayMail(world: World, email: string): boolean {
  const counts = [
    { name: `mails of a minute to ${email}`, most: 1, window: MINUTE },
    { name: `mails of an hour to ${email}`, most: 5, window: HOUR },
  ]
  return take(world, counts).kind === 'taken'
}

/** Counted under every name, or under none where one of them is at its limit. */
function take({ counters, now }: World, counts: readonly Count[]): Attempt {
  const full = counts.flatMap(({ name, most }) => {
    const found = counters.get(name)
    return found && now < found.until && found.count >= most ? [found.until] : []
  })
  if (full.length > 0) return { kind: 'refused', seconds: Math.ceil((Math.max(...full) - now) / SECOND) }
  const taken = counts.map(({ name, window }) => {
    const found = counters.get(name)
    const counter = found && now < found.until ? found : { count: 0, until: now + window }
    counter.count += 1
    counters.set(name, counter)
    return counter
  })
  return {
    kind: 'taken',
    refund: () => {
      for (const counter of taken) counter.count -= 1
    },
  }
}
