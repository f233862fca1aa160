import * as accounts from './accounts.js'
import * as sessions from './sessions.js'
import type { Step } from './world.js'

const RULES = {
  login: accounts.login,
  getIdentity: sessions.getIdentity,
  refresh: sessions.refresh,
  logout: sessions.logout,
  setPassword: accounts.setPassword,
  setDisabled: accounts.setDisabled,
  revokeSessions: accounts.revokeSessions,
  setRole: accounts.setRole,
} satisfies Readonly<Record<string, readonly Step<never>[]>>

export type RuleName = keyof typeof RULES

type InputOf<Steps> = Steps extends readonly Step<infer Input>[] ? Input : never
export type Input<Name extends RuleName> = InputOf<(typeof RULES)[Name]>

/** The steps of an operation. */
export const stepsOf = (name: RuleName): readonly Step<never>[] => RULES[name]
