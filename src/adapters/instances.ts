import type { FinishOutcome, Instance, StoreSchema } from '../domain/upgrade.js'
import type { Instant, Milliseconds } from '../domain/instant.js'
import { VERSION } from '../domain/version.js'

/**
 * The records of the running instances that use a store. Only built-in stores keep these records, and only the `upgrade` commands read
 * them.
 */
export type InstanceRecords = {
  /**
   * Records that the instance serves, and removes old records of other instances. Rejects with an `incompatible-store` Refusal if this
   * release can no longer use the store: if `upgrade finish` runs concurrently, either this call rejects or `upgrade finish` finds this
   * instance.
   */
  put(id: string, servedAt: Instant): Promise<void>
  remove(id: string): Promise<void>
}

/** The functions of a store that the `upgrade` commands use. */
export type Upgrades = {
  /** Reads the schema without changing anything. */
  read(): Promise<StoreSchema>
  /** Runs the contract steps; only one of several concurrent callers runs them. */
  finish(now: Instant): Promise<FinishOutcome>
}

/** The record of a crashed instance is removed at this age. */
export const KEPT_FOR: Milliseconds = 24 * 3_600_000

/** A symbol from the global symbol registry, because an embedder may open the store with another copy of this package. */
const RECORDS = Symbol.for('kennel-id.instances')

/** Adds instance records to a store object. The records are not a port, so a store that wraps or combines ports does not have them. */
export function withInstances<S extends object>(store: S, records: InstanceRecords): S {
  return Object.assign(store, { [RECORDS]: records })
}

export function instancesOf(store: object): InstanceRecords | undefined {
  return (store as { readonly [RECORDS]?: InstanceRecords })[RECORDS]
}

/** The record of an instance as JSON, for stores in SQL. */
export function instanceText(schema: number, servedAt: Instant): string {
  return JSON.stringify({ release: VERSION, schema, servedAt })
}

export function instanceIn(id: string, text: string): Instance {
  return { id, ...(JSON.parse(text) as Omit<Instance, 'id'>) }
}
