import type { Store } from '../ports/store.js'

/** A port that has laws: the name of a member of `Store`, or `store` for the laws of the whole. */
export type LawPort = Exclude<keyof Store, 'ready' | 'close'> | 'store'

/**
 * One promise of a store port, in a form that any test runner can run.
 *
 * `check` takes a fresh, empty store, resolves where the store keeps the promise and rejects
 * with an `AssertionError` (or with what the store threw) where it does not. It leaves closing
 * the store to the caller, and a store may be closed when it returns.
 */
export type Law = {
  readonly port: LawPort
  /** Unique together with the port. */
  readonly name: string
  /** What the users of a store can rely on while it is kept, and lose where it is broken. */
  readonly protects: string
  /** Rejects where the store breaks it. Wants a fresh, empty store. */
  check(store: Store): Promise<void>
}

type Statement = (name: string, protects: string, check: (store: Store) => Promise<void>) => Law

/** States the laws of one port. */
export function lawOf(port: LawPort): Statement {
  return (name, protects, check) => ({ port, name, protects, check })
}
