import { accountChangeLaws } from './account-changes.js'
import { accountRoleLaws } from './account-roles.js'
import { accountLaws } from './accounts.js'
import { apiKeyLaws } from './api-keys.js'
import { attemptLaws } from './attempts.js'
import { auditLogLaws } from './audit-log.js'
import { auditPageLaws } from './audit-pages.js'
import { idempotencyLaws } from './idempotency.js'
import type { Law, LawPort } from './law.js'
import { mailQueueDiscardLaws } from './mail-queue-discards.js'
import { mailQueueLaws } from './mail-queue.js'
import { passwordResetLaws } from './password-resets.js'
import { petPatchLaws } from './pet-patches.js'
import { petLaws } from './pets.js'
import { projectLaws } from './projects.js'
import { recordLaws } from './records.js'
import { resetOfferLaws } from './reset-offers.js'
import { resetEndLaws } from './reset-ends.js'
import { revocationOutcomeLaws } from './revocation-outcomes.js'
import { revocationPurgeLaws } from './revocation-purges.js'
import { revocationLaws } from './revocations.js'
import { roleLaws } from './roles.js'
import { sessionActorEndLaws } from './session-actor-ends.js'
import { sessionActorRoleLaws } from './session-actor-roles.js'
import { sessionActorLaws } from './session-actors.js'
import { endAllOfLaws } from './session-end-all.js'
import { sessionEndLaws } from './session-ends.js'
import { sessionRaceLaws } from './session-races.js'
import { sessionPageLaws } from './session-pages.js'
import { rotationLaws } from './session-rotation.js'
import { spentTokenLaws } from './session-spent-tokens.js'
import { sessionLaws } from './sessions.js'
import { wholeStoreLaws } from './store.js'

export { hasherLaws, type HasherLaw } from './hasher.js'
export type { Law, LawPort } from './law.js'
export { recordLaws }

/**
 * The laws of every store port, for whoever writes an adapter of their own:
 *
 * ```ts
 * for (const law of storeLaws) {
 *   it(`${law.port}: ${law.name}`, async () => {
 *     const store = await openMyStore()
 *     try {
 *       await law.check(store)
 *     } finally {
 *       await store.close()
 *     }
 *   })
 * }
 * ```
 *
 * Each wants a fresh, empty store. Together they make some 3,000 writes, a thousand of them
 * in one law: allow 20 seconds for a law where every commit is synced.
 */
export const storeLaws: readonly Law[] = [
  ...wholeStoreLaws,
  ...accountLaws,
  ...accountRoleLaws,
  ...accountChangeLaws,
  ...passwordResetLaws,
  ...resetOfferLaws,
  ...resetEndLaws,
  ...sessionLaws,
  ...sessionPageLaws,
  ...sessionEndLaws,
  ...endAllOfLaws,
  ...rotationLaws,
  ...spentTokenLaws,
  ...sessionRaceLaws,
  ...sessionActorLaws,
  ...sessionActorEndLaws,
  ...sessionActorRoleLaws,
  ...revocationLaws,
  ...revocationPurgeLaws,
  ...revocationOutcomeLaws,
  ...petLaws,
  ...petPatchLaws,
  ...idempotencyLaws,
  ...roleLaws,
  ...apiKeyLaws,
  ...attemptLaws,
  ...mailQueueLaws,
  ...mailQueueDiscardLaws,
  ...auditLogLaws,
  ...auditPageLaws,
  ...projectLaws,
]

/**
 * The laws of one port, in their order, for whoever writes or changes that port: `lawsOf('sessions')`.
 * Throws for a name that is no port's, since a loop over no laws would pass.
 */
export function lawsOf(port: LawPort): readonly Law[] {
  const laws = [...storeLaws, ...recordLaws].filter((law) => law.port === port)
  if (laws.length === 0) throw new TypeError(`there are no laws of a port "${port}"`)
  return laws
}
