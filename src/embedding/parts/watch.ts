import type { Clock } from '../../ports/clock.js'
import type { Log } from '../../ports/log.js'
import type { Store } from '../../ports/store.js'
import { wrapPort, wrapStore, type PortFunction } from '../../ports/wrap-port.js'
import type { KennelParts } from '../options.js'
import { PartError } from './part-error.js'
import { PART_SHAPES } from './part-shapes.js'
import type { Answer, Flaw, PortShape, Shape } from './shape.js'
import { STORE_SHAPES } from './store-shapes.js'

/** The caller's own store; an answer that breaks a law is logged and thrown away, and the call rejects with a `PartError`. */
export function watchedStore(store: Store, log: Log): Store {
  return wrapStore(store, (port, name) =>
    // The embedding never asks for the records.
    name === 'records' ? port : watched(port, STORE_SHAPES[name], log),
  )
}

/** The same of the caller's own parts, as far as anything can be seen of their answers. */
export function watchedParts(parts: KennelParts, log: Log): KennelParts {
  const { clock, randomness, hasher, mailer, mailTemplates } = parts
  return {
    ...parts,
    ...(clock && { clock: watchedClock(clock, log) }),
    ...(randomness && { randomness: watched(randomness, PART_SHAPES.randomness, log) }),
    ...(hasher && { hasher: watched(hasher, PART_SHAPES.hasher, log) }),
    ...(mailer && { mailer: watched(mailer, PART_SHAPES.mailer, log) }),
    ...(mailTemplates && { mailTemplates: watched(mailTemplates, PART_SHAPES.mailTemplates, log) }),
  }
}

function watched<Part extends object>(part: Part, { port, functions }: PortShape, log: Log): Part {
  const around = (call: PortFunction, name: string): PortFunction => {
    const answer = functions[name]
    return answer === undefined || answer === 'unseen' ? call : judging(call, answer, { port, name, log })
  }
  return wrapPort(part, around, Object.keys(functions))
}

function watchedClock(clock: Clock, log: Log): Clock {
  const { port, functions } = PART_SHAPES.clock
  return judging(clock, functions[''], { port, name: '', log }) as Clock
}

type Place = { readonly port: string; readonly name: string; readonly log: Log }

function judging(
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
