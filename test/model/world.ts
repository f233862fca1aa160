import type { Rules } from './rules.js'
import type { ModelPet, PetPosition, UsedKey } from './pets.js'
import type { Counter } from './limits.js'
import type { ResetToken } from './resets.js'

/** Roles of the table, beside those that apply by themselves. */
export const ROLES = ['admin', 'project-editor'] as const
export type Role = (typeof ROLES)[number]

/** An account as its owner and the operator know it. */
export type Account = {
  readonly email: string
  readonly id: number
  password: string
  /** Passwords that it had. */
  readonly earlier: string[]
  state: 'enabled' | 'disabled' | 'deleted'
  /** One more with everything that ends all of its logins. */
  epoch: number
  readonly roles: Set<Role>
  readonly resetTokens: ResetToken[]
}

/** One of two accounts on which a login depends: it is over when the account's epoch is another one. */
export type Hold = { readonly account: Account; readonly epoch: number }

/** One login, for as long as it goes on: a session, or in stateless mode what its tokens carry. */
export type Login = Hold & {
  readonly name: string
  /** The absolute end: no refresh moves it. */
  readonly endsAt: number
  /** Who acts as the account, and the end of that login. */
  readonly actor?: Hold & { readonly endsAt: number }
  /** By logout, replay or another login in its place. */
  isEnded: boolean
  /** Its generations; the last one is current. */
  readonly pairs: Pair[]
  /** Until when the previous generation is as good as the current one, exclusive. */
  windowEndsAt: number
}

/** One generation: a pair of tokens, and with sessions a cookie. */
export type Pair = {
  readonly login: Login
  /** 1 at login, one more with every refresh. */
  readonly number: number
  readonly issuedAt: number
  /** The roles that the tokens say, where they say any. */
  readonly roles: ReadonlySet<Role>
  /** From then on it is expired, leeway included. */
  readonly accessEndsAt: number
  readonly refreshEndsAt: number
  /** Where it was asked for; of one that was given out again, the first time. */
  network?: string
  /** What was given out; a pair that was never seen has none. */
  text?: { readonly jwt: string; readonly refreshToken: string; readonly cookie?: string }
}

/** What a client keeps: a browser has one cookie, whatever tokens its tabs have. */
export type Jar = { cookie?: Pair | undefined; tokens?: Pair | undefined }

/** An API key. */
export type ApiKey = { readonly id: number; readonly text: string; isRevoked: boolean }

/** All that the specification lets depend on what was done before. */
export type World = {
  readonly rules: Rules
  now: number
  readonly accounts: Account[]
  readonly logins: Login[]
  /** Everything that was ever given out, for thieves. */
  readonly pairs: Pair[]
  readonly jars: Jar[]
  readonly apiKeys: ApiKey[]
  readonly counters: Map<string, Counter>
  readonly pets: ModelPet[]
  readonly positions: PetPosition[]
  readonly usedKeys: UsedKey[]
  /** Reset tokens that were mailed, for all accounts. */
  readonly mailed: ResetToken[]
  /** Pairs of password and account that HTTP Basic has verified: they may be known for a while. */
  readonly verified: Set<string>
  /** What was done, in readable lines. */
  readonly trace: string[]
}

/** What was there before anything was done. */
export type Beginning = Pick<World, 'rules' | 'now' | 'accounts' | 'apiKeys'>

const CLIENTS = 3

export function newWorld({ rules, now, accounts, apiKeys }: Beginning): World {
  return {
    ...{ rules, now, accounts, apiKeys },
    ...{ logins: [], pairs: [], pets: [], positions: [], usedKeys: [], mailed: [], trace: [] },
    jars: Array.from({ length: CLIENTS }, () => ({})),
    counters: new Map(),
    verified: new Set(),
  }
}

export function newAccount(email: string, id: number, password: string, roles: readonly Role[]): Account {
  return {
    ...{ email, id, password, roles: new Set(roles) },
    ...{ earlier: [], state: 'enabled', epoch: 1, resetTokens: [] },
  }
}

/** Ends all logins of the account and voids its reset tokens. */
export function bumpEpoch(account: Account): void {
  account.epoch += 1
  account.resetTokens.length = 0
}

export function setPassword(account: Account, password: string): void {
  account.earlier.push(account.password)
  account.password = password
  bumpEpoch(account)
}
