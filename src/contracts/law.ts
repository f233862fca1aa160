import { changePorts, completePort, type GivenStore } from '../ports/given-store.js'
import type { Store } from '../ports/store.js'
import { inRounds } from './barrier.js'
import { withTampering } from './tamper.js'

/** A port that has contract laws: the name of a `Store` property, or `store` for the laws that concern the whole store. */
export type LawPort = Exclude<keyof Store, 'ready' | 'close'> | 'store'

/** A contract law: an executable check of one promise of a port, for any test runner. */
export type PortLaw<Port extends string, Part> = {
  readonly port: Port
  /** The name of the law, unique within the port. */
  readonly name: string
  /** What users lose if an adapter breaks the law. */
  readonly protects: string
  /** Rejects with an `AssertionError` if the implementation breaks the law, or with an error from the implementation itself. */
  check(part: Part): Promise<void>
}

/** A contract law for a store port. `check` needs a fresh, empty store and may close it; the caller must close it in any case. */
export type Law = PortLaw<LawPort, GivenStore>

/** Defines a law: `law('name').protects('reason').check(async (store) => { … })`. */
type Statement<Port extends string, Part, Input, Arrangement> = (name: string) => {
  protects(protects: string): {
    check(check: (part: Part, arranged: Arrangement) => Promise<void>): PortLaw<Port, Input>
    /** Runs the check of a race several times, each time after calling `arrange`; `round` starts at 1. */
    inRounds(check: (part: Part, round: number, arranged: Arrangement) => Promise<void>): PortLaw<Port, Input>
  }
}

/** Prepares the implementation for a check, for example by inserting an account with this name. */
type Arrange<Part, Arrangement> = (part: Part, name: string) => Promise<Arrangement>

const nothing = async () => undefined

/** Defines laws for one store port. Each law wraps the store in `withTampering` and uses fallbacks for missing calls. */
export function lawOf(port: LawPort): Statement<LawPort, Store, GivenStore, undefined>
export function lawOf<Arrangement>(
  port: LawPort,
  arrange: Arrange<Store, Arrangement>,
): Statement<LawPort, Store, GivenStore, Arrangement>
export function lawOf(port: LawPort, arrange: Arrange<Store, unknown> = nothing) {
  const wrapStore = (store: GivenStore) =>
    changePorts(changePorts(store, completePort), withTampering) as Store
  return statement(port, wrapStore, arrange)
}

/** Defines laws for a port that does not belong to a store. */
export const statementOf = <Port extends string, Part>(port: Port) =>
  statement(port, (part: Part) => part, nothing)

function statement<Port extends string, Part, Input, Arrangement>(
  port: Port,
  partOf: (input: Input) => Part,
  arrange: Arrange<Part, Arrangement>,
): Statement<Port, Part, Input, Arrangement> {
  return (name) => ({
    protects(protects) {
      const lawFor = (check: (part: Part) => Promise<void>) => ({
        ...{ port, name, protects },
        check: (input: Input) => check(partOf(input)),
      })
      return {
        check: (check) => lawFor(async (part) => await check(part, await arrange(part, 'ann'))),
        inRounds: (check) =>
          lawFor((part) =>
            inRounds(async (round) => await check(part, round, await arrange(part, `ann ${round}`))),
          ),
      }
    },
  })
}
