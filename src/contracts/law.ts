import type { Store } from '../ports/store.js'

/**
 * One promise of a store port, in a form that any test runner can run.
 *
 * `check` takes a fresh, empty store, resolves where the store keeps the promise and rejects
 * with an `AssertionError` (or with what the store threw) where it does not. It leaves closing
 * the store to the caller, and a store may be closed when it returns.
 */
export type Law = {
  /** The member of `Store` whose law it is; `store` for those of the whole. */
  readonly port: string
  /** Unique together with the port. */
  readonly name: string
  /** What goes wrong for the users of a store that breaks it. */
  readonly protects: string
  check(store: Store): Promise<void>
}

type Statement = (name: string, protects: string, check: (store: Store) => Promise<void>) => Law

/** States the laws of one port. */
export function lawOf(port: string): Statement {
  return (name, protects, check) => ({ port, name, protects, check })
}
