import { invalidToken } from '../../domain/refusal.js'
import { EXPORT_PARTS, OPTIONAL_EXPORT_PARTS, readExport, type UserExport } from '../accounts/export-user.js'
import { removeAccount } from '../accounts/users.js'
import { identityOperation } from './identity-operation.js'
import { OWN_PROOF_PARTS, ownProof, provenLogin } from './own-account.js'

/**
 * Permanently deletes the logged-in account with all data about it; see `removeAccount`. Requires the account's password, and a code
 * if a second factor is active. Projects and pets remain, and the audit log keeps the account ID. Refuses the call with the first of these
 * codes that applies:
 * - `invalid-token` or `unauthenticated`: in the same cases as `Authenticate`;
 * - `forbidden`: the caller acts as another account, or lacks the permission `auth: delete-account`;
 * - `malformed`: the password or the code is not a string;
 * - `fresh-login-required`: the account has no password, and the login is not fresh; see `AssertFresh`;
 * - the codes of `provenAccount`;
 * - `invalid-token`: another call has removed the account, or ended this login, in the meantime.
 *
 * Audits each deletion, and each failure caused by the password or the code.
 */
export const deleteAccount = identityOperation({
  permission: ['auth', 'delete-account'],
  input: ownProof,
  parts: [...OWN_PROOF_PARTS, 'apiKeys', 'auditLog', 'clock', 'mailQueue'],
  optional: ['apiKeys', 'auditLog', 'mailQueue', 'proveFactor'],
  run:
    (parts, checks) =>
    async (input): Promise<void> => {
      const event = 'account.delete'
      const { caller } = await provenLogin(parts, input, checks, event)
      if (
        (await removeAccount(parts, caller.accountId, { event, caller, epoch: caller.epoch })) === 'unknown'
      )
        throw invalidToken('the account was removed or disabled, or its epoch has changed')
    },
})

/**
 * Returns all data about the logged-in account, without credentials and without data about other people. Requires the account's password,
 * and a code if a second factor is active, so that stolen login credentials are not enough. Requires the permission `auth: export-account`,
 * and otherwise refuses the call in the same cases as `deleteAccount`, except the last.
 *
 * Audits each export, and each failure caused by the password or the code.
 */
export const exportAccount = identityOperation({
  permission: ['auth', 'export-account'],
  input: ownProof,
  parts: [...OWN_PROOF_PARTS, ...EXPORT_PARTS],
  optional: [...OPTIONAL_EXPORT_PARTS, 'proveFactor'],
  run:
    (parts, checks) =>
    async (input): Promise<UserExport> => {
      const event = 'account.export'
      const { caller, client, account } = await provenLogin(parts, input, checks, event)
      await parts.audit.record({ event, caller, subject: account.id, client })
      return await readExport(parts, account)
    },
})
