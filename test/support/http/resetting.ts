import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../../src/domain/access/permission-rules.js'
import { createPostbox, ownTemplates, tokenIn, type Postbox, fragmentOf, linkIn } from '../mail/postbox.js'
import type { Reply, Call } from './client.js'
import { servicesOfTests, startService, type TestOptions, type TestService } from './service.js'
import { setCookies } from './browser.js'

export const RESET_PASSWORD = '/api/auth/reset-password'
export const NEW_PASSWORD = 'a password of tomorrow'

const { everyone } = DEFAULT_PERMISSIONS.roles
const auth = [...everyone.components.auth, 'reset-password']

/** The default permissions; in addition, everyone may reset a password. */
export const RESETS_PERMITTED: PermissionRules = {
  roles: { ...DEFAULT_PERMISSIONS.roles, everyone: { components: { ...everyone.components, auth } } },
}

/** A service with password reset, and the postbox that receives its emails. */
export type Resetting = ReturnType<typeof resetting>

type Options = Omit<TestOptions, 'mail'> & { readonly postbox?: Postbox }

export async function startResetting(
  { postbox = createPostbox(), ...options }: Options = {},
  start = startService,
): Promise<Resetting> {
  const mail = { mailer: postbox.mailer, templates: ownTemplates() }
  return resetting(await start({ permissions: RESETS_PERMITTED, mail, ...options }), postbox)
}

/** Starts services with password reset for single tests; see `servicesOfTests`. */
export function resettingsOfTests(): (options?: Options) => Promise<Resetting> {
  const start = servicesOfTests()
  return (options) => startResetting(options, start)
}

function resetting(service: TestService, postbox: Postbox) {
  const sendMails = async () => (await service.mails().sendMails()).sent
  return {
    service,
    postbox,
    /** Lets the worker send the due emails; returns the number of emails sent. */
    sendMails,
    /** Requests a reset, sends the email and returns its token. */
    mailedToken: async (email: string) => {
      await service.client.call('POST', RESET_PASSWORD, { json: { email } })
      await sendMails()
      return tokenIn(postbox.arrived.at(-1))
    },
  }
}

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
