import fc from 'fast-check'
import { isStateful } from '../logins.js'
import type { Credential, Presented } from '../presented.js'
import type { Account, Jar, Pair, World } from '../world.js'

/** Which credential a client takes: its own, an earlier one of the same login, any that was ever given out, or none. */
export type Choice =
  | { readonly kind: 'own' | 'none' | 'forged' }
  | { readonly kind: 'earlier'; readonly back: number }
  | { readonly kind: 'any'; readonly index: number }

export type Choices = { readonly cookie: Choice; readonly bearer: Choice }

const OWN = fc.constant<Choice>({ kind: 'own' })
const EARLIER = fc.constantFrom(1, 1, 1, 2, 3).map((back): Choice => ({ kind: 'earlier', back }))
const ANY = fc.nat(30).map((index): Choice => ({ kind: 'any', index }))
const NONE = fc.constant<Choice>({ kind: 'none' })
const FORGED = fc.constant<Choice>({ kind: 'forged' })

const choice = fc.oneof(
  { weight: 12, arbitrary: OWN },
  { weight: 6, arbitrary: EARLIER },
  { weight: 4, arbitrary: ANY },
  { weight: 2, arbitrary: NONE },
  { weight: 1, arbitrary: FORGED },
)

/** Mostly nothing: what only some clients send along. */
export const seldom = fc.oneof(
  { weight: 10, arbitrary: NONE },
  { weight: 2, arbitrary: OWN },
  { weight: 2, arbitrary: ANY },
  { weight: 1, arbitrary: FORGED },
)

/** As many clients as accounts: each is logged in as the one of its number at first. */
export const client = fc.nat(2)
export const account = fc.oneof({ weight: 3, arbitrary: fc.nat(1) }, { weight: 2, arbitrary: fc.nat(2) })
export const index = fc.nat(30)
/** Few networks, so that they are counted. */
export const network = fc.oneof(
  { weight: 5, arbitrary: fc.constant(0) },
  { weight: 1, arbitrary: fc.constant(1) },
)

/** Cookie and bearer of a client: its own, both of one generation as they were stolen, or of whatever goes together. */
export const pairOfChoices = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Choices>({ cookie: { kind: 'own' }, bearer: { kind: 'own' } }) },
  { weight: 3, arbitrary: choice.map((both): Choices => ({ cookie: both, bearer: both })) },
  { weight: 3, arbitrary: fc.record({ cookie: choice, bearer: choice }) },
)

export function at<T>(all: readonly T[], position: number): T | undefined {
  return all.length === 0 ? undefined : all[position % all.length]
}

export function jarOf(world: World, position: number): Jar {
  return world.jars[position % world.jars.length]!
}

export function accountAt(world: World, position: number): Account {
  return world.accounts[position % world.accounts.length]!
}

/** What a pick comes to; without sessions there are no cookies. */
export function picked(world: World, own: Pair | undefined, chosen: Choice): Credential {
  switch (chosen.kind) {
    case 'own':
      return own
    case 'none':
      return undefined
    case 'forged':
      return 'forged'
    case 'earlier':
      return own && own.login.pairs[Math.max(0, own.number - 1 - chosen.back)]
    case 'any':
      return at(world.pairs, chosen.index)
  }
}

export function presentedOf(world: World, jar: Jar, { cookie, bearer }: Choices): Presented {
  return {
    cookie: isStateful(world) ? picked(world, jar.cookie, cookie) : undefined,
    bearer: picked(world, jar.tokens, bearer),
  }
}

/** An address of a history's own: what is counted for it is not there for any other. */
export function addressOf(history: number, position: number): string {
  const number = history * 2 + position
  return [10, (number >> 16) & 255, (number >> 8) & 255, number & 255].join('.')
}
