import { fields } from './fields.js'
import { operation } from './operation.js'
import type { Retrying } from './retrying.js'
import type { GivenShared } from './shared-parts.js'

const BATCH = 500

/**
 * Removes ended sessions, expired proofs and idempotency keys, revocations of expired tokens, attempt counts whose window has ended, and
 * old audit records. Works in small batches, so that no caller waits long for the store. Resolves with the number of removed records. After
 * the signal is aborted, the purge ends during or after the current batch. If a store is too slow, the purge continues with smaller batches
 * (with `retrying`) or ends (without `retrying`). The next purge continues where this purge stopped.
 */
export type PurgeExpired = (signal?: AbortSignal, retrying?: Retrying) => Promise<number>

/** The purge skips absent ports. */
export type PurgeExpiredParts = GivenShared<
  ['sessions', 'revocations', 'proofs', 'attempts', 'pets', 'auditLog', 'auditRetention', 'clock'],
  ['revocations', 'proofs', 'pets', 'auditLog']
>

/** Requires no permission, because the host calls it, not a user. */
export function createPurgeExpired(parts: PurgeExpiredParts): PurgeExpired {
  const { sessions, revocations, proofs, attempts, pets, auditLog, auditRetention, clock } = parts
  return async (signal, retrying = once) => {
    const at = clock()
    let removed = 0
    for (const purge of [
      (limit: number) => sessions.purge(at, limit, signal),
      (limit: number) => revocations?.purge(at, limit),
      (limit: number) => proofs?.purge(at, limit),
      (limit: number) => attempts.purge(at, limit),
      (limit: number) => pets?.purgeIdempotencyKeys(at, limit),
      (limit: number) =>
        auditRetention === undefined ? undefined : auditLog?.purge(at - auditRetention, limit),
    ])
      removed += await drain(async (limit) => (await purge(limit)) ?? 0, { signal, retrying })
    return removed
  }
}

const once: Retrying = (call) => call()

async function drain(
  purge: (limit: number) => Promise<number>,
  { signal, retrying }: { readonly signal: AbortSignal | undefined; readonly retrying: Retrying },
): Promise<number> {
  let removed = 0
  let limit = BATCH
  for (let isMore = true; isMore && !signal?.aborted;) {
    let tries = 0
    const last = await retrying(() => {
      if (tries > 0) limit = Math.ceil(limit / 2)
      tries += 1
      return purge(limit)
    })
    removed += last
    // An attempt that was too slow may already have removed part of this batch.
    isMore = last === limit || tries > 1
  }
  return removed
}

/** Removes expired data on demand and resolves with the number of removed records. */
export const purgeStore = operation({
  permission: ['store', 'purge'],
  input: fields({}),
  parts: ['purgeExpired', 'retrying'],
  optional: ['retrying'],
  run:
    ({ purgeExpired, retrying }: { purgeExpired: PurgeExpired } & GivenShared<['retrying']>) =>
    async () =>
      await purgeExpired(undefined, retrying),
})
