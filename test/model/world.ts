import type { RefusalCode } from '../../src/domain/refusal.js'

/** The number of the operation that made a session, a pair of tokens or a key. No operation makes two of a kind. */
export type Made = string

export type Account = {
  readonly password: string
  /** The operation that has set the password: equal passwords have different hashes. */
  readonly hash: Made
  readonly disabled: boolean
  /** Grows with each event that ends all logins of the account. */
  readonly epoch: number
  /** Sorted. */
  readonly roles: readonly string[]
  /** The newest tokens of reset mails, in the order of issue. */
  readonly resets: readonly { readonly token: Made; readonly until: number; readonly epoch: number }[]
  readonly factor?: Factor | undefined
}

/** A second factor, which counts from the moment on at which it is active. */
export type Factor = {
  readonly secret: Made
  readonly begunAt: number
  readonly isActive: boolean
  readonly lastStep: number
  /** Unused recovery codes. */
  readonly recovery: readonly string[]
}

/** The state of a login between two refreshes. */
export type Generation = {
  readonly number: number
  readonly pair: Made
  readonly key: string
  readonly at: number
  readonly accessEndsAt: number
  readonly idleEndsAt: number
}

export type Session = {
  readonly account: number
  readonly epoch: number
  readonly createdAt: number
  readonly endsAt: number
  readonly current: Generation
  /** The secret of the factor with which the login was made. */
  readonly factor?: Made | undefined
  readonly actor?: { readonly account: number; readonly epoch: number; readonly endsAt: number } | undefined
  readonly previous?: { readonly pair: Made; readonly key: string; readonly until: number }
}

/** The whole state that the specification speaks of. It is never changed: each step makes another one. */
export type World = {
  readonly rules: Rules
  readonly accounts: Readonly<Record<number, Account>>
  readonly sessions: Readonly<Record<Made, Session>>
  readonly pets: Readonly<Record<number, Pet>>
  readonly lastPet: number
  readonly idempotencyKeys: Readonly<Record<string, SpentKey>>
  /** Keys that are not revoked. */
  readonly apiKeys: readonly Made[]
  readonly attempts: Readonly<Record<string, { readonly count: number; readonly until: number }>>
}

export type Pet = { readonly name: string; readonly revision: number; readonly age?: number | undefined }
type SpentKey = { readonly name: string; readonly pet: number; readonly until: number }

/** The settings, in milliseconds. */
export type Rules = {
  readonly accessToken: number
  readonly refreshToken: number
  readonly session: number
  readonly grace: number
  readonly sessionLimit: number | undefined
  readonly resetToken: number
  readonly impersonation: number
  /** Wrong passwords for an account from one network, in a quarter of an hour. */
  readonly loginLimit: number | undefined
  /** Whether the role `admin` counts only in a login with a second factor. */
  readonly isFactorNeeded: boolean
}

/** A possible result of a step. A refusal and `done` end the operation; `next` goes on to its next step. */
export type Outcome = {
  readonly world: World
  readonly reply: 'done' | 'next' | RefusalCode
  /** Whether the answer of the operation is right. */
  readonly fits?: ((answer: never) => boolean) | undefined
  /** Possible only for an operation without an answer. */
  readonly ifLost?: true
  /** For the next steps. */
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

export function withoutAccount(world: World, id: number): World {
  const { [id]: _, ...accounts } = world.accounts
  const left = Object.entries(world.sessions).filter(
    ([, one]) => one.account !== id && one.actor?.account !== id,
  )
  return { ...world, accounts, sessions: Object.fromEntries(left) }
}
