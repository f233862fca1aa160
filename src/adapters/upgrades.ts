import { unusable } from '../domain/refusal.js'
import type { Instant, Milliseconds } from '../domain/instant.js'
import { reasonNotToFinish, type FinishOutcome, type Instance, type StoreSchema } from '../domain/upgrade.js'
import { VERSION } from '../domain/version.js'

/** The records of the running instances that use a store. */
export type InstanceRecords = {
  /**
   * Records that instance `id` was running at `servedAt`, and removes old records of other instances. Rejects with an `incompatible-store`
   * Refusal if this release can no longer use the store: if `upgrade finish` runs concurrently, either this call rejects or `upgrade
   * finish` finds this instance.
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

export function instanceText(schema: number, servedAt: Instant): string {
  return JSON.stringify({ release: VERSION, schema, servedAt })
}

export function instanceIn(id: string, text: string): Instance {
  return { id, ...(JSON.parse(text) as Omit<Instance, 'id'>) }
}

/** The schema mark that a store got from the last release that changed its schema. */
export type SchemaMark = {
  readonly version: number
  /**
   * The schema version of the oldest release that can still read this store; if absent, `version` applies, as in stores of releases up to
   * 0.8.0.
   */
  readonly readableFrom?: number
  /** The schema version of the oldest release that can still write this store; if absent, `version` applies. */
  readonly writableFrom?: number
  readonly release?: string
  /** The number of contract steps that have run; 0 by default. */
  readonly contracted?: number
}

/** A schema change that removes something. Only `upgrade finish` runs such a step, after all instances of older releases have stopped. */
export type ContractStep<Step> = {
  /** The oldest schema version whose release can still use the store after this step. */
  readonly usableFrom: number
  readonly step: Step
}

export type SchemaPlan<Step> = {
  readonly version: number
  /** The oldest schema version whose release can use a store of this version before any contract step has run. */
  readonly oldestUsable: number
  /** The contract steps of all releases, in order; no step may be removed. */
  readonly contractSteps: readonly ContractStep<Step>[]
}

/** The mark that this release writes to a store after it has changed the schema and run `contracted` contract steps. */
export function markFor(
  { version, oldestUsable, contractSteps }: SchemaPlan<unknown>,
  contracted = 0,
): Required<SchemaMark> {
  const usable = contractSteps.slice(0, contracted).map(({ usableFrom }) => usableFrom)
  const from = Math.max(oldestUsable, ...usable)
  return { version, readableFrom: from, writableFrom: from, release: VERSION, contracted }
}

/** What a store records about its schema; an empty store has no mark. */
export type SchemaRecord = { readonly mark: SchemaMark | undefined; readonly instances: readonly Instance[] }

export function compareSchema(
  { mark, instances }: SchemaRecord,
  { version, oldestUsable, contractSteps }: SchemaPlan<unknown>,
): StoreSchema {
  return {
    version: mark?.version ?? 0,
    release: mark?.release,
    current: version,
    oldestUsable,
    isFinished: (mark?.contracted ?? 0) >= contractSteps.length,
    instances,
  }
}

type Contraction<Step> =
  { readonly kind: 'due'; readonly steps: readonly Step[]; readonly mark: SchemaMark } | FinishOutcome

/** The caller ensures that no other caller runs contract steps concurrently. */
export function decideContraction<Step>(
  record: SchemaRecord,
  plan: SchemaPlan<Step>,
  now: Instant,
): Contraction<Step> {
  const schema = compareSchema(record, plan)
  const reason = reasonNotToFinish(schema, now)
  if (reason !== undefined) return { kind: 'refused', reason }
  if (schema.isFinished) return { kind: 'unchanged' }
  const steps = plan.contractSteps.slice(record.mark?.contracted).map(({ step }) => step)
  return { kind: 'due', steps, mark: markFor(plan, plan.contractSteps.length) }
}

/** Phrases for messages: what to call the store, and which setting to change. */
type StoreNames = { readonly store: string; readonly setting: string }

/**
 * Throws an `incompatible-store` Refusal if this release, which supports schemas up to `supported`, must not use the store. A store of a
 * newer release can be used until that release removes something that this release needs; this lets both releases run during an upgrade.
 */
export function assertUsable(mark: SchemaMark, supported: number, { store, setting }: StoreNames): void {
  const { version, readableFrom = version, writableFrom = version, release } = mark
  if (supported >= Math.max(readableFrom, writableFrom)) return
  const writer = release === undefined ? 'a newer release' : `release ${release}`
  throw unusable(
    'incompatible-store',
    `The ${store} has schema version ${version}, but this release supports only versions up to ${supported}: ` +
      `it was written by ${writer}. Install that release, or set ${setting}.`,
  )
}

/** Throws an `incompatible-store` Refusal if the store must be upgraded before this release can use it. */
export function assertUpgraded(version: number, supported: number, store: string): void {
  if (version === 0 || version >= supported) return
  throw unusable(
    'incompatible-store',
    `The ${store} has schema version ${version}, and release ${VERSION} needs version ${supported}. ` +
      'The store is upgraded only when the service starts: run "upgrade check" first.',
  )
}
