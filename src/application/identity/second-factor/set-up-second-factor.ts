import type { AccountId } from '../../../domain/identity/account.js'
import {
  presentedCode,
  type FactorSecret,
  type SealedSecret,
  type SecondFactor,
  type TimeStep,
} from '../../../domain/identity/second-factor.js'
import type { Instant } from '../../../domain/instant.js'
import { accepted } from '../../../domain/parsed.js'
import { invalidToken } from '../../../domain/refusal.js'
import type { Enrolment } from '../../../ports/second-factors.js'
import { optional, parseFields, text, parseRequired } from '../../fields.js'
import { identityOperation, type GivenParts } from '../identity-operation.js'
import type { Issued } from '../issue.js'
import {
  wrongProof,
  OWN_PASSWORD_PARTS,
  ownLogin,
  passwordCheck,
  ownAccount,
  type LoggedIn,
} from '../own-account.js'
import { formParser, formText } from '../presented.js'
import { withAttemptCounted } from '../throttle.js'
import { factorConflict } from './own-second-factor.js'
import { freshRecoveryCodes, openSecret, PROOF_PARTS } from './prove-factor.js'

/** The secret for an authenticator app. The secret is shown only here. */
export type FactorSetUp = Enrolment & { readonly secret: FactorSecret }

/**
 * Begins to set up a second factor for the caller's account. Logins require the factor only after `confirmSecondFactor`. An earlier setup
 * that was not confirmed is discarded. Refuses the call with the first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller lacks the permission `auth: second-factor`, or acts as another account;
 * - `malformed`: the password is not a string;
 * - `fresh-login-required`: the account has no password, and the login is not fresh; see `AssertFresh`;
 * - `invalid`: the password is missing;
 * - `too-many-attempts`: too many attempts on this account or from this network, if logins are limited;
 * - `invalid-token`: the account is deleted or disabled, or its epoch has changed;
 * - `invalid` with `not-valid`: the password is wrong (this is audited);
 * - `conflict`: a factor is already active and must be removed first.
 */
export const setUpSecondFactor = identityOperation({
  permission: ['auth', 'second-factor'],
  input: formParser({ password: optional(text) }),
  parts: [...OWN_PASSWORD_PARTS, 'secondFactors', 'oneTimeCodes', 'secretSeal', 'audit', 'clock'],
  run:
    (parts, checks) =>
    async (input): Promise<FactorSetUp> => {
      const own = await ownLogin(parts, input, checks)
      const { caller, client } = own
      const { password: isRight } = parseFields({ password: await passwordCheck(parts, own, own.password) })
      const { accountId: id, email } = caller
      const entry = { event: 'factor.set', caller, subject: id, client } as const
      if (!(await isRight())) throw await wrongProof(parts, entry, 'password')
      const secret = parts.oneTimeCodes.freshSecret()
      const sealedSecret = await parts.secretSeal.seal(secret, id)
      const outcome = await parts.secondFactors.begin(id, { sealedSecret, at: parts.clock() })
      if (outcome === 'active') throw factorConflict('A second factor is active: remove it first.')
      if (outcome === 'unknown-account') throw invalidToken('the account no longer exists')
      return { secret, ...parts.oneTimeCodes.enrolment(secret, email) }
    },
})

/** A new login with the second factor; it replaces the previous login. The recovery codes are shown only here. */
export type FactorConfirmed = { readonly issued: Issued; readonly recoveryCodes: readonly string[] }

const PARTS = [...PROOF_PARTS, 'authenticate', 'accounts', 'replaceLogin'] as const
type Parts = GivenParts<typeof PARTS>

/** How long a setup can be confirmed; afterwards, a QR code left on a screen is useless. */
const SET_UP_TTL = 60 * 60_000

/**
 * Activates the second factor that was set up, after checking its code; from then on every login requires a code. Other logins of the
 * account remain valid. Refuses the call with the first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller lacks the permission `auth: second-factor`, or acts as another account;
 * - `malformed`: the code is not a string;
 * - `invalid`: the code is missing;
 * - `too-many-attempts`: too many codes were tried for this account;
 * - `invalid-token`: the account is deleted or disabled, or its epoch has changed;
 * - `conflict`: nothing was set up within the last hour, a factor is already active, or another call has confirmed the setup;
 * - `invalid` with `not-valid`: the code is wrong (this is audited).
 */
export const confirmSecondFactor = identityOperation({
  permission: ['auth', 'second-factor'],
  input: formParser({ code: formText }),
  parts: PARTS,
  run:
    (parts: Parts, checks) =>
    async (input): Promise<FactorConfirmed> => {
      const { caller, client, code: text } = await ownLogin(parts, input, checks)
      const { code } = parseFields({ code: parseRequired(text, accepted) })
      const { accountId: id, email, endsAt, proved } = caller
      const entry = { event: 'factor.set', caller, subject: id, client } as const
      const pending = await withAttemptCounted(parts.codeThrottle, { email, client }, () =>
        pendingOf(parts, caller, code),
      )
      if (!pending) throw await wrongProof(parts, entry, 'code')
      const recoveryCodes = await activate(parts, id, pending)
      await parts.audit.record(entry)
      await parts.notices?.send('factor', { email, client, about: 'added' })
      const next = {
        account: await ownAccount(parts, caller),
        ...{ endsAt, factor: pending.at, client },
        // A code without the password does not count as a proof of identity.
        ...(proved && { proved: { ...proved, factorAt: pending.at } }),
      }
      return { issued: await parts.replaceLogin(caller, next), recoveryCodes }
    },
})

type Pending = { readonly sealedSecret: SealedSecret; readonly step: TimeStep; readonly at: Instant }

/** Resolves with the setup that the code confirms, or with `undefined` if the code is wrong. */
async function pendingOf(parts: Parts, caller: LoggedIn, text: string): Promise<Pending | undefined> {
  // Checks the account before any change, because the login that began the setup may have ended.
  const { id } = await ownAccount(parts, caller)
  const [at, factor, code] = [parts.clock(), await parts.secondFactors.find(id), presentedCode(text)]
  const { sealedSecret } = assertPending(factor, at)
  const opened = await openSecret(parts, id, { sealedSecret })
  const step = code && opened && parts.oneTimeCodes.stepOf(opened.secret, code.code, at)
  return step === undefined ? undefined : { sealedSecret, step, at }
}

function assertPending(factor: SecondFactor | undefined, at: Instant): SecondFactor {
  if (factor?.activeSince !== undefined) throw factorConflict('A second factor is already active.')
  if (!factor || at >= factor.begunAt + SET_UP_TTL) throw factorConflict('Set up a second factor first.')
  return factor
}

async function activate(parts: Parts, id: AccountId, pending: Pending): Promise<readonly string[]> {
  const { written, digests: recovery } = freshRecoveryCodes(parts)
  if ((await parts.secondFactors.activate(id, { ...pending, recovery })) === 'changed')
    throw factorConflict('Another request has confirmed this second factor or set up a new one.')
  return written
}
