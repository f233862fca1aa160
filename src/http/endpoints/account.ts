import { CHANGE_PASSWORD, LOGGED_IN, LOGGED_OUT, OWN_PASSWORD } from '../description/examples.js'
import { clearedCookie, issuedCookie } from '../description/headers.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { success } from '../reply/envelope.js'
import { exportedUser } from '../reply/exported-user.js'
import { USER_EXPORT, userExportSchema } from '../schemas/administration.js'
import {
  changePasswordBodySchema,
  confirmBodySchema,
  deleteAccountBodySchema,
  envelope,
  exportAccountBodySchema,
} from '../schemas/identity.js'
import { calling, issuedReply, loggedOutReply, passwordAndCode, members } from '../stages.js'

/** Declares `POST /api/auth/change-password`. */
export const changePassword: Endpoint = {
  method: 'POST',
  path: '/api/auth/change-password',
  body: bodyOf(changePasswordBodySchema, CHANGE_PASSWORD),
  describe: (settings) => ({
    summary: 'Change the password of your own account',
    description: 'Needs the current password. All logins of the account end; the reply has a new login.',
    replies: {
      200: identityReply('Changed; the previous credentials are void', LOGGED_IN, issuedCookie(settings)),
    },
    refusals: refused.ownPassword(settings),
  }),
  ...calling('changePassword', members('password', 'newPassword'), issuedReply),
}

/** Declares `POST /api/auth/confirm`. */
export const confirmLogin: Endpoint = {
  method: 'POST',
  path: '/api/auth/confirm',
  body: bodyOf(confirmBodySchema, OWN_PASSWORD),
  describe: (settings) => ({
    summary: 'Confirm your login',
    description: `Needs the password, and a code if a second factor is active${settings.passkeyDomain ? '; or a passkey' : ''}. Call this after a 401 with the message \`fresh-login-required\`, and then repeat the rejected request with the new credentials.`,
    replies: {
      200: identityReply('Confirmed; the previous credentials are void', LOGGED_IN, issuedCookie(settings)),
    },
    refusals: refused.OWN_PROOF,
  }),
  ...calling(
    'confirmLogin',
    (exchange, { passkeyDomain }) => ({
      ...passwordAndCode(exchange),
      ...(passkeyDomain && { passkey: exchange.json?.['passkey'] }),
    }),
    issuedReply,
  ),
}

/** Declares `POST /api/auth/delete-account`; by default, no caller has the permission. */
export const deleteAccount: Endpoint = {
  method: 'POST',
  path: '/api/auth/delete-account',
  body: bodyOf(deleteAccountBodySchema, OWN_PASSWORD),
  describe: (settings) => ({
    summary: 'Delete your own account',
    description:
      'Needs the password, and a code if a second factor is active. Permanently deletes the account with its logins and all its data except the id.',
    replies: { 200: identityReply('Deleted, and logged out', LOGGED_OUT, clearedCookie(settings)) },
    refusals: refused.OWN_PROOF,
  }),
  ...calling('deleteAccount', passwordAndCode, (_deleted, { exchange }) => loggedOutReply(exchange)),
}

/** Declares `POST /api/auth/export-account`; by default, no caller has the permission. */
export const exportAccount: Endpoint = {
  method: 'POST',
  path: '/api/auth/export-account',
  body: bodyOf(exportAccountBodySchema, OWN_PASSWORD),
  describe: () => ({
    summary: 'Export all data of your own account',
    description:
      'Needs the password, and a code if a second factor is active. The data contains no credentials.',
    replies: {
      200: {
        description: 'The data',
        schema: envelope('AccountExportEnvelope', { export: userExportSchema }),
        example: success({ export: USER_EXPORT }),
      },
    },
    refusals: { ...refused.OWN_PROOF, 409: refused.LONG_EXPORT },
  }),
  ...calling('exportAccount', passwordAndCode, async (data) => ({
    status: 200,
    body: success({ export: await exportedUser(data) }),
  })),
}
