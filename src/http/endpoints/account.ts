import { CHANGE_PASSWORD, LOGGED_IN, LOGGED_OUT, OWN_PASSWORD, RESET } from '../description/examples.js'
import { clearedCookie, issuedCookie } from '../description/headers.js'
import * as refused from '../description/refusals.js'
import { identityReply } from '../description/replies.js'
import { bodyOf, type Endpoint } from '../endpoint.js'
import { success, loggedOutView, succeeded } from '../reply/envelope.js'
import { USER_EXPORT, userExportSchema } from '../schemas/administration.js'
import {
  changePasswordBodySchema,
  confirmBodySchema,
  deleteAccountBodySchema,
  envelope,
  exportAccountBodySchema,
  resetBodySchema,
} from '../schemas/identity.js'
import {
  calling,
  issuedReply,
  loggedOutReply,
  passwordAndCode,
  members,
  forEveryone,
  presentedOf,
} from '../stages.js'
import { OPEN } from '../description/security.js'
import type { UserExport } from '../../application/accounts/export-user.js'
import { withIsoTimes } from '../../domain/instant.js'
import { Refusal } from '../../domain/refusal.js'

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

/**
 * Declares `POST /api/auth/reset-password`; by default, no caller has the permission. A request with a token sets a new password. A request
 * without a token makes the service send an email.
 */
export const resetPassword: Endpoint = {
  method: 'POST',
  path: '/api/auth/reset-password',
  operation: 'requestPasswordReset',
  body: bodyOf(resetBodySchema, RESET),
  describe: (settings) => ({
    id: 'resetPassword',
    summary: 'Request a password-reset email, or set a new password with the token from the email',
    description:
      '`email` alone requests the mail; the reply does not depend on whether the account exists. Send `email`, `resetToken` and `password` to set a new password; this ends all sessions of the account and does not log in.',
    security: OPEN,
    replies: { 200: identityReply('Email requested, or password set', LOGGED_OUT) },
    refusals: {
      400: refused.MISSING('email'),
      403: refused.OTHER_ORIGIN,
      ...refused.tooManyAttempts(settings),
    },
  }),
  stages: forEveryone,
  work:
    ({ useCases }) =>
    async (exchange) => {
      const { email, resetToken, password } = exchange.json ?? {}
      const presented = presentedOf(exchange)
      if (resetToken === undefined && password === undefined)
        await useCases.requestPasswordReset({ email, presented })
      else await useCases.consumeResetToken({ email, resetToken, password, presented })
      return { status: 200, body: succeeded(200, loggedOutView()) }
    },
}

export async function exportedUser(data: UserExport): Promise<object> {
  const { sessions, apiKeys, projects, auditRecords, ...rest } = data
  const { account, secondFactor, passkeys, resetTokens, proofs, mails } = rest
  return {
    account: withIsoTimes(account),
    secondFactor: secondFactor ? withIsoTimes(secondFactor) : null,
    passkeys: passkeys.map(withIsoTimes),
    resetTokens: resetTokens.map((at) => new Date(at).toISOString()),
    proofs: proofs.map(withIsoTimes),
    mails: mails.map(withIsoTimes),
    sessions: await all(sessions),
    apiKeys: await all(apiKeys),
    projects: await all(projects),
    auditRecords: await all(auditRecords),
  }
}

/** The maximum number of rows per list in an export over HTTP, because this reply is built in memory. The command has no limit. */
const EXPORTED_ROWS_MAX = 10_000

async function all(pages: AsyncIterable<readonly object[]>): Promise<object[]> {
  const rows: object[] = []
  for await (const page of pages) {
    rows.push(...page.map(withIsoTimes))
    if (rows.length > EXPORTED_ROWS_MAX) throw new Refusal('conflict', refused.LONG_EXPORT)
  }
  return rows
}
