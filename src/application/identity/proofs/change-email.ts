import { shownEmail, type Account, type AccountId } from '../../../domain/identity/account.js'
import { email as parseEmail, enteredEmail, type Email } from '../../../domain/identity/email.js'
import type { Identity } from '../../../domain/access/caller.js'
import { accepted, broken, type Parsed } from '../../../domain/parsed.js'
import { refuseField } from '../../../domain/refusal.js'
import { parseFields, parseRequired } from '../../fields.js'
import { identityOperation } from '../identity-operation.js'
import { isOwnPassword, notValid, OWN_PASSWORD_PARTS, ownLogin } from '../own-account.js'
import type { GivenParts } from '../part-types.js'
import { formParser, formText } from '../presented.js'
import { PROOF_MEMBERS, type PresentedProof } from './present-proof.js'
import { newProof, type RequestedProof } from './request-proof.js'

const REQUEST_PARTS = [...OWN_PASSWORD_PARTS, 'requestProof'] as const

/**
 * Queues an email to the new address of the caller's account; the caller must prove the password. The account keeps its email until the new
 * address is proven. If another account has the new email, nothing is sent. See `RequestProof` for the limits. Refuses the call with the
 * first of these codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or lacks the permission `auth: change-email`;
 * - `malformed`: the email or the password is not a string;
 * - `invalid`: one of them is missing, the text cannot be an email address, or it is the email of the account;
 * - `too-many-attempts`: too many attempts on this account or from this network, counted like logins;
 * - `invalid` with `not-valid`: the password is wrong;
 * - `overloaded`: too many passwords are being hashed, or too many emails are queued.
 */
export const requestEmailChange = identityOperation({
  permission: ['auth', 'change-email'],
  input: formParser({ email: formText, password: formText }),
  parts: REQUEST_PARTS,
  run:
    (parts: GivenParts<typeof REQUEST_PARTS>, checks) =>
    async (input): Promise<RequestedProof> => {
      const { caller, client, email: entry, password: typed } = await ownLogin(parts, input, checks)
      const { email, password } = parseFields({
        email: parseRequired(entry, (one) => otherEmail(one, caller.email)),
        password: parseRequired(typed, accepted),
      })
      if (!(await isOwnPassword(parts, caller, { password, client }))) throw notValid('password')
      const { accountId, epoch } = caller
      const entered = enteredEmail(entry ?? '')
      const form = entered !== email && { enteredEmail: entered }
      return await parts.requestProof({ purpose: 'change-email', email, accountId, epoch, ...form }, client)
    },
})

function otherEmail(text: string, own: Email): Parsed<Email> {
  const parsed = parseEmail(text)
  return parsed.ok && parsed.value === own
    ? broken('NotValid', 'is already the email of the account')
    : parsed
}

const CONFIRM_PARTS = [
  ...([
    'presentProof',
    'proofs',
    'accounts',
    'timeOrderedIds',
    'queueMail',
    'audit',
    'clock',
    'log',
  ] as const),
] as const
type Parts = GivenParts<typeof CONFIRM_PARTS>

/**
 * Changes the email of an account to the address that the proof proves. Needs no login, because the link may be opened on another device.
 * Ends all sessions of the account, and sends an email to the previous address, with a link that undoes the change for 72 hours. Refuses
 * the call with the first of these codes that applies:
 * - `malformed`: a member is not a string;
 * - `invalid`: the proof is refused; see `PresentProof`;
 * - `forbidden`: the account lacks the permission `auth: change-email`;
 * - `conflict`: another account has taken this email in the meantime (the proof is used up).
 */
export const confirmEmailChange = identityOperation({
  permission: ['auth', 'change-email'],
  input: formParser(PROOF_MEMBERS),
  parts: CONFIRM_PARTS,
  run:
    (parts: Parts, { assertPermitted, read }) =>
    async (input): Promise<void> => {
      const { client } = input.presented
      const presented = await parts.presentProof({ ...read(input), client }, 'change-email')
      const account = await accountOf(parts, presented)
      assertPermitted(identityOf(account))
      const { email, enteredEmail: entered, id: accountId } = account
      const form = entered !== undefined && { enteredEmail: entered }
      const clock = await clockAfterUndos(parts, accountId)
      const undo = newProof({ ...parts, clock }, { purpose: 'undo-email', email, accountId, ...form })
      assertChanged(await parts.proofs.changeEmail(presented.use, undo), presented)
      await parts.audit.record({
        event: 'email.change',
        caller: identityOf(account),
        subject: accountId,
        client,
      })
      try {
        await parts.queueMail('undo-email', shownEmail(account), client, { id: undo.id })
      } catch (error) {
        // The email is already changed, so the call succeeds even if this step fails.
        parts.log?.error('an email was changed, but the email that can undo it was not queued', {
          error,
        })
      }
    },
})

/**
 * An undo link voids the undo links whose IDs sort after its own ID. The instance that stored an earlier undo link may have a clock that
 * runs ahead, so a new undo link gets a later time than all earlier undo links.
 */
async function clockAfterUndos({ proofs, clock }: Pick<Parts, 'proofs' | 'clock'>, id: AccountId) {
  const undos = (await proofs.listOf(id)).filter(({ purpose }) => purpose === 'undo-email')
  return () => Math.max(clock(), ...undos.map(({ createdAt }) => createdAt + 1))
}

/**
 * Restores the previous email of an account with the token from the email to this address. Ends all sessions of the account, and voids
 * the links that would undo a later change. Refuses the call in the same cases as `confirmEmailChange`.
 */
export const undoEmailChange = identityOperation({
  permission: ['auth', 'change-email'],
  input: formParser({ token: PROOF_MEMBERS.token }),
  parts: ['presentProof', 'proofs', 'accounts', 'audit'],
  run:
    (parts, { assertPermitted, read }) =>
    async (input): Promise<void> => {
      const { client } = input.presented
      const presented = await parts.presentProof({ ...read(input), client }, 'undo-email')
      const account = await accountOf(parts, presented)
      assertPermitted(identityOf(account))
      assertChanged(await parts.proofs.undoEmail(presented.use), presented)
      await parts.audit.record({
        event: 'email.undo',
        caller: identityOf(account),
        subject: account.id,
        client,
      })
    },
})

async function accountOf(
  { accounts }: Pick<Parts, 'accounts'>,
  { proof, refusal }: PresentedProof,
): Promise<Account> {
  const account = proof.accountId === undefined ? undefined : await accounts.find(proof.accountId)
  if (!account) throw refusal
  return account
}

function identityOf({ id: accountId, email, roles }: Account): Identity {
  return { kind: 'account', accountId, email, roles }
}

function assertChanged(outcome: 'changed' | 'email-taken' | 'spent', { refusal }: PresentedProof): void {
  if (outcome === 'email-taken')
    throw refuseField('conflict', 'email', 'Duplicate', 'An account with this email exists already.')
  if (outcome === 'spent') throw refusal
}
