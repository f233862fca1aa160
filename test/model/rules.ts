import { accountRules } from './accounts.js'
import { factorRules, stepUpRules } from './factors-and-step-up.js'
import { ownLoginRules } from './own-login.js'
import { passkeyRules } from './passkeys.js'
import { petRules } from './pets.js'
import { proofRules } from './proofs.js'
import { sessionRules } from './sessions.js'
import type { Step } from './world.js'

const RULES = {
  ...sessionRules,
  ...ownLoginRules,
  ...accountRules,
  ...factorRules,
  ...petRules,
  ...proofRules,
  ...stepUpRules,
  ...passkeyRules,
} satisfies Readonly<Record<string, readonly Step<never, never>[]>>

export type RuleName = keyof typeof RULES

/** The values that all steps of the operation read. */
export type Input<Name extends RuleName> =
  (typeof RULES)[Name][number] extends Step<infer Input, never> ? Input : never

export const stepsOf = (name: RuleName) => RULES[name] as readonly Step<never, never>[]
