import {
  presentedCode,
  type SealedSecret,
  type SecondFactor,
  type TimeStep,
} from '../../../domain/identity/second-factor.js'
import type { AccountId } from '../../../domain/identity/account.js'
import type { Email } from '../../../domain/identity/email.js'
import type { Instant } from '../../../domain/instant.js'
import { accepted } from '../../../domain/parsed.js'
import type { Accounts } from '../../../ports/accounts.js'
import type { SecondFactors } from '../../../ports/second-factors.js'
import type { AuditEntry } from '../../audit/audit-trail.js'
import { given, parseFields, textField } from '../../fields.js'
import type { LoggedIn, ReplaceLogin } from '../impersonation/replace-login.js'
import type { Issued } from '../issue.js'
import type { CheckedCredentials } from '../presented.js'
import { attempted } from '../throttle.js'
import { factorConflict, notValid, ownAccount, ownLogin, type OwnFactorParts } from './own-account.js'
import { openSecret, type ProveFactorParts } from './prove-factor.js'
import { freshRecoveryCodes } from './recovery-codes.js'

/** A new login in the place of the one before, which has the second factor; the recovery codes are shown this once. */
export type FactorConfirmed = { readonly issued: Issued; readonly recoveryCodes: readonly string[] }

/**
 * Makes the factor that was set up active, with a code of it: from now on every login needs one. Other logins of the account go
 * on. In this order it refuses with
 * - `invalid-token`, `unauthenticated`: as `Authenticate`;
 * - `malformed`: the code is not text;
 * - `forbidden`: without the permission `auth: second-factor`, and while acting as another account;
 * - `invalid`: no code;
 * - `too-many-attempts`: of codes of this account;
 * - `invalid-token`: the account is gone, disabled or in another epoch;
 * - `conflict`: nothing was set up within the last hour, one is active, or another call has confirmed it;
 * - `invalid` with `not-valid`: the code is wrong, which is audited.
 */
export type ConfirmSecondFactor = (input: {
  code: unknown
  presented: CheckedCredentials
}) => Promise<FactorConfirmed>

/** What a confirmation is made of. */
export type ConfirmSecondFactorParts = OwnFactorParts &
  ProveFactorParts & { accounts: Accounts; secondFactors: SecondFactors; replaceLogin: ReplaceLogin }

/** A QR code that was left on a screen yesterday sets nothing up. */
const SET_UP_TTL = 60 * 60_000

/** Needs the permission `auth: second-factor`. */
export function createConfirmSecondFactor(parts: ConfirmSecondFactorParts): ConfirmSecondFactor {
  return async ({ presented, ...fields }) => {
    const identity = await parts.authenticate(presented)
    const text = textField('code', fields.code)
    const caller = ownLogin(parts, identity)
    const { code } = parseFields({ code: given(text, accepted) })
    const { client } = presented
    const { accountId: id, email, endsAt } = caller
    const entry = { event: 'factor.set', caller, subject: id, client } as const
    const pending = await attempted(parts.codeThrottle, { email, client }, () =>
      pendingOf(parts, caller, code),
    )
    if (!pending) {
      await parts.audit.record({ ...entry, outcome: 'failure' })
      throw notValid('code')
    }
    const recoveryCodes = await activate(parts, id, pending)
    await tell(parts, email, entry)
    const next = { account: await ownAccount(parts, caller), endsAt, factor: true, client } as const
    return { issued: await parts.replaceLogin(caller, next), recoveryCodes }
  }
}

async function tell(
  { audit, notices }: Pick<ConfirmSecondFactorParts, 'audit' | 'notices'>,
  email: Email,
  entry: AuditEntry,
): Promise<void> {
  await audit.record(entry)
  await notices?.send('factor', { email, client: entry.client, about: 'added' })
}

type Pending = { readonly sealedSecret: SealedSecret; readonly step: TimeStep; readonly at: Instant }

/** What the code confirms; `undefined` where it is the code of nothing. */
async function pendingOf(
  parts: ConfirmSecondFactorParts,
  caller: LoggedIn,
  text: string,
): Promise<Pending | undefined> {
  // Before anything is changed: who has begun a set-up may hold a token of a login that is over by now.
  const { id } = await ownAccount(parts, caller)
  const [at, factor, code] = [parts.clock(), await parts.secondFactors.find(id), presentedCode(text)]
  const { sealedSecret } = assertPending(factor, at)
  const opened = await openSecret(parts, id, { sealedSecret })
  const step = code && opened && parts.oneTimeCodes.stepOf(opened.secret, code.code, at)
  return step === undefined ? undefined : { sealedSecret, step, at }
}

function assertPending(factor: SecondFactor | undefined, at: Instant): SecondFactor {
  if (factor?.activeSince !== undefined) throw factorConflict('A second factor is active already.')
  if (!factor || at >= factor.begunAt + SET_UP_TTL) throw factorConflict('Set up a second factor first.')
  return factor
}

async function activate(
  parts: ConfirmSecondFactorParts,
  id: AccountId,
  pending: Pending,
): Promise<readonly string[]> {
  const { written, digests: recovery } = freshRecoveryCodes(parts)
  if ((await parts.secondFactors.activate(id, { ...pending, recovery })) === 'changed')
    throw factorConflict('The second factor was set up anew, or confirmed, meanwhile.')
  return written
}
