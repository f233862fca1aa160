import type { Pet, PetDraft, PetId, PetPage, Revision } from '../domain/catalogue/pet.js'
import type { TraitsChange } from '../domain/catalogue/traits.js'
import type { Instant } from '../domain/instant.js'
import type { PageLimit } from '../domain/page-limit.js'

/** What makes an insertion one with those before it. */
export type Idempotency = {
  /** The credential's own name space. */
  readonly scope: string
  readonly key: string
  /** Equal for equal requests. */
  readonly fingerprint: string
  readonly at: Instant
  /** From then on the key is free again. */
  readonly until: Instant
}

/** What became of an insertion. */
export type PetInsertion =
  | { readonly kind: 'inserted'; readonly id: PetId }
  /** The same key and fingerprint before: the pet that was made then; nothing was made now. */
  | { readonly kind: 'repeated'; readonly id: PetId }
  /** The same key with another fingerprint; nothing was made. */
  | { readonly kind: 'key-reused' }

/** What became of a change. `stale`: the pet has another revision; nothing was changed. */
export type PetPatch =
  { readonly kind: 'patched'; readonly pet: Pet } | { readonly kind: 'stale' } | { readonly kind: 'unknown' }

/** What became of a removal. `stale`: the pet has another revision; nothing was removed. */
export type PetRemoval = 'removed' | 'stale' | 'unknown'

/** The catalogue. What is handed out is a copy, or frozen throughout; what is kept is a copy. */
export type Pets = {
  /**
   * Ids increase and are never reused; a pet whose insert is begun after another was acknowledged has the greater
   * id, while of inserts at once any may be acknowledged first. With an idempotency key one pet, however many
   * callers, in one atomic step.
   */
  insert(draft: PetDraft, idempotency?: Idempotency): Promise<PetInsertion>
  /** `undefined` where there is none. */
  find(id: PetId): Promise<Pet | undefined>
  /**
   * Those of these pets that are there, ascending by id whatever the order of `ids`, and each once. One
   * read of the store; the cost is that of the ids.
   */
  findMany(ids: readonly PetId[]): Promise<readonly Pet[]>
  /** Ascending by id, after `after`; see `PageOrder` for what a walk shows. The cost is the page's, never its depth's. */
  page(after: PetId | undefined, limit: PageLimit): Promise<PetPage>
  /**
   * Merges the change as `changeTraits` says and moves the revision, in one write: what is null is
   * taken away, and a pet of which no trait is left has no `traits`. With
   * `expected` only where the revision is one of them: of any number of callers that expect
   * one revision, exactly one is `patched`.
   */
  patch(id: PetId, change: TraitsChange, expected?: readonly Revision[]): Promise<PetPatch>
  /**
   * Removes the pet, in one write; with `expected` only where its revision is one of them. Of any number of removals and
   * patches that expect one revision exactly one is made. The idempotency key that it was inserted with lasts as long as
   * without the removal: the same request again is `repeated` and makes nothing.
   */
  remove(id: PetId, expected?: readonly Revision[]): Promise<PetRemoval>
  /** Removes idempotency keys whose `until` is not after `at`, at most `limit`; returns how many. */
  purgeIdempotencyKeys(at: Instant, limit: number): Promise<number>
}
