import type { Identity } from '../../../domain/access/caller.js'
import type { AuditEvent } from '../../../domain/audit.js'
import { shownEmail, type Account, type AccountId } from '../../../domain/identity/account.js'
import {
  canonicalEmail,
  email as parseEmail,
  withEnteredForm,
  type Email,
} from '../../../domain/identity/email.js'
import { broken, type Parsed } from '../../../domain/parsed.js'
import { defined } from '../../../domain/plain-data.js'
import { notPermitted } from '../../../domain/refusal.js'
import { emailTaken } from '../../accounts/named-account.js'
import { optional, parseFields, parseRequired, text } from '../../fields.js'
import { identityOperation, type GivenParts } from '../identity-operation.js'
import { wrongProof, OWN_PASSWORD_PARTS, ownLogin, passwordCheck } from '../own-account.js'
import { formParser, formText, type CheckedCredentials, type Checks } from '../presented.js'
import { PROOF_MEMBERS, type GivenProof } from './present-proof.js'
import { newProof, type RequestedProof } from './request-proof.js'

/**
 * Queues an email to the new address of the caller's account; the caller must prove the password. The account keeps its email until the new
 * address is proven. If another account has the new email, nothing is sent. See `RequestProof` for the limits. Refuses the call with the
 * first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or lacks the permission `auth: change-email`;
 * - `malformed`: the email, the password or the secret of the browser is not a string;
 * - `fresh-login-required`: the account has no password, and the login is not fresh; see `AssertFresh`;
 * - `invalid`: the email or the password is missing, the email is malformed, or the account already has this email;
 * - `too-many-attempts`: too many attempts on this account or from this network, counted like logins;
 * - `invalid` with `not-valid`: the password is wrong (this is audited);
 * - `overloaded`: too many passwords are being hashed, or too many emails are queued.
 */
export const requestEmailChange = identityOperation({
  permission: ['auth', 'change-email'],
  input: formParser({ email: formText, password: optional(text), browserSecret: optional(text) }),
  parts: [...OWN_PASSWORD_PARTS, 'requestProof', 'audit'],
  run:
    (parts, checks) =>
    async (input): Promise<RequestedProof> => {
      const own = await ownLogin(parts, input, checks)
      const { caller, client, email: entry = '' } = own
      const { email, password: isRight } = parseFields({
        email: parseRequired(entry, (one) => otherEmail(one, caller.email)),
        password: await passwordCheck(parts, own, own.password),
      })
      const { accountId, epoch } = caller
      const failed = { event: 'email.change', caller, subject: accountId, client } as const
      if (!(await isRight())) throw await wrongProof(parts, failed, 'password')
      const forms = withEnteredForm(email, entry)
      return await parts.requestProof({ purpose: 'change-email', ...forms, accountId, epoch }, own)
    },
})

function otherEmail(text: string, own: Email): Parsed<Email> {
  const parsed = parseEmail(text)
  return parsed.ok && parsed.value === canonicalEmail(own)
    ? broken('NotValid', 'is already the email of the account')
    : parsed
}

const PROVEN_PARTS = ['presentProof', 'proofs', 'accounts', 'permissions', 'audit'] as const

/**
 * Changes an account's email to the proven address. Needs no login, because the link may be opened on another device. Ends all sessions of
 * the account, and sends an email to the previous address, with a link that undoes the change for 72 hours. Refuses the call with the first
 * of these codes that applies:
 * - `malformed`: a member is not a string;
 * - `invalid`: the proof is refused; see `PresentProof`;
 * - `forbidden`: the account lacks the permission `auth: change-email`;
 * - `conflict`: another account has taken this email in the meantime (the proof is used up).
 */
export const confirmEmailChange = identityOperation({
  permission: ['auth', 'change-email'],
  input: formParser(PROOF_MEMBERS),
  parts: [...PROVEN_PARTS, 'timeOrderedIds', 'queueMail', 'clock', 'log'],
  run:
    (parts, checks) =>
    async (input): Promise<void> => {
      const change = await provenChange(parts, input, checks, 'change-email')
      const { account, client } = change
      const { email, enteredEmail, id: accountId } = account
      const clock = await clockAfterUndos(parts, accountId)
      const old = { email, ...defined({ enteredEmail }), accountId }
      const undo = newProof({ ...parts, clock }, { purpose: 'undo-email', ...old })
      await change.conclude('email.change', await parts.proofs.changeEmail(change.use, undo))
      try {
        await parts.queueMail('undo-email', shownEmail(account), client, { id: undo.id })
      } catch (error) {
        // The email is already changed, so the call succeeds even if this step fails.
        parts.log?.error(
          'an email address was changed, but the email that can undo the change was not queued',
          { error },
        )
      }
    },
})

/**
 * Using an undo link invalidates all undo links with later IDs. Instances' clocks differ, so a new link must get a later time than all
 * existing links.
 */
async function clockAfterUndos({ proofs, clock }: GivenParts<readonly ['proofs', 'clock']>, id: AccountId) {
  const undos = (await proofs.listOf(id)).filter(({ purpose }) => purpose === 'undo-email')
  return () => Math.max(clock(), ...undos.map(({ createdAt }) => createdAt + 1))
}

/**
 * Restores the previous email of an account with the token from the email to this address. Ends all sessions of the account, and
 * invalidates the links that would undo a later change. Refuses the call in the same cases as `confirmEmailChange`.
 */
export const undoEmailChange = identityOperation({
  permission: ['auth', 'change-email'],
  input: formParser({ token: PROOF_MEMBERS.token }),
  parts: PROVEN_PARTS,
  run:
    (parts, checks) =>
    async (input): Promise<void> => {
      const change = await provenChange(parts, input, checks, 'undo-email')
      await change.conclude('email.undo', await parts.proofs.undoEmail(change.use))
    },
})

/**
 * Checks the permission of the account that requested the proof. After the change, the caller must call `conclude`, which audits the change,
 * or refuses the call if the email was not changed. The permission's conditions were already checked when the change was requested.
 */
async function provenChange(
  { presentProof, accounts, permissions, audit }: GivenParts<typeof PROVEN_PARTS>,
  input: { readonly presented: CheckedCredentials },
  { read }: Pick<Checks<GivenProof>, 'read'>,
  purpose: 'change-email' | 'undo-email',
) {
  const { client } = input.presented
  const { proof, use, refusal } = await presentProof({ ...read(input), client }, purpose)
  const account = proof.accountId === undefined ? undefined : await accounts.find(proof.accountId)
  if (!account) throw refusal
  const caller = identityOf(account)
  if (!permissions.allows(caller, 'auth', 'change-email')) throw notPermitted('auth: change-email')
  const conclude = async (event: AuditEvent, outcome: 'changed' | 'email-taken' | 'spent') => {
    if (outcome === 'email-taken') throw emailTaken()
    if (outcome === 'spent') throw refusal
    await audit.record({ event, caller, subject: account.id, client })
  }
  return { account, client, use, conclude }
}

function identityOf({ id: accountId, email, roles }: Account): Identity {
  return { kind: 'account', accountId, email, roles }
}
