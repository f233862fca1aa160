import { changePorts, completePort } from '../ports/calls/store.js'
import type { GivenStore, Store } from '../ports/store.js'

/** A port that has laws: the name of a member of `Store`, or `store` for the laws of the whole. */
export type LawPort = Exclude<keyof Store, 'ready' | 'close'> | 'store'

/** One promise of a port, in a form that any test runner can run. */
export type PortLaw<Port extends string, Part> = {
  readonly port: Port
  /** Unique together with the port. */
  readonly name: string
  /** What users can rely on while it is kept, and lose where it is broken. */
  readonly protects: string
  /** Resolves where the promise is kept, rejects with an `AssertionError`, or with what the part threw, where it is not. */
  check(part: Part): Promise<void>
}

/**
 * One promise of a store port. Its `check` wants a fresh, empty store, leaves closing it to the caller, and may have
 * closed it when it returns.
 */
export type Law = PortLaw<LawPort, GivenStore>

type Statement<Port extends string, Part> = (
  name: string,
  protects: string,
  check: (part: Part) => Promise<void>,
) => PortLaw<Port, Part>

/** States the laws of one port of a store; an optional call that the store lacks is judged by its fallback. */
export const lawOf =
  (port: LawPort) =>
  (name: string, protects: string, check: (store: Store) => Promise<void>): Law => ({
    port,
    name,
    protects,
    check: (store) => check(changePorts(store, completePort) as Store),
  })

/** States the laws of a port that no store has. */
export function statementOf<Port extends string, Part>(port: Port): Statement<Port, Part> {
  return (name, protects, check) => ({ port, name, protects, check })
}
