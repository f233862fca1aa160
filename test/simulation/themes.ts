import type { Attempt } from './attempt.js'
import type { Action, Client, Turn } from './clients.js'
import * as mails from './mails.js'
import * as operators from './operators.js'
import * as own from './owners.js'
import * as passkeys from './passkeys.js'
import * as pets from './pets.js'

/** A history's clients, as positions in `CLIENTS`, and the actions for each kind of client. Frequent actions are listed several times. */
export type Theme = Readonly<Partial<Record<Client['kind'], readonly Action[]>>> & {
  readonly clients: readonly number[]
  readonly isFactorNeeded?: boolean
  /** Whether accounts wait for approval after their sign-up. */
  readonly isApprovalNeeded?: boolean
  /** Whether account 1 has a second factor from the beginning. */
  readonly hasFactor?: boolean
  /** Accounts 1 and 2 start with a passkey each. */
  readonly hasPasskeys?: boolean
  /** Whether account 2 has no password. */
  readonly lacksPassword?: boolean
  readonly loginLimit?: number
  /** The number of shortest waits from which most waits are chosen, so that logins last long. If set, all clocks agree. */
  readonly calm?: number
  /** If set, the only injected faults are delays: a call waits until its operation has made the call with this name. */
  readonly delayedAfter?: string
}

export const CLIENTS: readonly Pick<Client, 'name' | 'kind' | 'account' | 'network'>[] = [
  { name: 'tab 1', kind: 'owner', account: 1, network: '10.0.0.1' },
  { name: 'tab 2', kind: 'owner', account: 1, network: '10.0.0.1' },
  { name: 'thief', kind: 'thief', account: 1, network: '10.0.0.9' },
  { name: 'operator', kind: 'operator', account: 1, network: '' },
  { name: 'telephone', kind: 'owner', account: 1, network: '10.0.0.2' },
  { name: 'other user', kind: 'owner', account: 2, network: '10.0.0.3' },
  { name: 'administrator', kind: 'owner', account: 3, network: '10.0.0.4' },
  { name: 'program', kind: 'program', account: 1, network: '10.0.0.5' },
]

const { setPassword, setDisabled, revokeSessions, setRole, interfere, issueReset } = operators
const { login, getIdentity, refresh, logout, changePassword, consumeReset, setUpFactor, confirmFactor } = own
const { confirmLogin, enterVault } = own
const { createApiKey } = operators
const { createPet, readPet, patchPet, removePet } = pets
const { signUp, loginByMail, changeEmail, undoChange, sendMail } = mails
/** Must not be `login` itself: `attemptOf` usually logs a client in first if the list of actions contains `login`. */
const enter: Action = (turn) => login(turn)
const onPets = [createPet, patchPet, readPet, patchPet, createPet, removePet]
const theft = [refresh, getIdentity, logout]

const NAMED = {
  sessions: {
    clients: [0, 1, 2, 3, 4, 5],
    owner: [getIdentity, refresh, login, logout, refresh, getIdentity, refresh, login],
    thief: theft,
    operator: [setPassword, setDisabled, revokeSessions, setRole, setRole],
  },
  ownAccount: {
    clients: [0, 4, 3, 1, 2, 5],
    owner: [
      ...[changePassword, getIdentity, login, consumeReset, own.listSessions, own.endOtherSessions],
      ...[refresh, getIdentity, changePassword, consumeReset, login, own.deleteAccount, own.endSession],
    ],
    thief: [...theft, changePassword],
    operator: [issueReset, issueReset, setPassword, setDisabled, revokeSessions],
  },
  factor: {
    clients: [0, 4, 1, 3],
    owner: [
      ...[setUpFactor, confirmFactor, confirmFactor, login, getIdentity, own.removeFactor],
      ...[own.renewRecovery, login, own.renewRecovery, setUpFactor, confirmFactor, refresh],
    ],
    operator: [setRole, setRole, operators.removeUserFactor, setRole],
    isFactorNeeded: true,
  },
  catalogue: {
    clients: [7, 0, 3, 7, 5],
    ...{ owner: onPets, program: onPets },
    operator: [createApiKey, operators.revokeApiKey, setPassword, setDisabled],
  },
  /** An administrator acts as account 2, and then loses the permission to do so. */
  impersonation: {
    clients: [6, 3, 2],
    owner: [own.act, own.act, own.act, own.act, own.act, own.loginAs, own.act, own.act, login, logout],
    thief: theft,
    operator: [interfere, interfere, interfere, interfere, interfere, interfere, setPassword, revokeSessions],
    calm: 8,
  },
  resets: {
    clients: [0, 3, 4, 3],
    owner: [consumeReset, consumeReset, login, getIdentity],
    operator: [issueReset, issueReset, issueReset, setPassword, setDisabled],
  },
  /** Some owners log in with codes, often with the same code, while others replace the second factor. */
  anotherFactor: {
    clients: [0, 4, 3],
    owner: [login, own.enrol, getIdentity, own.enrol, login],
    operator: [operators.removeFirstFactor],
    isFactorNeeded: true,
    calm: 3,
    hasFactor: true,
    delayedAfter: 'secondFactors.find',
  },
  /** Wrong and right passwords, with more attempts than the limit allows. */
  guesses: {
    clients: [0, 1, 4],
    owner: [login, confirmLogin, login, confirmLogin, getIdentity, confirmLogin],
    loginLimit: 2,
  },
  mails: {
    clients: [0, 4, 3],
    owner: [signUp, loginByMail, signUp, loginByMail, signUp, loginByMail, enter, own.deleteAccount],
    operator: [sendMail, mails.inviteUser, setDisabled, mails.revokeInvitation, sendMail, setPassword],
  },
  /** Guesses of codes, with more attempts than the limit allows. */
  codes: { clients: [0, 4], owner: [signUp, mails.guess, mails.guess, mails.guess, sendMail, mails.guess] },
  emailChanges: {
    clients: [0, 4],
    owner: [
      ...[changeEmail, undoChange, changeEmail, changeEmail, login, undoChange, changeEmail, undoChange],
      ...[changeEmail, loginByMail, setPassword, sendMail, operators.setEmail, operators.setEmail],
    ],
    calm: 8,
  },
  approval: {
    clients: [0, 3, 4, 3],
    owner: [signUp, enter, signUp, enter, loginByMail, signUp],
    operator: [
      sendMail,
      operators.approveUser,
      operators.approveUser,
      operators.setNewDisabled,
      mails.inviteUser,
    ],
    isApprovalNeeded: true,
    calm: 8,
  },
  /** Logins by email also require a second-factor code. */
  factorByMail: {
    clients: [0, 4, 3],
    owner: [loginByMail, loginByMail, getIdentity, loginByMail, loginByMail, own.enrol],
    operator: [sendMail, sendMail, operators.removeFirstFactor, sendMail],
    isFactorNeeded: true,
    calm: 8,
    hasFactor: true,
  },
  /** Actions need a recent proof of the password, or of the second factor. */
  stepUp: {
    clients: [0, 3, 1, 4, 2],
    owner: [
      ...[confirmLogin, enterVault, refresh, enterVault, own.enrol, enterVault, changePassword],
      ...[enterVault, confirmLogin, enterVault, login],
    ],
    thief: [enterVault, refresh, confirmLogin],
    operator: [operators.removeFirstFactor, revokeSessions, operators.removeFirstFactor, setRole],
    calm: 9,
    hasFactor: true,
    delayedAfter: 'sessions.findById',
  },
  /** Actions that need a recent proof, on instances whose clocks differ. */
  stepUpElsewhere: {
    clients: [0, 1, 7, 3, 4],
    owner: [confirmLogin, enterVault, refresh, enterVault, own.enrol, enterVault, login],
    operator: [setRole, setPassword, setDisabled, createApiKey],
    program: [pets.enterVaultAlone],
  },
  /** Passkeys of several authenticators, one of which may be a clone. */
  passkeys: {
    clients: [0, 5, 3, 4],
    owner: [
      ...[passkeys.addPasskey, passkeys.loginWithPasskey, passkeys.addPasskey, passkeys.confirmByPasskey],
      ...[enterVault, passkeys.loginWithPasskey, passkeys.confirmByPasskey, passkeys.removePasskey, login],
      passkeys.loginWithBoth,
    ],
    operator: [setDisabled, setDisabled, operators.removeFirstFactor, setPassword],
    calm: 10,
    ...{ hasFactor: true, hasPasskeys: true },
  },
  /** Account 2 can log in only with a passkey, so it must keep one. */
  noPassword: {
    clients: [5, 5, 3],
    owner: [
      ...[passkeys.loginWithPasskey, passkeys.loginWithPasskey, passkeys.addPasskey],
      ...[passkeys.removePasskey, enter, passkeys.removePasskey],
    ],
    operator: [setPassword],
    calm: 10,
    ...{ hasPasskeys: true, lacksPassword: true },
  },
} satisfies Readonly<Record<string, Theme>>
export type ThemeName = keyof typeof NAMED
export const THEMES: readonly Theme[] = Object.values(NAMED)
export const themeOf = (name: ThemeName): Theme => NAMED[name]

/** Chooses the next action of a client. A client without a login usually logs in first. */
export function attemptOf(theme: Theme, kind: number, turn: Turn): Attempt {
  const { kind: who, jar } = turn.client
  const actions = theme[who] ?? []
  const isOut = jar.key === undefined && actions.includes(login) && kind < 240
  return isOut ? login(turn) : (actions[kind % actions.length] as Action)(turn)
}
