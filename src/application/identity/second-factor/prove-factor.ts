import type { Account, AccountId } from '../../../domain/identity/account.js'
import type { Email } from '../../../domain/identity/email.js'
import {
  presentedCode,
  RECOVERY_CODES,
  writtenRecoveryCode,
  type FactorSecret,
  type RecoveryCode,
  type RecoveryDigest,
  type SecondFactor,
} from '../../../domain/identity/second-factor.js'
import type { Instant } from '../../../domain/instant.js'
import { Refusal } from '../../../domain/refusal.js'
import type { CodeProof } from '../../../ports/second-factors.js'
import type { ClientContext } from '../../client-context.js'
import { withAttemptCounted, digestOf } from '../throttle.js'
import type { GivenShared } from '../../shared-parts.js'

export type FactorOwner = Pick<Account, 'id' | 'email'>

/**
 * If the code is valid, resolves with the time when the active second factor was confirmed; otherwise resolves with `undefined`. A valid
 * code is a current one-time code or a recovery code of the account. Each code is accepted only once. Wrong codes are counted; at the
 * limit, refuses with `too-many-attempts`. Audits the use of a recovery code.
 */
export type ProveFactor = (
  account: FactorOwner,
  code: string,
  client: ClientContext | undefined,
) => Promise<Instant | undefined>

export const PROOF_PARTS = [
  ...(['secondFactors', 'oneTimeCodes', 'secretSeal', 'codeThrottle', 'notices', 'audit'] as const),
  ...(['digest', 'clock', 'log'] as const),
] as const

export type ProveFactorParts = GivenShared<typeof PROOF_PARTS>

/** The store decides: if two callers send the same code concurrently, only one of them succeeds. */
export function createProveFactor(parts: ProveFactorParts): ProveFactor {
  const { secondFactors } = parts
  return ({ id, email }, code, client) =>
    proveCode(parts, { id, email, client }, code, async (proof) => {
      const taking =
        proof.kind === 'step'
          ? secondFactors.takeStep(id, proof)
          : secondFactors.takeRecovery(id, proof.digest)
      return (await taking) === 'taken'
    })
}

export type CodeOwner = FactorOwner & { readonly client: ClientContext | undefined }

/** Works like `ProveFactor`, but calls `take`, which marks the code as used in the store and returns whether it was unused. */
export async function proveCode(
  parts: ProveFactorParts,
  owner: CodeOwner,
  text: string,
  take: (proof: CodeProof) => Promise<boolean>,
): Promise<Instant | undefined> {
  return await withAttemptCounted(parts.codeThrottle, owner, async () => {
    const code = presentedCode(text)
    const factor = await parts.secondFactors.find(owner.id)
    if (!code || factor?.activeSince === undefined) return undefined
    const isRight =
      code.kind === 'recovery'
        ? await isRecovery(parts, owner, code.code, take)
        : await isOneTime(parts, { id: owner.id, factor, since: factor.activeSince }, code.code, take)
    return isRight ? factor.activeSince : undefined
  })
}

async function isOneTime(
  parts: ProveFactorParts,
  { id, factor, since }: { readonly id: AccountId; readonly factor: SecondFactor; readonly since: Instant },
  code: string,
  take: (proof: CodeProof) => Promise<boolean>,
): Promise<boolean> {
  const opened = await openSecret(parts, id, factor)
  if (!opened) return false
  const step = parts.oneTimeCodes.stepOf(opened.secret, code, parts.clock())
  if (step === undefined || !(await take({ kind: 'step', step, since }))) return false
  if (!opened.isCurrent) await reseal(parts, { id, factor }, opened.secret)
  return true
}

/** Resolves with the secret of a factor. If the key that sealed the secret is missing, logs a warning and resolves with `undefined`. */
export async function openSecret(
  { secretSeal, log }: Pick<ProveFactorParts, 'secretSeal' | 'log'>,
  id: AccountId,
  { sealedSecret }: Pick<SecondFactor, 'sealedSecret'>,
) {
  const opened = await secretSeal.open(sealedSecret, id)
  if (!opened) log?.warn('second factor', { accountId: id, detail: NO_KEY })
  return opened
}

const NO_KEY =
  'no passphrase decrypts the secret of this account: set SECURITY_JWT_PASSPHRASE_PREVIOUS to the passphrase that was in use ' +
  'when the factor was set up, or remove the factor with the command "app user factor"'

/** Seals the secret with the current passphrase, so that an operator can drop the previous passphrase later. */
async function reseal(
  { secretSeal, secondFactors }: ProveFactorParts,
  { id, factor }: { readonly id: AccountId; readonly factor: SecondFactor },
  secret: FactorSecret,
): Promise<void> {
  await secondFactors.reseal(id, factor.sealedSecret, await secretSeal.seal(secret, id))
}

async function isRecovery(
  { notices, audit, digest }: ProveFactorParts,
  { id, email, client }: CodeOwner,
  code: RecoveryCode,
  take: (proof: CodeProof) => Promise<boolean>,
): Promise<boolean> {
  if (!(await take({ kind: 'recovery', digest: digestOf(digest, code) as RecoveryDigest }))) return false
  await audit.record({ event: 'factor.recovery', caller: ownerOf(id, email), subject: id, client })
  await notices?.send('factor', { email, client, about: 'recovery' })
  return true
}

function ownerOf(accountId: AccountId, email: Email) {
  return { kind: 'account', accountId, email, roles: [] } as const
}

export function factorRequired(field = 'code'): Refusal {
  const message = 'second-factor-required'
  return new Refusal('second-factor-required', [{ field, type: 'Required', message }])
}

/** Creates recovery codes. Returns the codes for the owner and their digests for the store. */
export function freshRecoveryCodes({
  oneTimeCodes,
  digest,
}: Pick<ProveFactorParts, 'oneTimeCodes' | 'digest'>) {
  const codes = Array.from({ length: RECOVERY_CODES }, () => oneTimeCodes.freshRecoveryCode())
  return {
    written: codes.map(writtenRecoveryCode),
    digests: codes.map((code) => digestOf(digest, code) as RecoveryDigest),
  }
}
