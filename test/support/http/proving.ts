import type { Postbox } from '../mail/postbox.js'
import { fragmentOf, linkIn } from '../mail/postbox.js'
import { setCookies } from './browser.js'
import type { Call, Reply } from './client.js'

export const SIGN_UP = '/api/auth/sign-up'
export const CONFIRM_SIGN_UP = `${SIGN_UP}/confirm`
export const CHANGE_EMAIL = '/api/auth/change-email'
export const LOGIN_BY_MAIL = '/api/auth/login-by-mail'

/** The secrets of an email proof. */
export type MailedProof = { readonly token: string; readonly code: string }

export function proofIn({ arrived }: Postbox): MailedProof {
  const { token = '', code = '' } = fragmentOf(linkIn(arrived.at(-1)))
  return { token, code }
}

/** Returns the `Cookie` header that identifies the browser that requested the email. */
export function proofCookieOf(reply: Reply): Call {
  return { headers: { Cookie: setCookies(reply)[0]?.split(';')[0] ?? '' } }
}
