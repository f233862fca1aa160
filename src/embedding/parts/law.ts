import type { Log } from '../../ports/log.js'
import { PartError } from './part-error.js'

/** What can be seen of a law by its answer alone, at no cost that anybody would notice. */
export type Law = {
  /** Ends the sentence "it must answer …". */
  readonly law: string
  readonly holds: (answer: unknown, args: readonly unknown[]) => boolean
  /** The answer itself and not a promise of it. */
  readonly atOnce?: boolean
}

/** Every function of a port, with what can be seen of its law. */
export type Laws<Port> = { readonly [Name in keyof Port]-?: Law | 'unseen' }

/** A port's name in `kennel-id/ports` with its functions. */
export type Watch<Port> = { readonly port: string; readonly laws: Laws<Port> }

type Call = (...args: unknown[]) => unknown

/** The same part; an answer that breaks a law is logged and thrown away, and the call rejects with a `PartError`. */
export function watched<Part extends object>(part: Part, { port, laws }: Watch<Part>, log: Log): Part {
  const functions = part as Readonly<Record<string, Call>>
  const calls = Object.entries<Law | 'unseen'>(laws).map(([name, law]) => {
    // Not taken off the part: it may be an object of a class.
    const call: Call = (...args) => functions[name]?.(...args)
    return [name, law === 'unseen' ? call : judging(call, law, { port, name, log })]
  })
  return Object.fromEntries(calls) as Part
}

/** The same for a port that is a function itself. */
export function watchedFunction<Port extends (...args: never[]) => unknown>(
  part: Port,
  law: Law,
  { port, log }: { readonly port: string; readonly log: Log },
): Port {
  return judging(
    part as unknown as Call,
    { ...law, atOnce: true },
    { port, name: '', log },
  ) as unknown as Port
}

type Place = { readonly port: string; readonly name: string; readonly log: Log }

function judging(call: Call, law: Law, { port, name, log }: Place): Call {
  const judged = (answer: unknown, args: readonly unknown[]): unknown => {
    if (keeps(law, answer, args)) return answer
    const error = new PartError(port, name, law.law)
    log.error('a part breaks its law', { detail: error.message, error })
    throw error
  }
  if (law.atOnce) return (...args) => judged(call(...args), args)
  return async (...args) => judged(await call(...args), args)
}

function keeps({ holds }: Law, answer: unknown, args: readonly unknown[]): boolean {
  try {
    return holds(answer, args)
  } catch {
    // It was looked into as if it had the form that it should have.
    return false
  }
}
