import type { Action, Attempt, Client, Numbers, Scene } from './clients.js'
import * as operators from './operators.js'
import * as own from './own-account.js'
import * as pets from './pets.js'
import { getIdentity, login, logout, refresh } from './sessions.js'

type Kind = Client['kind']

/** The clients of a history by their places in `CLIENTS`, and their actions; a frequent action is there more often. */
export type Theme = {
  readonly clients: readonly number[]
  readonly actions: Readonly<Partial<Record<Kind, readonly Action[]>>>
  readonly isFactorNeeded?: boolean
  /** Account 1 has a second factor from the beginning. */
  readonly hasFactor?: boolean
  readonly loginLimit?: number
  /** Clocks agree, and mostly only so many of the shortest waits pass: logins last long. */
  readonly calm?: number
  /** The only mishap is a delay of a call behind this call of the same operation. */
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

const { setPassword, setDisabled, revokeSessions, setRole, interfere } = operators
const everyPet = [pets.createPet, pets.patchPet, pets.readPet, pets.patchPet, pets.createPet, pets.removePet]
const theft = [refresh, getIdentity, logout]

const SESSIONS: Theme = {
  clients: [0, 1, 2, 3, 4, 5],
  actions: {
    owner: [getIdentity, refresh, login, logout, refresh, getIdentity, refresh, login],
    thief: theft,
    operator: [setPassword, setDisabled, revokeSessions, setRole, setRole],
  },
}

const OWN_ACCOUNT: Theme = {
  clients: [0, 4, 3, 1, 2],
  actions: {
    owner: [
      ...[own.changePassword, getIdentity, login, own.consumeReset, own.listSessions, own.endOtherSessions],
      ...[refresh, getIdentity, own.changePassword, own.consumeReset, login, own.deleteAccount],
    ],
    thief: [...theft, own.changePassword],
    operator: [operators.issueReset, operators.issueReset, setPassword, setDisabled, revokeSessions],
  },
}

const RESETS: Theme = {
  clients: [0, 3, 4, 3],
  actions: {
    owner: [own.consumeReset, own.consumeReset, login, getIdentity],
    operator: [operators.issueReset, operators.issueReset, operators.issueReset, setPassword, setDisabled],
  },
}

const FACTOR: Theme = {
  clients: [0, 4, 1, 3],
  actions: {
    owner: [
      ...[own.setUpFactor, own.confirmFactor, own.confirmFactor, login, getIdentity, own.removeFactor],
      ...[own.renewRecovery, login, getIdentity, own.setUpFactor, own.confirmFactor, refresh],
    ],
    operator: [setRole, setRole, operators.removeUserFactor, setRole],
  },
  isFactorNeeded: true,
}

/** Some owners log in with codes, often with the same code, while others replace the second factor. */
const ANOTHER_FACTOR: Theme = {
  clients: [0, 4, 3],
  actions: {
    owner: [login, own.enrol, getIdentity, own.enrol, login],
    operator: [operators.removeFirstFactor],
  },
  isFactorNeeded: true,
  calm: 3,
  hasFactor: true,
  delayedAfter: 'secondFactors.find',
}

const CATALOGUE: Theme = {
  clients: [7, 0, 3, 7, 5],
  actions: {
    owner: everyPet,
    program: everyPet,
    operator: [operators.createApiKey, operators.revokeApiKey, setPassword, setDisabled],
  },
}

/** An administrator acts as account 2, and loses the right to it. */
const IMPERSONATION: Theme = {
  clients: [6, 3, 2],
  actions: {
    owner: [own.act, own.act, own.act, own.act, own.act, own.loginAs, own.act, own.act, login, logout],
    thief: theft,
    operator: [interfere, interfere, interfere, interfere, interfere, interfere, setPassword, revokeSessions],
  },
  calm: 8,
}

/** Wrong and right passwords, more than the limit permits. */
const GUESSES: Theme = {
  clients: [0, 1, 4],
  actions: { owner: [login, login, login, getIdentity, login, logout] },
  loginLimit: 2,
}

export const THEMES = [
  ...[SESSIONS, OWN_ACCOUNT, FACTOR, CATALOGUE, IMPERSONATION, RESETS, ANOTHER_FACTOR],
  GUESSES,
]

/** The next action of a client. Without a login it mostly logs in first. */
export function attemptOf(
  { actions: all }: Theme,
  scene: Scene,
  client: Client,
  [kind, ...numbers]: readonly [number, ...Numbers],
): Attempt {
  const actions = all[client.kind] ?? []
  const isOut = client.jar.key === undefined && actions.includes(login) && kind < 240
  const action = isOut ? login : (actions[kind % actions.length] as Action)
  return action(scene, client, numbers)
}
