import type { RefusalCode } from '../../src/domain/refusal.js'

/** The number of the operation that made a session, a pair of tokens or a key: an operation makes at most one of each. */
export type Made = string

export type Account = {
  readonly password: string
  readonly disabled: boolean
  /** Grows with each event that ends all logins of the account. */
  readonly epoch: number
  /** Sorted. */
  readonly roles: readonly string[]
}

/** The state of a login between two refreshes. */
export type Generation = {
  readonly number: number
  readonly pair: Made
  readonly key: string
  readonly at: number
  readonly idleEndsAt: number
}

export type Session = {
  readonly account: number
  readonly epoch: number
  readonly createdAt: number
  readonly endsAt: number
  readonly current: Generation
  readonly previous?: { readonly pair: Made; readonly key: string; readonly until: number }
}

/** The whole state that the specification speaks of. It is never changed: each step makes another one. */
export type World = {
  readonly rules: Rules
  readonly accounts: Readonly<Record<number, Account>>
  readonly sessions: Readonly<Record<Made, Session>>
}

/** The settings, in milliseconds. */
export type Rules = {
  readonly accessToken: number
  readonly refreshToken: number
  readonly session: number
  readonly grace: number
  readonly sessionLimit: number | undefined
}

/** A possible result of a step. A refusal and `done` end the operation; `next` goes on to its next step. */
export type Outcome = {
  readonly world: World
  readonly reply: 'done' | 'next' | RefusalCode
  /** Whether the answer of the operation is right. */
  readonly fits?: ((answer: never) => boolean) | undefined
  /** What the next steps know of this step. */
  readonly note?: unknown
}

/** The operation that takes the step, and the time of its instance. */
export type Moment = { readonly id: Made; readonly now: number; readonly note: unknown }

/** One atomic step of an operation: all outcomes that the specification allows. */
export type Step<Input> = (world: World, input: Input, moment: Moment) => readonly Outcome[]

export const refused = (world: World, reply: RefusalCode): readonly Outcome[] => [{ world, reply }]
export const done = (world: World, fits?: (answer: never) => boolean): readonly Outcome[] => [
  { world, reply: 'done', fits },
]
export const next = (world: World, note?: unknown): readonly Outcome[] => [{ world, reply: 'next', note }]

export function withAccount(world: World, id: number, change: Partial<Account>): World {
  const account = { ...(world.accounts[id] as Account), ...change }
  return { ...world, accounts: { ...world.accounts, [id]: account } }
}

export function withSession(world: World, id: Made, session: Session): World {
  return { ...world, sessions: { ...world.sessions, [id]: session } }
}

export function withoutSession(world: World, id: Made): World {
  const { [id]: _, ...sessions } = world.sessions
  return { ...world, sessions }
}
