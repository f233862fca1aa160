import { changePorts, completePort } from '../ports/calls/store.js'
import type { GivenStore, Store } from '../ports/store.js'
import { inRounds } from './barrier.js'

/** A port that has laws: the name of a member of `Store`, or `store` for the laws of the whole. */
export type LawPort = Exclude<keyof Store, 'ready' | 'close'> | 'store'

/** One promise of a port, in a form that any test runner can run. */
export type PortLaw<Port extends string, Part> = {
  readonly port: Port
  /** Unique together with the port. */
  readonly name: string
  /** What users lose if an adapter breaks the law. */
  readonly protects: string
  /** Rejects with an `AssertionError`, or with the error of the part, if the part breaks the promise. */
  check(part: Part): Promise<void>
}

/**
 * One promise of a store port. Its `check` wants a fresh, empty store, leaves closing it to the caller, and may have
 * closed it when it returns.
 */
export type Law = PortLaw<LawPort, GivenStore>

/** States a law in the order in which it is read: `law('name').protects('reason').check(async (part) => { … })`. */
type Statement<Port extends string, Part, Given> = (name: string) => {
  protects(protects: string): {
    check(check: (part: Part) => Promise<void>): PortLaw<Port, Given>
    /** A check of a race, which runs it several times; `round` counts from 1. */
    inRounds(check: (part: Part, round: number) => Promise<void>): PortLaw<Port, Given>
  }
}

/** States the laws of one port of a store; an optional call that the store lacks is judged by its fallback. */
export const lawOf = (port: LawPort) =>
  statement<LawPort, Store, GivenStore>(port, (store) => changePorts(store, completePort) as Store)

/** States the laws of a port that no store has. */
export const statementOf = <Port extends string, Part>(port: Port) =>
  statement<Port, Part, Part>(port, (part) => part)

function statement<Port extends string, Part, Given>(
  port: Port,
  partOf: (given: Given) => Part,
): Statement<Port, Part, Given> {
  return (name) => ({
    protects(protects) {
      const stated = (check: (part: Part) => Promise<void>) => ({
        ...{ port, name, protects },
        check: (given: Given) => check(partOf(given)),
      })
      return {
        check: stated,
        inRounds: (check) => stated((part) => inRounds((round) => check(part, round))),
      }
    },
  })
}
