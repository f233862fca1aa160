import { isRefusal } from '../../src/domain/refusal.js'
import type { CallTime, Operation, Reply } from '../linearizability/search.js'
import type { Input, RuleName } from '../model/rules.js'
import type { Client } from './clients.js'
import type { Cases } from './instance.js'

/** Every operation on the caller's own login begins with these port calls. */
const OWN = 'sessions.find#1 sessions.find#1 sessions.find#1'
const OPEN = 'sessions.find sessions.end sessions.open*'
const ANOTHER_LOGIN = 'accounts.find sessions.end sessions.end sessions.open*'

/** For each rule, the port calls at which its steps probably take effect, as hints for the search. */
const HINTS = {
  login:
    'attempts.take#1 attempts.take#1 accounts.findByEmail attempts.refund#1 ' + `secondFactors.* ${OPEN}`,
  getIdentity: 'sessions.find sessions.end sessions.end',
  refresh: 'sessions.findById sessions.end sessions.rotate',
  logout: 'sessions.find sessions.end',
  listSessions: `${OWN} sessions.pageOf`,
  endOtherSessions: `${OWN} sessions.endOthers`,
  endSession: `${OWN} sessions.endOne`,
  changePassword: `${OWN} sessions.find#1 accounts.find#1 accounts.changePassword sessions.open*`,
  deleteAccount: `${OWN} accounts.find#1 accounts.find#2 accounts.remove`,
  consumeReset: 'proofs.find proofs.resetPassword',
  setUpFactor: `${OWN} accounts.find#1 secondFactors.begin`,
  confirmFactor:
    `${OWN} accounts.find#1 secondFactors.find secondFactors.activate ` +
    'accounts.find#2 sessions.end sessions.open*',
  renewRecovery: `${OWN} accounts.find#1 secondFactors.find#1 secondFactors.renewRecovery`,
  removeFactor:
    `${OWN} accounts.find#1 secondFactors.find#1 secondFactors.take* ` +
    'secondFactors.remove accounts.find#2 accounts.find#2',
  loginAs: `${OWN} ${ANOTHER_LOGIN}`,
  logoutAs: `sessions.find#1 sessions.find#1 ${ANOTHER_LOGIN}`,
  setPassword: 'accounts.setPassword',
  setDisabled: 'accounts.setDisabled',
  setRole: 'roles.*assign',
  setEmail: 'accounts.changeEmail proofs.listOf proofs.remove#1 proofs.remove#2 proofs.remove',
  approveUser: 'accounts.find accounts.setDisabled',
  revokeSessions: 'sessions.endAllOf',
  removeUserFactor: 'secondFactors.remove',
  issueReset: 'proofs.issue',
  confirmLogin:
    `${OWN} attempts.take#1 accounts.find#1 attempts.refund#1 accounts.find#2 secondFactors.take* ` +
    'sessions.findById sessions.rotate',
  beginPasskey: `${OWN} accounts.find#1 -`,
  addPasskey: `${OWN} attempts.take#1 passkeys.add`,
  beginPasskeyLogin: '-',
  loginWithBoth:
    'accounts.findByEmail#1 accounts.findByEmail#1 accounts.findByEmail#1 accounts.findByEmail#1 attempts.take#1 ' +
    `passkeys.find accounts.find attempts.take#2 passkeys.use passkeys.use ${OPEN}`,
  loginWithPasskey: `passkeys.find accounts.find attempts.take#1 passkeys.use ${OPEN}`,
  beginPasskeyConfirmation: `${OWN} passkeys.listOf -`,
  confirmByPasskey:
    `${OWN} attempts.take#1 passkeys.find accounts.find#1 attempts.take#2 passkeys.use accounts.find#2 ` +
    'sessions.findById sessions.rotate',
  removePasskey: `${OWN} accounts.find#1 passkeys.remove`,
  enterVault: 'sessions.find sessions.end sessions.end',
  enterVaultAlone: '-',
  createApiKey: 'apiKeys.insert',
  revokeApiKey: 'apiKeys.revoke',
  createPet: 'pets.insert',
  readPet: 'pets.find',
  patchPet: 'pets.patch',
  removePet: 'pets.remove',
  requestSignUp: 'proofs.issue proofs.remove',
  requestLoginMail: 'proofs.issue proofs.remove',
  requestEmailChange: `${OWN} sessions.find#1 accounts.find#1 proofs.issue proofs.remove`,
  inviteUser: 'accounts.findByEmail proofs.issue proofs.remove',
  revokeInvitation: 'proofs.remove',
  makeProofMail: 'accounts.findByEmail proofs.re*',
  confirmSignUp: `proofs.*#1 proofs.createAccount accounts.find ${OPEN}`,
  confirmEmailChange: 'proofs.*#1 proofs.changeEmail',
  undoEmailChange: 'proofs.*#1 proofs.undoEmail',
  confirmLoginMail: `proofs.*#1 accounts.find secondFactors.* proofs.consume ${OPEN}`,
} satisfies Record<RuleName, string>

/** The use cases whose names differ from the names of their rules. */
const USE_CASES: Readonly<Partial<Record<RuleName, keyof Cases>>> = {
  ...{ setEmail: 'changeUserEmail', loginWithBoth: 'login' },
  ...{ consumeReset: 'consumeResetToken', issueReset: 'makeMail', setRole: 'assignRole' },
  ...{ listSessions: 'listOwnSessions', endOtherSessions: 'endOwnSessions', endSession: 'endOwnSessions' },
  ...{ setUpFactor: 'setUpSecondFactor', confirmFactor: 'confirmSecondFactor' },
  ...{ makeProofMail: 'makeMail', enterVaultAlone: 'enterVault', confirmByPasskey: 'confirmLogin' },
  ...{ removeFactor: 'removeSecondFactor', renewRecovery: 'renewRecoveryCodes' },
}

/** The sender of a request, with the members that the sender adds to the rule's input (`seen`) and to the request (`sent`). */
export type Sender = {
  readonly seen: object
  readonly sent: (cases: Cases) => object | Promise<object>
  /** The port calls by which the first steps take effect, if these calls depend on the sender. */
  readonly first?: readonly string[]
}

/** The input that the action adds to the sender's input. */
export type Draft<Name extends RuleName> = {
  readonly input?: Partial<Input<Name>>
  /** Further members of the request; by default, the members of `input`. */
  readonly sent?: object
  readonly useCase?: keyof Cases
  /** Remembers a result for later actions, and returns the part of the result that the model also returns. */
  readonly answerOf?: (result: never) => unknown
}

/** The next operation of a client. */
export type Attempt = ReturnType<typeof attempt>

type UseCase = (request: object) => Promise<unknown>

export function attempt<Name extends RuleName>(rule: Name, sender: Sender, draft: Draft<Name> = {}) {
  const { input: added, sent = added, useCase = USE_CASES[rule] ?? rule, answerOf } = draft
  const { seen, sent: sentBy, first = [] } = sender
  return {
    rule,
    input: { ...seen, ...added },
    hints: [...first, ...HINTS[rule].split(' ')],
    call: async (cases: Cases) => {
      const { [useCase]: run } = cases as unknown as Record<typeof useCase, UseCase>
      return await run({ ...(await sentBy(cases)), ...sent })
    },
    answerOf,
  }
}

/** Returns the operation's first line in the history's log. */
export const lineOf = ({ rule, input }: Attempt) => `${rule} ${textOf(input)}`

/** Formats a value for the log of the history. A token is represented by the number of the operation that created it. */
function shown(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return 'pair' in value ? String(value.pair) : `(${textOf(value)})`
}

function textOf(input: object): string {
  const members = Object.entries(input).filter(([, value]) => value !== undefined)
  return members.map(([name, value]) => `${name}=${shown(value)}`).join(' ')
}

/** An operation that is running or has ended. */
export type Running = {
  readonly id: string
  readonly client: Client
  readonly instance: number
  readonly attempt: Attempt
  readonly invoked: number
  completed: number
  reply: Reply
  readonly times: number[]
  /** The port calls that the operation has made. */
  readonly calls: (CallTime & { readonly name: string })[]
  /** Whether a fault was injected into one of the operation's calls. */
  isDisturbed: boolean
}

const UNKNOWN: readonly string[] = ['unavailable', 'overloaded', 'incompatible-store']

/** Only an operation with an injected fault may fail with an unexpected error, which counts as a lost reply. */
export function replyOf(error: unknown, { isDisturbed }: Running): Reply {
  if (isRefusal(error) && !UNKNOWN.includes(error.code)) return { kind: 'refused', code: error.code }
  return isDisturbed ? { kind: 'lost' } : { kind: 'refused', code: `error: ${String(error)}` as never }
}

export function replyText(reply: Reply): string {
  if (reply.kind === 'lost') return 'an error'
  if (reply.kind === 'refused') return `refused, ${reply.code}`
  return reply.answer === undefined ? 'done' : `done ${shown(reply.answer)}`
}

/** Returns the operation in the form that the checker reads. */
export function recordOf(running: Running): Operation {
  const { id, attempt, reply, invoked, completed, times } = running
  const { rule, input } = attempt
  return { id, rule, input, reply, invoked, completed, times, moments: momentsOf(running) }
}

const NOT_A_STEP = ['audit.', 'mailQueue.', 'attempts.', 'hasher.']

/**
 * A step without a port call takes effect together with the step before it. If the reply was lost, steps after the last call never
 * happened.
 */
function momentsOf({
  attempt: { hints },
  calls,
  reply,
  completed,
  times: [now = 0],
}: Running): readonly CallTime[] {
  const found = hints.map((hint) => hinted(calls, hint))
  const taken = reply.kind === 'lost' ? found.findLastIndex((call) => call !== undefined) : hints.length
  const never = { at: completed, now }
  const last = calls.findLast(({ name }) => !NOT_A_STEP.some((start) => name.startsWith(start))) ?? never
  const moments: CallTime[] = []
  for (const [step, call] of found.entries())
    moments.push(call ?? (step > taken ? never : (moments.at(-1) ?? last)))
  // No step may be later than the next step.
  return moments.map((_, step) =>
    moments.slice(step).reduce((first, one) => (one.at < first.at ? one : first)),
  )
}

/**
 * Finds a call by a pattern such as `insert*#2`: `*` matches any characters, and the number selects a matching call, by default the last.
 */
function hinted(calls: Running['calls'], hint: string) {
  const [pattern = '', number] = hint.split('#')
  const [start = '', end] = pattern.split('*')
  const found = calls.filter(({ name }) =>
    end === undefined ? name === start : name.startsWith(start) && name.endsWith(end),
  )
  return number === undefined ? found.at(-1) : found[Number(number) - 1]
}
