import * as accounts from './accounts.js'
import * as factors from './factors.js'
import * as impersonation from './impersonation.js'
import * as ownSessions from './own-sessions.js'
import * as pets from './pets.js'
import * as sessions from './sessions.js'
import type { Step } from './world.js'

const { getIdentity, refresh, logout } = sessions
const { login, setPassword, setDisabled, revokeSessions, setRole } = accounts
const { issueReset, consumeReset, changePassword, deleteAccount } = accounts
const { setUpFactor, confirmFactor, removeFactor, removeUserFactor, renewRecovery } = factors
const { loginAs, logoutAs } = impersonation
const { listSessions, endOtherSessions, endSession } = ownSessions
const { createPet, readPet, patchPet, removePet, createApiKey, revokeApiKey } = pets

const RULES = {
  ...{ login, getIdentity, refresh, logout, setPassword, setDisabled, revokeSessions, setRole },
  ...{ issueReset, consumeReset, changePassword, deleteAccount, listSessions, endOtherSessions, endSession },
  ...{ setUpFactor, confirmFactor, removeFactor, removeUserFactor, renewRecovery, loginAs, logoutAs },
  ...{ createPet, readPet, patchPet, removePet, createApiKey, revokeApiKey },
} satisfies Readonly<Record<string, readonly Step<never>[]>>

export type RuleName = keyof typeof RULES

type Both<Union> = (Union extends unknown ? (value: Union) => void : never) extends (value: infer All) => void
  ? All
  : never
type InputOf<Steps> = Steps extends readonly (infer One)[]
  ? One extends Step<infer Input>
    ? Input
    : never
  : never
/** What all steps of the operation read. */
export type Input<Name extends RuleName> = Both<InputOf<(typeof RULES)[Name]>>

/** The steps of an operation. */
export const stepsOf = (name: RuleName) => RULES[name] as readonly Step<never>[]
