import type { Account, AccountId } from '../../../domain/identity/account.js'
import type { Email } from '../../../domain/identity/email.js'
import {
  presentedCode,
  type FactorSecret,
  type RecoveryCode,
  type RecoveryDigest,
  type SecondFactor,
} from '../../../domain/identity/second-factor.js'
import { Refusal } from '../../../domain/refusal.js'
import type { Clock } from '../../../ports/clock.js'
import type { Digest } from '../../../ports/digest.js'
import type { Log } from '../../../ports/log.js'
import type { OneTimeCodes } from '../../../ports/one-time-codes.js'
import type { CodeProof, SecondFactors } from '../../../ports/second-factors.js'
import type { SecretSeal } from '../../../ports/secret-seal.js'
import type { AuditTrail } from '../../audit/audit-trail.js'
import type { ClientContext } from '../../client-context.js'
import type { Notices } from '../../mail/notices.js'
import { attempted, digestOf, type Throttle } from '../throttle.js'

/** Whose second factor it is. */
export type FactorOwner = Pick<Account, 'id' | 'email'>

/**
 * Whether this is a code of the account's active second factor: one of the moment, or a recovery code, each accepted once
 * by any number of callers. Wrong ones are counted, whatever they are: refuses with `too-many-attempts` beyond
 * that. The use of a recovery code is audited.
 */
export type ProveFactor = (
  account: FactorOwner,
  code: string,
  client: ClientContext | undefined,
) => Promise<boolean>

/** What codes are proved with. */
export type ProveFactorParts = {
  secondFactors: SecondFactors
  oneTimeCodes: OneTimeCodes
  secretSeal: SecretSeal
  codeThrottle: Throttle
  notices?: Notices | undefined
  audit: AuditTrail
  digest: Digest
  clock: Clock
  log?: Log | undefined
}

/** The store decides: if two callers present one code concurrently, it is right for one of them. */
export function createProveFactor(parts: ProveFactorParts): ProveFactor {
  const { secondFactors } = parts
  return ({ id, email }, code, client) =>
    proveCode(parts, { id, email, client }, code, async (proof) => {
      const taking =
        proof.kind === 'step'
          ? secondFactors.takeStep(id, proof.step)
          : secondFactors.takeRecovery(id, proof.digest)
      return (await taking) === 'taken'
    })
}

/** Whose code it is, and where it comes from. */
export type CodeOwner = FactorOwner & { readonly client: ClientContext | undefined }

/** As `ProveFactor`, with the call of the store that uses the code up: `take` says whether it did. */
export async function proveCode(
  parts: ProveFactorParts,
  owner: CodeOwner,
  text: string,
  take: (proof: CodeProof) => Promise<boolean>,
): Promise<boolean> {
  const right = await attempted(parts.codeThrottle, owner, async () => {
    const code = presentedCode(text)
    const factor = await parts.secondFactors.find(owner.id)
    if (!code || factor?.activeSince === undefined) return undefined
    const isRight =
      code.kind === 'recovery'
        ? await isRecovery(parts, owner, code.code, take)
        : await isOneTime(parts, { id: owner.id, factor }, code.code, take)
    return isRight || undefined
  })
  return right === true
}

async function isOneTime(
  parts: ProveFactorParts,
  { id, factor }: { readonly id: AccountId; readonly factor: SecondFactor },
  code: string,
  take: (proof: CodeProof) => Promise<boolean>,
): Promise<boolean> {
  const opened = await openSecret(parts, id, factor)
  if (!opened) return false
  const step = parts.oneTimeCodes.stepOf(opened.secret, code, parts.clock())
  if (step === undefined || !(await take({ kind: 'step', step }))) return false
  if (!opened.isCurrent) await reseal(parts, { id, factor }, opened.secret)
  return true
}

/** The secret of a factor; without the key that has sealed it there is none, and an operator is told so. */
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
  'no passphrase opens the secret of this account: set SECURITY_JWT_PASSPHRASE_PREVIOUS to the one that was in force ' +
  'when it was set up, or remove the factor with app user factor'

/** So that the previous passphrase can go one day. Where another call has just done so it is done. */
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

/** The refusal where a code is needed and none came. */
export function factorRequired(): Refusal {
  const message = 'second-factor-required'
  return new Refusal('second-factor-required', [{ field: 'code', type: 'Required', message }])
}
