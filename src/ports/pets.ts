import type { Pet, PetDraft, PetId, PetPage, Revision, TraitsChange } from '../domain/catalogue/pet.js'
import type { Instant } from '../domain/instant.js'
import type { PageLimit } from '../domain/page-limit.js'

/** Identifies a repeated insertion by its idempotency key. */
export type Idempotency = {
  /** The credential of the caller; each credential has its own namespace of keys. */
  readonly scope: string
  readonly key: string
  /** A fingerprint of the request; identical requests have the same fingerprint. */
  readonly fingerprint: string
  readonly at: Instant
  /** From this time on, the key can be reused for a different request. */
  readonly until: Instant
}

/** The outcome of an insertion. */
export type PetInsertion =
  | { readonly kind: 'inserted'; readonly id: PetId }
  /** Key and fingerprint were used before; `id` is the pet that was inserted then. */
  | { readonly kind: 'repeated'; readonly id: PetId }
  /** The key was used with a different fingerprint; nothing was inserted. */
  | { readonly kind: 'key-reused' }

/** `stale`: the pet has a different revision and was not changed. */
export type PetPatch =
  { readonly kind: 'patched'; readonly pet: Pet } | { readonly kind: 'stale' } | { readonly kind: 'unknown' }

/** `stale`: the pet has a different revision and was not removed. */
export type PetRemoval = 'removed' | 'stale' | 'unknown'

/** The catalogue of pets. Results are copies or deeply frozen, and arguments are copied. */
export type Pets = {
  /**
   * IDs increase and are never reused. An insert that begins after another insert was acknowledged gets a greater ID; concurrent inserts
   * may be acknowledged in any order. Atomic for each idempotency key: any number of callers with the same key insert only one pet.
   */
  insert(draft: PetDraft, idempotency?: Idempotency): Promise<PetInsertion>
  /** Returns `undefined` if the pet does not exist. */
  find(id: PetId): Promise<Pet | undefined>
  /** Returns the pets with these IDs, ordered by ID, without duplicates. Reads the store once; the cost depends on the number of IDs. */
  findMany(ids: readonly PetId[]): Promise<readonly Pet[]>
  /** Returns pets with IDs above `after`, ascending; see `PageOrder`. The cost depends only on the size of the page. */
  page(after: PetId | undefined, limit: PageLimit): Promise<PetPage>
  /**
   * Merges the change (`changeTraits`) into the pet and increments the revision, in one write. `null` removes a trait, and a pet without
   * traits has no `traits`. If `expected` is given, changes the pet only if its revision is in this list. Only one concurrent caller that
   * expects the same revision gets `patched`.
   */
  patch(id: PetId, change: TraitsChange, expected?: readonly Revision[]): Promise<PetPatch>
  /**
   * Removes the pet, in one write; if `expected` is given, removes the pet only if its revision is in this list. Only one concurrent
   * removal or patch that expects the same revision succeeds. Keeps the idempotency key of the pet, so a repeated insertion still returns
   * `repeated`.
   */
  remove(id: PetId, expected?: readonly Revision[]): Promise<PetRemoval>
  /** Removes at most `limit` idempotency keys whose `until` is not after `at`; returns the number removed. */
  purgeIdempotencyKeys(at: Instant, limit: number): Promise<number>
}
