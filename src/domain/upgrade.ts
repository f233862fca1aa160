import type { Instant, Milliseconds } from './instant.js'
import { VERSION } from './version.js'

/** A program that uses a store for a long time: a service with all its workers, or an embedder. */
export type Instance = {
  readonly id: string
  readonly release: string
  /** The newest schema that the instance's release supports. */
  readonly schema: number
  /** When the instance last recorded that it was serving requests. */
  readonly servedAt: Instant
}

/** The schema of a store, compared with the schema of this release. */
export type StoreSchema = {
  /** 0 if the store is empty. */
  readonly version: number
  /** The release that last changed the schema; absent for releases up to 0.8.0. */
  readonly release?: string | undefined
  /** The schema of this release. */
  readonly current: number
  /** Releases with this schema or a newer one can still use the store after this release has upgraded it. */
  readonly oldestUsable: number
  /** Whether every contract step of this release has run. */
  readonly isFinished: boolean
  readonly instances: readonly Instance[]
}

/** `rolling` means that the instances can be replaced one by one, without interrupting the service. */
export type UpgradeAdvice = {
  readonly answer: 'rolling' | 'stop-first'
  readonly reason: string
  /** The instances that have served recently. */
  readonly instances: readonly Instance[]
}

/** The result of the contract steps, which remove data that only older releases need. */
export type FinishOutcome =
  | { readonly kind: 'finished' | 'unchanged' | 'under-way' }
  | { readonly kind: 'refused'; readonly reason: string }

/** An instance counts as running if its record is at most this old. Instances renew their records every minute. */
const RECENT: Milliseconds = 5 * 60_000

/** Returns whether instances of earlier releases can keep serving while instances of this release start. */
export function adviseUpgrade(store: StoreSchema, now: Instant): UpgradeAdvice {
  const instances = store.instances.filter(({ servedAt }) => servedAt > now - RECENT)
  return { ...judge(store, instances), instances }
}

function judge(store: StoreSchema, instances: readonly Instance[]): Omit<UpgradeAdvice, 'instances'> {
  const { version, release = '0.8.0 or earlier', current, oldestUsable } = store
  const here = `The store has schema ${version} of release ${release}`
  if (version === 0) return rolling('The store is empty: start the service.')
  if (version === current)
    return rolling(`${here}, and release ${VERSION} does not change it: replace the instances one by one.`)
  if (version > current)
    return rolling(`${here}, and release ${VERSION} can use it: no instance has to stop.`)
  const step = `${here}, and release ${VERSION} changes it to schema ${current}`
  if (store.release === undefined)
    return stopFirst(
      `${step}. Releases up to 0.8.0 leave no record of their instances, and cannot start on a newer schema: ` +
        'stop all instances, and then start the service.',
    )
  const oldest = Math.min(version, ...instances.map(({ schema }) => schema))
  return oldest < oldestUsable
    ? stopFirst(`${step}, which earlier releases cannot use: stop all instances, and then start the service.`)
    : rolling(`${step}, which instances of schema ${oldest} can use too: replace the instances one by one.`)
}

function rolling(reason: string) {
  return { answer: 'rolling', reason } as const
}

function stopFirst(reason: string) {
  return { answer: 'stop-first', reason } as const
}

/** Returns the reason why the contract steps of this release must not run; `undefined` if they may. */
export function reasonNotToFinish(store: StoreSchema, now: Instant): string | undefined {
  const { version, release = '0.8.0 or earlier', current, instances } = store
  if (version < current)
    return `The store has schema ${version}, and release ${VERSION} needs schema ${current}: start the service first.`
  if (version > current)
    return `Release ${release} has changed the schema: run the command "upgrade finish" of that release.`
  const older = instances.find(({ schema, servedAt }) => schema < current && servedAt > now - RECENT)
  return older && `An older instance has served recently, and would fail: stop ${nameOf(older)}.`
}

export function nameOf({ id, release, servedAt }: Instance): string {
  return `${id} of release ${release}, which served at ${new Date(servedAt).toISOString()}`
}
