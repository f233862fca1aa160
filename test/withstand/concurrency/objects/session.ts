import { OPERATOR } from '../../../../src/domain/access/caller.js'
import {
  credentials,
  END_SESSIONS,
  GET_IDENTITY,
  keep,
  LOGOUT,
  REFRESH,
  sessionIdOf,
  type Held,
} from '../../../support/http/browser.js'
import type { Begin, Step } from '../course.js'
import { freshAccount, loginTo, statusOf, type Answer } from '../identity.js'
import type { Specification } from '../specification.js'

/** Generations are named in the order in which clients saw them. */
type Generation = string

/** A cookie of one generation with a token of the same or another one. */
type Presented = { readonly cookie: Generation; readonly token: Generation }

type Input =
  | ({ readonly kind: 'get-identity' | 'refresh' | 'logout' } & Presented)
  /** From another session of the account. */
  | { readonly kind: 'end from elsewhere' }
  /** The operator ends all of the account. */
  | { readonly kind: 'revoke' }

type Output = Answer & { readonly next?: Generation }

type State = {
  /** The oldest first; the last is the current one. */
  readonly generations: readonly Generation[]
  readonly isActive: boolean
  /** Whether the other session is. */
  readonly isOtherActive: boolean
}

/** A generation that was made by a refresh without an answer. */
const UNSEEN = '(unseen)'

export const sessionSpecification: Specification<State, Input, Output> = {
  initial: { generations: ['g1'], isActive: true, isOtherActive: true },
  after: (state, input, output) => {
    const known = output?.next === undefined ? state : seen(state, output.next)
    return outcomesOf(known, input)
      .filter(([answer]) => output === undefined || isSame(state, answer, output))
      .map(([answer, after]) => (answer.next === NEW ? named(after, output?.next ?? UNSEEN) : after))
  },
  keyOf: ({ generations, isActive, isOtherActive }) =>
    `${generations.slice(-2).join()} ${String(isActive)} ${String(isOtherActive)}`,
  isRead: ({ kind }, output) => kind === 'get-identity' || (kind === 'logout' && output?.status === 401),
  due: (state, input) => {
    const answers = outcomesOf(state, input).map(([{ status, next }]) => `${status} ${next ?? ''}`.trim())
    const [session, other] = [state.isActive, state.isOtherActive].map((one) => (one ? 'active' : 'ended'))
    return `the session is ${session} in ${state.generations.at(-1) ?? ''}, the other ${other}: due is ${answers.join(' or ')}`
  },
  tell: (input, output) =>
    `${input.kind}${'cookie' in input ? ` with cookie ${input.cookie}, token ${input.token}` : ''} → ${output ? `${output.status} ${output.next ?? ''}` : 'no answer'}`,
}

/** In the place of the name that a new generation will have. */
const NEW = '(new)'

type Outcome = readonly [Output, State]

/** What may be answered in a state, and what is after it; the window of grace lasts longer than a history. */
function outcomesOf(state: State, input: Input): readonly Outcome[] {
  const { isActive, isOtherActive } = state
  const ended = { ...state, isActive: false }
  switch (input.kind) {
    case 'revoke':
      return [[{ status: 200 }, { ...ended, isOtherActive: false }]]
    case 'end from elsewhere':
      // Who it is was read before: the other session may have been active then, and not any more.
      return [
        ...(isOtherActive ? [] : [[{ status: 401 }, state] as const]),
        isActive ? [{ status: 200 }, ended] : [{ status: 404 }, state],
      ]
    case 'get-identity':
      return [[{ status: isActive && isGood(state, input.cookie) ? 200 : 401 }, state]]
    case 'logout':
      if (!isActive) return [[{ status: 200 }, state]]
      // A cookie that was good when the logout began ends the session, whatever refreshes have overtaken it.
      return isGood(state, input.cookie)
        ? [[{ status: 200 }, ended]]
        : [
            [{ status: 401 }, state],
            [{ status: 200 }, ended],
          ]
    case 'refresh':
      return [isActive ? refreshed(state, input) : [{ status: 401 }, state]]
  }
}

/** As decisions say of a spent token, and of the cookie that comes with it. */
function refreshed(state: State, { cookie, token }: Presented): Outcome {
  const [current, previous] = [state.generations.at(-1), state.generations.at(-2)]
  const refusal: Output = { status: 401 }
  if (token === current) return isGood(state, cookie) ? [{ status: 200, next: NEW }, state] : [refusal, state]
  if (isGood(state, cookie)) return [{ status: 200, next: current as string }, state]
  return token === previous ? [refusal, state] : [refusal, { ...state, isActive: false }]
}

/** The cookie of the current generation, or of the one before it. */
function isGood({ generations }: State, cookie: Generation): boolean {
  return generations.slice(-2).includes(cookie)
}

function isSame({ generations }: State, allowed: Output, { status, next }: Output): boolean {
  if (allowed.status !== status) return false
  return allowed.next === NEW ? next !== undefined && !generations.includes(next) : allowed.next === next
}

/** What was made without an answer is the first generation that is seen after it and was not there before. */
function seen(state: State, name: Generation): State {
  const { generations } = state
  if (generations.at(-1) !== UNSEEN || generations.includes(name)) return state
  return { ...state, generations: [...generations.slice(0, -1), name] }
}

function named(state: State, name: Generation): State {
  return { ...state, generations: [...state.generations, name] }
}

/** One session that many clients hold, some of them an older generation of it. */
export const beginSession: Begin<State, Input, Output> = async ({ place, calls, random }) => {
  const email = await freshAccount(place)
  const first = await loginTo(place, email)
  const other = await loginTo(place, email)
  const held = new Map<Generation, Held>([['g1', first]])
  const nameOf = (found: Held) => {
    const known = [...held].find(([, { refreshToken }]) => refreshToken === found.refreshToken)
    const name = known?.[0] ?? `g${String(held.size + 1)}`
    held.set(name, found)
    return name
  }
  const presented = (): Presented => {
    const names = [...held.keys()]
    const recent = () => (random.chance(0.93) ? random.pick(names.slice(-2)) : random.pick(names))
    const token = recent()
    return { token, cookie: random.chance(0.8) ? token : recent() }
  }
  const halves = ({ cookie, token }: Presented) => ({
    cookie: held.get(cookie)?.cookie,
    token: held.get(token) as Held,
  })
  const identified = (client: number, kind: 'get-identity' | 'logout'): Step<Input, Output> => {
    const input = { kind, ...presented() }
    const { cookie, token } = halves(input)
    const headers = credentials({ cookie, accessToken: token.accessToken })
    const [method, path] = kind === 'logout' ? (['POST', LOGOUT] as const) : (['GET', GET_IDENTITY] as const)
    const call = { headers, ...(kind === 'logout' && { json: {} }) }
    return { input, run: async () => statusOf(await calls.send(client, method, path, call)) }
  }
  const refresh = (client: number): Step<Input, Output> => {
    const input = { kind: 'refresh', ...presented() } as const
    const { cookie, token } = halves(input)
    const call = { headers: credentials({ cookie }), json: { refreshToken: token.refreshToken } }
    return {
      input,
      run: async () => {
        const reply = await calls.send(client, 'POST', REFRESH, call)
        return reply?.status === 200 ? { status: 200, next: nameOf(keep({}, reply)) } : statusOf(reply)
      },
    }
  }
  const endFromElsewhere = (client: number): Step<Input, Output> => {
    const call = { headers: credentials(other), json: { id: sessionIdOf(first.accessToken) } }
    return {
      input: { kind: 'end from elsewhere' },
      run: async () => statusOf(await calls.send(client, 'POST', END_SESSIONS, call)),
    }
  }
  const revoke: Step<Input, Output> = {
    input: { kind: 'revoke' },
    run: async () => {
      await place.kennel.useCases.revokeSessions({ caller: OPERATOR, email })
      return { status: 200 }
    },
  }
  return {
    specification: sessionSpecification,
    next: (client) => {
      const share = random.next()
      if (share < 0.02) return revoke
      if (share < 0.05) return endFromElsewhere(client)
      if (share < 0.11) return identified(client, 'logout')
      return share < 0.5 ? refresh(client) : identified(client, 'get-identity')
    },
  }
}
