import { LOGIN } from '../../../support/http/browser.js'
import type { Begin, Step } from '../course.js'
import type { Operation } from '../history.js'
import { statusOf, type Answer } from '../identity.js'
import type { Specification } from '../specification.js'
import { namesOf, type Attempt, type Counts } from './login-counts.js'
import { loginScene } from './login-scene.js'

/**
 * A login counts before the password is looked at, and is refunded after it where it was right. These are two steps, and
 * others may see what is between them.
 */
type Input =
  | ({ readonly kind: 'login' } & Attempt)
  | ({ readonly kind: 'counted' | 'refunded'; readonly id: number } & Attempt)

type Output = Answer

type State = {
  readonly counts: Counts
  /** Attempts that are counted and whose password is being looked at. */
  readonly underWay: readonly number[]
}

/** Counts by account and network, of which each has a limit: what is refused was refused while one of them was full. */
export function limitSpecification(initial: Counts): Specification<State, Input, Output> {
  return {
    initial: { counts: initial, underWay: [] },
    after: (state, input, output) => {
      const isFull = fullName(state, input) !== undefined
      if (input.kind === 'refunded') {
        const isUnderWay = state.underWay.includes(input.id)
        return isUnderWay ? [added(state, input, -1)] : []
      }
      if (output?.status === 429) return isFull ? [state] : []
      const isAllowed = output === undefined || output.status === (input.isRight ? 200 : 401)
      return isAllowed && !isFull ? [added(state, input, 1)] : []
    },
    keyOf: ({ counts, underWay }) => `${Object.values(counts).join()} ${underWay.join()}`,
    isRead: (_, output) => output?.status === 429,
    due: (state, input) => {
      const full = fullName(state, input)
      const counts = Object.entries(state.counts).map(([name, count]) => `${name}: ${String(count)}`)
      return `counted are ${counts.join(', ')}: due is ${full === undefined ? (input.isRight ? '200' : '401') : `429 by ${full}`}`
    },
    tell: ({ kind, account, network, isRight }, output) =>
      `${kind} ${account} from ${network}, ${isRight ? 'right' : 'wrong'} → ${output ? String(output.status) : 'no answer'}`,
  }
}

function fullName({ counts }: State, attempt: Attempt): string | undefined {
  const full = namesOf(attempt).find(([name, limit]) => (counts[name] ?? 0) >= limit)
  return full?.[0]
}

function added(state: State, input: Input, change: number): State {
  const counts = { ...state.counts }
  for (const [name] of namesOf(input)) counts[name] = (counts[name] ?? 0) + change
  if (input.kind === 'login') return { ...state, counts }
  const others = state.underWay.filter((id) => id !== input.id)
  return { counts, underWay: change > 0 ? [...others, input.id].sort((one, other) => one - other) : others }
}

/** A login with the right password is counted and refunded, one after the other, between its beginning and its end. */
export function partsOf(operation: Operation<Input, Output>): readonly Operation<Input, Output>[] {
  const { input, output, invoked: id } = operation
  if (!input.isRight || output?.status === 429) return [operation]
  const { account, network, isRight } = input
  const part = (kind: 'counted' | 'refunded') => ({
    ...operation,
    input: { kind, id, account, network, isRight },
  })
  return [part('counted'), part('refunded')]
}

/** Logins with right and wrong passwords at the edge of a limit. */
export const beginLoginLimit: Begin<State, Input, Output> = async (parts) => {
  const { attempts, counts, call } = await loginScene(parts)
  return {
    specification: limitSpecification(counts),
    partsOf,
    next: (client): Step<Input, Output> => {
      const attempt = attempts()
      const { calls } = parts
      return {
        input: { kind: 'login', ...attempt },
        run: async () => statusOf(await calls.send(client, 'POST', LOGIN, call(attempt))),
      }
    },
  }
}
