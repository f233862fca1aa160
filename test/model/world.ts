// The specification as an executable model: each operation is a list of atomic steps on one immutable state (`World`). The linearizability
// checker (test/linearizability) compares this model with the histories of test/simulation.

import type { Ceremony } from '../../src/domain/identity/passkey.js'
import type { PresentedPurpose } from '../../src/domain/identity/proof.js'
import type { RefusalCode } from '../../src/domain/refusal.js'

/** The ID of a session, a token pair or a key, which is the number of the operation that created it. */
export type OperationId = string

export type Account = {
  /** The number in the account's email. */
  readonly email: number
  /** `undefined` if the owner logs in only with passkeys. */
  readonly password: string | undefined
  /** The operation that set the password. The ID identifies the hash, because equal passwords have different hashes. */
  readonly hash: OperationId
  readonly disabled: boolean
  /** Whether the account is disabled until an operator approves its sign-up. */
  readonly waits?: boolean
  /** Increases whenever all logins of the account end. */
  readonly epoch: number
  /** The roles, sorted. */
  readonly roles: readonly string[]
  /** The newest password reset tokens, in the order in which they expire. */
  readonly resets: readonly Readonly<{ token: OperationId; until: number; epoch: number }>[]
  readonly factor?: Factor | undefined
}

/** A second factor, which is required once it is active. */
export type Factor = {
  readonly secret: OperationId
  readonly begunAt: number
  readonly isActive: boolean
  readonly lastStep: number
  /** The unused recovery codes. */
  readonly recovery: readonly string[]
}

/** A login is active until it ends, as long as its account is enabled and still has the login's epoch. */
export type Login = Readonly<{ account: number; epoch: number; endsAt: number }>

/** When the login's owner last proved the password and the second factor. */
export type LoginProof = Readonly<{ at: number; factorAt?: number | undefined }>

export type Session = Login & {
  readonly createdAt: number
  /** The state of a session between two refreshes. */
  readonly current: Readonly<{ number: number; pair: OperationId; key: string; at: number }>
  readonly previous?: Readonly<{ pair: OperationId; key: string; until: number }>
  /** The secret of the factor that was used for the login. */
  readonly factor?: OperationId | undefined
  readonly proved: LoginProof
  /** The number of the generation that the login's last confirmation began. */
  readonly confirmed?: number
  /** The login of the actor, if this login is an impersonation. */
  readonly actor?: Login | undefined
}

/** An email proof. */
export type Proof = Readonly<{
  purpose: PresentedPurpose
  email: number
  until: number
  account?: number | undefined
  /** The proof is invalid if its account has a different epoch. */
  epoch?: number | undefined
  roles?: readonly string[]
  /** The request whose browser can use the code. */
  browser?: OperationId
  /** The number of the last email; it identifies the token and the code in this email. */
  secret?: OperationId
  attempts: number
  /** The epoch that began with the change that the proof can undo. */
  change?: number
}>

/** A passkey challenge, bound to one session or one browser. */
export type Challenge = Readonly<{
  ceremony: Ceremony
  binding: OperationId
  until: number
}>

export type Pet = Readonly<{ name: string; revision: number; age?: number | undefined }>

type Tables = {
  readonly accounts: Readonly<Record<number, Account>>
  readonly sessions: Readonly<Record<OperationId, Session>>
  readonly proofs: Readonly<Record<OperationId, Proof>>
  readonly challenges: Readonly<Record<OperationId, Challenge>>
  readonly passkeys: Readonly<Record<string, Readonly<{ account: number; counter: number }>>>
  readonly pets: Readonly<Record<number, Pet>>
  readonly idempotencyKeys: Readonly<Record<string, Readonly<{ name: string; pet: number; until: number }>>>
  readonly attempts: Readonly<Record<string, Readonly<{ count: number; until: number }>>>
}

/** The specification's whole state, which is immutable: each step returns a new state. */
export type World = Tables & {
  readonly rules: Rules
  readonly lastAccount: number
  readonly lastPet: number
  /** The API keys that are not revoked. */
  readonly apiKeys: readonly OperationId[]
}

/** The settings, in milliseconds. */
export type Rules = {
  readonly accessToken: number
  readonly refreshToken: number
  readonly session: number
  readonly grace: number
  readonly sessionLimit: number | undefined
  readonly resetToken: number
  readonly impersonation: number
  /** The maximum number of wrong passwords for an account from one network within 15 minutes. */
  readonly loginLimit: number | undefined
  /** Whether the role `admin` applies only in a login with a second factor. */
  readonly isFactorNeeded: boolean
  /** Whether an account waits for approval after its sign-up. */
  readonly isApprovalNeeded: boolean
}

/** A possible result of a step. The operation continues after `next`, and ends after `done` or a refusal. */
export type Outcome = {
  readonly world: World
  readonly reply: 'done' | 'next' | RefusalCode
  /** The expected reply of the operation; if absent, any reply is correct. */
  readonly answer?: unknown
  /** This result is possible only if the client gets no reply. */
  readonly ifLost?: true
  /** The value that is passed to the next step. */
  readonly note?: unknown
}

/** The operation that takes the step, and the time on its instance's clock. */
export type Moment<Note = unknown> = Readonly<{ id: OperationId; now: number; note: Note }>

/** One atomic step of an operation: returns all outcomes that the specification allows. */
export type Step<Input = unknown, Note = unknown> = (
  world: World,
  input: Input,
  moment: Moment<Note>,
) => readonly Outcome[]

export const refused = (world: World, reply: RefusalCode): readonly Outcome[] => [{ world, reply }]
export const done = (world: World, answer?: unknown): readonly Outcome[] => [{ world, reply: 'done', answer }]
export const next = (world: World, note?: unknown): readonly Outcome[] => [{ world, reply: 'next', note }]

export function withRow<Name extends keyof Tables>(
  world: World,
  table: Name,
  id: OperationId | number,
  row: Tables[Name][keyof Tables[Name]],
): World {
  return { ...world, [table]: { ...world[table], [id]: row } }
}

export function without(world: World, table: keyof Tables, ...ids: readonly (OperationId | number)[]): World {
  const gone = ids.map(String)
  const left = Object.entries(world[table]).filter(([id]) => !gone.includes(id))
  return { ...world, [table]: Object.fromEntries(left) }
}

export const withAccount = (world: World, id: number, change: Partial<Account>): World =>
  withRow(world, 'accounts', id, { ...(world.accounts[id] as Account), ...change })

/** Returns the IDs of the sessions that satisfy the predicate. */
export const sessionsThat = (
  { sessions }: World,
  holds: (session: Session, id: OperationId) => boolean,
): OperationId[] => Object.keys(sessions).filter((id) => holds(sessions[id] as Session, id))

/** Whether the account is the owner or the actor of the session. */
export const concerns = ({ account, actor }: Session, id: number) => account === id || actor?.account === id

/** The ID of the account that has the email. */
export function accountWith({ accounts }: World, email: number): number | undefined {
  const [id] = Object.entries(accounts).find(([, account]) => account.email === email) ?? []
  return id === undefined ? undefined : Number(id)
}

export function enabledAccount({ accounts }: World, id: number): Account | undefined {
  const account = accounts[id]
  return account?.disabled === false ? account : undefined
}
