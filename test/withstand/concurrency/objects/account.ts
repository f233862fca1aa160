import type { Specification } from '../specification.js'
import type { Answer } from '../identity.js'

/** What clients, and the operator where no client is said, do with one account. */
export type Input =
  | { readonly kind: 'login' | 'basic'; readonly password: string }
  | { readonly kind: 'get-identity'; readonly session: string }
  | {
      readonly kind: 'change-password'
      readonly session: string
      readonly password: string
      readonly next: string
    }
  | { readonly kind: 'consume'; readonly token: string; readonly next: string }
  | { readonly kind: 'operator sets'; readonly next: string }
  | { readonly kind: 'operator disables' | 'operator enables' | 'operator revokes' }
  | { readonly kind: 'token is issued'; readonly token: string }

export type Output = Answer & { readonly session?: string }

export type State = {
  readonly password: string
  readonly isDisabled: boolean
  /** Those that are active. */
  readonly sessions: readonly string[]
  /** Reset tokens that are good, the oldest first. */
  readonly tokens: readonly string[]
}

type Outcome = readonly [status: number, after: State]

/** The newest three are good. */
const TOKENS = 3

/** One account: its password, its sessions and the tokens that reset its password. */
export const accountSpecification: Specification<State, Input, Output> = {
  initial: { password: 'w1', isDisabled: false, sessions: [], tokens: [] },
  after: (state, input, output) =>
    outcomesOf(state, input)
      .filter(([status]) => output === undefined || status === output.status)
      .map(([, after]) => (output?.session === undefined ? after : withSession(after, output.session))),
  keyOf: ({ password, isDisabled, sessions, tokens }) =>
    `${password} ${String(isDisabled)} ${sessions.join()} ${tokens.join()}`,
  isRead: ({ kind }, { status } = { status: 0 }) =>
    ['get-identity', 'basic'].includes(kind) ||
    (kind === 'login' && status === 401) ||
    ((kind === 'change-password' || kind === 'consume') && status === 400),
  due: (state, input) => {
    const { password, isDisabled, sessions, tokens } = state
    const statuses = outcomesOf(state, input).map(([status]) => status)
    const told = `password ${password}${isDisabled ? ', disabled' : ''}, sessions ${sessions.join() || 'none'}, tokens ${tokens.join() || 'none'}`
    return `the account has ${told}: due is ${statuses.join(' or ')}`
  },
  tell: ({ kind, ...rest }, output) =>
    `${kind} ${Object.values(rest).join(' ')} → ${output ? `${output.status} ${output.session ?? ''}` : 'no answer'}`,
}

function outcomesOf(state: State, input: Input): readonly Outcome[] {
  const { password, isDisabled, sessions, tokens } = state
  const ended = { ...state, sessions: [], tokens: [] }
  switch (input.kind) {
    case 'login':
    case 'basic':
      return [[input.password === password && !isDisabled ? 200 : 401, state]]
    case 'get-identity':
      return [[sessions.includes(input.session) ? 200 : 401, state]]
    case 'change-password':
      return changed(state, input)
    case 'consume':
      if (isDisabled || !tokens.includes(input.token)) return [[400, state]]
      return [[200, { ...ended, password: input.next }]]
    case 'operator sets':
      return [[200, { ...ended, password: input.next }]]
    case 'operator revokes':
      return [[200, ended]]
    case 'operator disables':
      return [[200, isDisabled ? state : { ...ended, isDisabled: true }]]
    case 'operator enables':
      return [[200, isDisabled ? { ...ended, isDisabled: false } : state]]
    case 'token is issued':
      return issued(state, input.token)
  }
}

/**
 * The session is looked at first, then the password is compared, then changed: another call may have ended the session in
 * between. Where it has not changed the password, this one still does, and begins no login.
 */
function changed(
  state: State,
  { session, password, next }: Extract<Input, { kind: 'change-password' }>,
): readonly Outcome[] {
  const isRight = password === state.password && !state.isDisabled
  const after = { ...state, password: next, sessions: [], tokens: [] }
  if (state.sessions.includes(session)) return [isRight ? [200, after] : [400, state]]
  return isRight
    ? [
        [401, state],
        [401, after],
      ]
    : [
        [401, state],
        [400, state],
      ]
}

/** The account is read before: a token that was made for what it was then is not kept, 409 here. */
function issued(state: State, token: string): readonly Outcome[] {
  const tokens = [...state.tokens, token].slice(-TOKENS)
  return [...(state.isDisabled ? [] : [[200, { ...state, tokens }] as const]), [409, state]]
}

function withSession(state: State, session: string): State {
  return { ...state, sessions: [...state.sessions, session].sort() }
}
