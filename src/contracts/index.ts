import { accountLaws } from './accounts/accounts.js'
import { accountChangeLaws } from './accounts/changes.js'
import { accountRoleLaws } from './accounts/roles.js'
import { accountSearchLaws } from './accounts/searches.js'
import { apiKeyLaws } from './api-keys/api-keys.js'
import { attemptLimiterLaws } from './attempt-limiter/attempt-limiter.js'
import { auditLogLaws } from './audit-log/audit-log.js'
import { auditPageLaws } from './audit-log/pages.js'
import { copyableRecordLaws } from './copyable-records/copyable-records.js'
import type { Law, LawPort } from './law.js'
import { mailQueueLaws } from './mail-queue/mail-queue.js'
import { waitingMailLaws } from './mail-queue/waiting.js'
import { passkeyLaws } from './passkeys/passkeys.js'
import { passkeyRaceLaws } from './passkeys/races.js'
import { petPatchLaws } from './pets/patches.js'
import { petLaws } from './pets/pets.js'
import { petRemovalLaws } from './pets/removals.js'
import { projectLaws } from './projects/projects.js'
import { proofLaws } from './proofs/proofs.js'
import { proofRaceLaws } from './proofs/races.js'
import { proofResetLaws } from './proofs/resets.js'
import { proofUseLaws } from './proofs/uses.js'
import { loginRotationLaws } from './revocations/login-rotation.js'
import { revocationLaws } from './revocations/revocations.js'
import { roleLaws } from './roles/roles.js'
import { secondFactorCodeLaws } from './second-factors/codes.js'
import { secondFactorLaws } from './second-factors/second-factors.js'
import { sessionActorLaws } from './sessions/actors.js'
import { sessionDeviceLaws } from './sessions/devices.js'
import { sessionEndLaws } from './sessions/ends.js'
import { sessionRefreshLaws } from './sessions/refreshes.js'
import { sessionRotationLaws } from './sessions/rotation.js'
import { sessionLaws } from './sessions/sessions.js'
import { wholeStoreLaws } from './store/store.js'

/** Entry point `kennel-id/contracts`: the laws that test custom stores and other custom parts. */
export { hasherLaws } from './password-hasher/password-hasher.js'
export type { Law, LawPort, PortLaw } from './law.js'
export { mailerLaws, type MailerUnderTest, type ReceivedMail } from './mailer/mailer.js'
export { metricsLaws, type MetricsUnderTest } from './metrics/metrics.js'
export { passwordBlocklistLaws } from './password-blocklist/password-blocklist.js'
export { sessionKeysLaws, type SessionKeysUnderTest } from './session-keys/session-keys.js'
export { tokenFormatLaws } from './token-format/token-format.js'
export { copyableRecordLaws }

/**
 * The contract laws of every store port, for authors of adapters. Each law needs a fresh, empty store, as in the example of `lawsOf`. All
 * laws together perform about 3,000 writes, a thousand of them in one law; allow 20 seconds per law if the store syncs every commit.
 */
export const storeLaws: readonly Law[] = [
  wholeStoreLaws,
  ...[accountLaws, accountRoleLaws, accountSearchLaws, accountChangeLaws],
  ...[sessionLaws, sessionDeviceLaws, sessionEndLaws],
  ...[sessionRotationLaws, sessionRefreshLaws, sessionActorLaws],
  ...[revocationLaws, loginRotationLaws, secondFactorLaws, secondFactorCodeLaws],
  ...[passkeyLaws, passkeyRaceLaws],
  ...[proofLaws, proofUseLaws, proofRaceLaws, proofResetLaws],
  ...[petLaws, petPatchLaws, petRemovalLaws, projectLaws],
  ...[roleLaws, apiKeyLaws, attemptLimiterLaws],
  ...[mailQueueLaws, waitingMailLaws, auditLogLaws, auditPageLaws],
].flat()

/**
 * Returns the contract laws of one port, for authors of adapters for that port: `lawsOf('sessions')`. Throws a `TypeError` if the port is
 * unknown, because a loop over an empty list of laws would pass.
 *
 * @example
 * ```ts
 * import { it } from 'node:test'
 * import { lawsOf } from 'kennel-id/contracts'
 * import type { Store } from 'kennel-id/ports'
 *
 * declare function openMyStore(): Promise<Store>
 *
 * for (const law of lawsOf('sessions'))
 *   it(law.name, async () => {
 *     const store = await openMyStore()
 *     await law.check(store).finally(() => store.close())
 *   })
 * ```
 */
export function lawsOf(port: LawPort): readonly Law[] {
  const laws = [...storeLaws, ...copyableRecordLaws].filter((law) => law.port === port)
  if (laws.length === 0) throw new TypeError(`there are no laws for a port named "${port}"`)
  return laws
}
