import type { Log } from '../../ports/log.js'
import type { PartialStore } from '../../ports/store.js'
import { wrapPort, wrapStore, type PortFunction } from '../../ports/wrap-port.js'
import { PartError } from './part-error.js'
import type { Answer, Flaw, PortShape, Shape } from './shape.js'
import { STORE_SHAPES } from './store-shapes.js'

/** The caller's own store; an answer that breaks a law is logged and thrown away, and the call rejects with a `PartError`. */
export function watchedStore(store: PartialStore, log: Log): PartialStore {
  return wrapStore(store, (port, name) =>
    // No use case but the copy of a store asks for the records.
    name === 'records' ? port : watched(port, STORE_SHAPES[name], log),
  )
}

/** The same of any port or part, as far as anything can be seen of its answers. */
export function watched<Part extends object>(part: Part, { port, functions }: PortShape, log: Log): Part {
  const around = (call: PortFunction, name: string): PortFunction => {
    const answer = functions[name]
    return answer === undefined || answer === 'unseen' ? call : judging(call, answer, { port, name, log })
  }
  return wrapPort(part, around, Object.keys(functions))
}

/** Whose function it is, and where it is told of. */
type Place = { readonly port: string; readonly name: string; readonly log: Log }

/** The same of one function, whose name is empty where the port is one itself. */
export function judging(
  call: PortFunction,
  { law, shape, atOnce }: Answer,
  { port, name, log }: Place,
): PortFunction {
  const judged = (answer: unknown, args: readonly unknown[]): unknown => {
    const flaw = flawOf(shape, answer, args)
    if (!flaw) return answer
    const error = new PartError(port, name, law, flaw)
    log.error('a part breaks its law', { detail: error.message, error })
    throw error
  }
  if (atOnce) return (...args) => judged(call(...args), args)
  return async (...args) => judged(await call(...args), args)
}

function flawOf(shape: Shape, answer: unknown, args: readonly unknown[]): Flaw | undefined {
  try {
    return shape(answer, '', args)
  } catch {
    // A getter or a proxy of the part's, or a list with something else in it.
    return { member: '', problem: 'cannot be read' }
  }
}
