import type { Milliseconds } from '../../domain/instant.js'
import { isRefusal } from '../../domain/refusal.js'
import type { StoreOutcome } from '../../ports/metrics.js'

type Call = (...args: never[]) => unknown

/** Is told of each call. */
export type CallObserver = {
  /** Before the call. What it gives is told again at the end. */
  readonly begin: () => Milliseconds
  /** With the answer where the outcome is `ok`. */
  readonly end: (begun: Milliseconds, name: string, outcome: StoreOutcome, answer?: unknown) => void
}

/**
 * The same port. Its answers are handed on as the very objects that they are, and whoever waits for one gets
 * it after it was told. It may be an object of a class, and each of its functions is made once.
 */
export function meteredPort<Port extends object>(port: Port, observer: CallObserver): Port {
  const functions = namesOf(port).flatMap((name) => {
    const call: unknown = port[name as keyof Port]
    return typeof call === 'function' ? [[name, metered(name, call.bind(port) as Call, observer)]] : []
  })
  return Object.fromEntries(functions) as Port
}

function metered(name: string, call: Call, { begin, end }: CallObserver): Call {
  return (...args) => {
    const begun = begin()
    const failed = (error: unknown): never => {
      end(begun, name, isRefusal(error) && error.code === 'unavailable' ? 'unavailable' : 'fault')
      throw error
    }
    const answered = (answer: unknown) => {
      end(begun, name, 'ok', answer)
      return answer
    }
    let answer: unknown
    try {
      answer = call(...args)
    } catch (error) {
      return failed(error)
    }
    if (answer instanceof Promise) return answer.then(answered, failed)
    return isPromise(answer) ? Promise.resolve(answer).then(answered, failed) : answered(answer)
  }
}

/** Of any make: a store may bring promises of its own. */
function isPromise(answer: unknown): answer is PromiseLike<unknown> {
  return typeof answer === 'object' && answer !== null && 'then' in answer
}

/** Also those of its class, and of the class above that. */
function namesOf(port: object): string[] {
  const names = new Set<string>()
  for (let level: object | null = port; level && level !== Object.prototype; level = parentOf(level))
    for (const name of Object.getOwnPropertyNames(level)) names.add(name)
  names.delete('constructor')
  return [...names]
}

function parentOf(level: object): object | null {
  return Object.getPrototypeOf(level) as object | null
}
