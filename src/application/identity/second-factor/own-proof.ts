import type { Identity } from '../../../domain/access/caller.js'
import { accepted } from '../../../domain/parsed.js'
import type { Refusal } from '../../../domain/refusal.js'
import type { SecondFactors } from '../../../ports/second-factors.js'
import { given, parseFields, textField } from '../../fields.js'
import type { ClientContext } from '../../client-context.js'
import type { LoggedIn } from '../impersonation/replace-login.js'
import {
  factorConflict,
  isOwnPassword,
  ownLogin,
  type OwnFactorParts,
  type OwnPasswordParts,
} from './own-account.js'

/** The password and a code, with which the owner changes an active factor. */
export type OwnProof = { readonly caller: LoggedIn; readonly password: string; readonly code: string }

/**
 * Reads both. In this order it refuses with `malformed`: password or code is not text; `forbidden`: as `ownLogin`; `invalid`:
 * password or code is missing.
 */
export function readOwnProof(
  parts: Pick<OwnFactorParts, 'authorize'>,
  identity: Identity,
  fields: { readonly password: unknown; readonly code: unknown },
): OwnProof {
  const password = textField('password', fields.password)
  const code = textField('code', fields.code)
  const caller = ownLogin(parts, identity)
  return { caller, ...parseFields({ password: given(password, accepted), code: given(code, accepted) }) }
}

/** The parts that judge the proof. */
export type OwnProofParts = OwnPasswordParts & { readonly secondFactors: SecondFactors }

/** Which part of the proof is wrong. The password is judged first, because a judged code is used up. */
export async function wrongPart(
  parts: OwnProofParts,
  { caller, password }: Pick<OwnProof, 'caller' | 'password'>,
  client: ClientContext | undefined,
  isRightCode: () => Promise<boolean>,
): Promise<'password' | 'code' | undefined> {
  if (!(await isOwnPassword(parts, caller, { password, client }))) return 'password'
  if ((await parts.secondFactors.find(caller.accountId))?.activeSince === undefined) throw noFactor()
  return (await isRightCode()) ? undefined : 'code'
}

/** The refusal if the account has no active factor. */
export function noFactor(): Refusal {
  return factorConflict('No second factor is active.')
}
