import { wrapPort, wrapStore, type PortFunction } from '../../application/wrap-port.js'
import { portOf, type Calls, type Outcome } from '../../ports/calls/call.js'
import { PART_CALLS } from '../../ports/calls/parts.js'
import type { Flaw } from '../../ports/calls/shapes.js'
import { changePorts, completePort, type GivenStore } from '../../ports/given-store.js'
import { STORE_CALLS } from '../../ports/calls/store.js'
import type { Log } from '../../ports/log.js'
import type { PartialStore } from '../../ports/store.js'

/** Returns a custom store with all optional calls. If a result has the wrong form, the call logs an error and rejects with a `PartError`. */
export function watchedStore(store: GivenStore, log: Log): PartialStore {
  const complete = changePorts(store, completePort) as PartialStore
  return wrapStore(complete, (call, name, port) =>
    checkResult(call, name, { port, calls: STORE_CALLS[port], log }),
  )
}

/** Checks the results of custom parts other than the store, as `watchedStore` does. A part without checks is returned unchanged. */
export function watchedParts<Parts extends object>(parts: Parts, log: Log): Parts {
  const names = Object.entries(parts).map(([name, part]: [string, unknown]) => [
    name,
    watchedPart(part, {
      port: name,
      calls: (PART_CALLS as Readonly<Record<string, Calls>>)[name] ?? {},
      log,
    }),
  ])
  return Object.fromEntries(names) as Parts
}

type WatchedPort = { readonly port: string; readonly calls: Calls; readonly log: Log }

function watchedPart(part: unknown, watched: WatchedPort): unknown {
  const names = Object.keys(watched.calls)
  if (part === undefined || !names.some((name) => watched.calls[name]?.outcome)) return part
  if (typeof part === 'function') return checkResult(part as PortFunction, '', watched)
  return wrapPort(part as object, (call, name) => checkResult(call, name, watched), names)
}

function checkResult(call: PortFunction, name: string, { port, calls, log }: WatchedPort): PortFunction {
  const { outcome, synchronous = false } = calls[name] ?? {}
  if (!outcome) return call
  const judge = (answer: unknown, args: readonly unknown[]): unknown => {
    const flaw = flawOf(outcome, answer, args)
    if (!flaw) return answer
    const error = new PartError(portOf(port), name, outcome.law, flaw)
    log.error('a custom part breaks its contract', { detail: error.message, error })
    throw error
  }
  return synchronous
    ? (...args) => judge(call(...args), args)
    : async (...args) => judge(await call(...args), args)
}

function flawOf({ shape }: Outcome, answer: unknown, args: readonly unknown[]): Flaw | undefined {
  try {
    return shape(answer, '', args)
  } catch {
    // A getter or a proxy in the part threw an error, or a list has an unexpected element.
    return { member: '', problem: 'cannot be read' }
  }
}

/**
 * Thrown if a custom part's result breaks a law of its port. Its `code` identifies the error, even across copies of the package. The error
 * contains no part of the result.
 */
export class PartError extends Error {
  readonly code = 'broken-part'
  /** The name of the port in `kennel-id/ports`, such as `PasswordHasher`. */
  readonly port: string
  /** The name of the port's call; empty if the port itself is a function. */
  readonly call: string
  /** What the call must return. */
  readonly law: string
  /** The invalid member of the result, such as `session.current.number`; empty if the whole result is invalid. */
  readonly member: string

  constructor(
    port: string,
    call: string,
    law: string,
    { member, problem }: { member: string; problem: string },
  ) {
    const broken = `${call === '' ? port : `${port}.${call}`} breaks its contract: it must return ${law}`
    super(member === '' ? broken : `${broken}; "${member}" ${problem}`)
    this.name = 'PartError'
    this.port = port
    this.call = call
    this.law = law
    this.member = member
  }
}
