import type { Pet, PetDraft, PetId, PetPage, Revision } from '../domain/catalogue/pet.js'
import type { TraitsChange } from '../domain/catalogue/traits.js'
import type { Instant } from '../domain/instant.js'
import type { PageLimit } from '../domain/page-limit.js'

/** Identifies a repeated insertion. */
export type Idempotency = {
  /** The namespace of the credential. */
  readonly scope: string
  readonly key: string
  /** Equal for equal requests. */
  readonly fingerprint: string
  readonly at: Instant
  /** From then on the key is free again. */
  readonly until: Instant
}

/** Result of an insertion. */
export type PetInsertion =
  | { readonly kind: 'inserted'; readonly id: PetId }
  /** Key and fingerprint were used before: the pet that was made then; nothing was made now. */
  | { readonly kind: 'repeated'; readonly id: PetId }
  /** The same key with another fingerprint; nothing was made. */
  | { readonly kind: 'key-reused' }

/** Result of a change. `stale`: the pet has another revision; nothing was changed. */
export type PetPatch =
  { readonly kind: 'patched'; readonly pet: Pet } | { readonly kind: 'stale' } | { readonly kind: 'unknown' }

/** Result of a removal. `stale`: the pet has another revision; nothing was removed. */
export type PetRemoval = 'removed' | 'stale' | 'unknown'

/** The catalogue. Answers are copies, or deeply frozen; arguments are copied. */
export type Pets = {
  /**
   * IDs increase and are never reused: an insert that begins after another was acknowledged gets the greater ID;
   * concurrent inserts may be acknowledged in any order. An idempotency key makes one pet, for any number of callers, in
   * one atomic step.
   */
  insert(draft: PetDraft, idempotency?: Idempotency): Promise<PetInsertion>
  /** `undefined` if there is no such pet. */
  find(id: PetId): Promise<Pet | undefined>
  /**
   * The existing pets among `ids`, ascending by ID, each once. One read of the store; the cost depends on the number of
   * IDs.
   */
  findMany(ids: readonly PetId[]): Promise<readonly Pet[]>
  /** Ascending by ID, after `after`; see `PageOrder`. The cost depends only on the page, not on its depth. */
  page(after: PetId | undefined, limit: PageLimit): Promise<PetPage>
  /**
   * Merges the change (`changeTraits`) and increments the revision, in one write: `null` removes a trait, and a pet
   * without traits has no `traits`. With `expected`, only if its revision is in this list. Any number of callers that
   * expect one revision: exactly one gets `patched`.
   */
  patch(id: PetId, change: TraitsChange, expected?: readonly Revision[]): Promise<PetPatch>
  /**
   * Removes the pet, in one write; with `expected`, only if its revision is in this list. Any number of removals and
   * patches that expect one revision: exactly one succeeds. The idempotency key of the pet stays in force: the same
   * insertion again is `repeated` and makes nothing.
   */
  remove(id: PetId, expected?: readonly Revision[]): Promise<PetRemoval>
  /** Removes idempotency keys whose `until` is not after `at`, at most `limit`; returns their number. */
  purgeIdempotencyKeys(at: Instant, limit: number): Promise<number>
}
