// The pages for users who are not logged in: login, sign-up and password reset.
import { el, heading } from './dom.js'
import { createForm, requireField, say, showError } from './forms.js'
import { SETTINGS, t } from './texts.js'

const SECRET = { name: 'password', type: 'password', required: true }
export const EMAIL = {
  name: 'email',
  label: t('email'),
  inputmode: 'email',
  autocomplete: 'username',
  required: true,
}
export const PASSWORD = { ...SECRET, label: t('password'), autocomplete: 'current-password' }
const HINT = t('newPassword.hint', { min: SETTINGS.passwordMinLength })
export const NEW_PASSWORD = { ...SECRET, label: t('newPassword'), autocomplete: 'new-password', hint: HINT }
export const CODE = {
  name: 'code',
  label: t('factor'),
  autocomplete: 'one-time-code',
  hint: t('factor.hint'),
}

/** The account's email for password managers, if known. */
export const known = (email) => (email ? [{ ...EMAIL, value: email, readonly: true }] : [])

export const link = (href, text) => el('a', { href }, text)
export const here = (page, hash = '') => `${page}${location.search}${hash}`

export function list(kind, items) {
  const shown = items.filter(Boolean).map((item) => el('li', {}, item))
  return el('ul', { class: kind }, shown)
}

export const links = (...shown) => list('links', shown)

export async function loginView({ client, may, leave, enter, fragment }) {
  // A login in another tab also logs this tab in.
  client.subscribe(() => client.identity() && enter())
  const isLoggedIn = client.tokens() && (await client.getIdentity().then(Boolean, () => false))
  if (isLoggedIn) enter()
  const isByMail = may('requestLoginMail') && (fragment.by === 'mail' || !may('login'))
  return [
    heading(t('login')),
    isByMail ? mailForm(client, leave) : passwordForm(client, may('loginWithPasskey')),
    links(
      isByMail && may('login') && link('#', t('login.byPassword')),
      !isByMail && may('requestLoginMail') && link('#by=mail', t('login.byMail')),
      may('requestPasswordReset') && link(here('reset-password'), t('login.reset')),
      may('requestSignUp') && link(here('sign-up'), t('login.signUp')),
    ),
  ]
}

/** Returns whether the service rejected a login only because a second-factor code is missing. */
function isFactorMissing({ messages = [] }) {
  return messages.some(({ field, type }) => field === 'code' && type === 'Required')
}

/** The field for the code appears when the service asks for the code. */
export function passwordForm(client, hasPasskeys) {
  const remember = { name: 'remember', label: t('remember'), type: 'checkbox' }
  const form = createForm({
    'aria-label': t('login'),
    fields: [
      { ...EMAIL, autocomplete: hasPasskeys ? 'username webauthn' : 'username' },
      ...[PASSWORD, { ...CODE, hidden: true }],
      ...(SETTINGS.rememberLogin ? [remember] : []),
    ],
    action: t('login'),
    submit: async ({ email, password, code }) => {
      await client.login(email, password, { ...choices(), ...(code && { code }) }).catch((error) => {
        if (isFactorMissing(error)) requireField(form, 'code', t('error.code.Required'))
        throw error
      })
    },
    other: hasPasskeys && { action: t('login.passkey'), submit: logInWithPasskey },
  })
  const choices = () => ({ ...(form.elements.remember?.checked && { remember: true }) })

  /** If the service has asked for a second-factor code, the passkey replaces the code. */
  async function logInWithPasskey({ email, password }) {
    const isFirst = form.querySelector('[data-field=code]').hidden
    const login = isFirst
      ? client.loginWithPasskey(choices())
      : client.login(email, password, { ...choices(), passkey: true })
    await login.catch((error) => {
      void suggestPasskeys()
      throw error
    })
  }

  /** Lets the browser suggest passkeys in the email field, until the user logs in in some other way. */
  async function suggestPasskeys() {
    try {
      await client.loginWithPasskey({ ...choices(), autofill: true, signal: loggedIn.signal })
    } catch (error) {
      if (error.code !== 'LoginFailed') return
      showError(error)
      await suggestPasskeys()
    }
  }

  const loggedIn = new AbortController()
  if (hasPasskeys) {
    void suggestPasskeys()
    form.elements.remember?.addEventListener('change', () => void suggestPasskeys())
    const unsubscribe = client.subscribe(() => {
      if (!client.identity()) return
      loggedIn.abort()
      unsubscribe()
    })
  }
  return form
}

function mailForm(client, leave) {
  return createForm({
    ...{ 'aria-label': t('login.byMail'), fields: [EMAIL], action: t('login.sendCode') },
    submit: async ({ email }) => {
      await client.loginByMail(email)
      leave('confirm', { purpose: 'login', email })
    },
  })
}

export async function signUpView({ client, may, leave }) {
  const form = createForm({
    ...{ 'aria-label': t('signUp'), fields: [EMAIL], action: t('signUp.action') },
    submit: async ({ email }) => {
      await client.signUp(email)
      leave('confirm', { purpose: 'sign-up', email })
    },
  })
  const shown = may('requestSignUp') ? [el('p', {}, t('signUp.text')), form] : [t('error.Forbidden')]
  return [heading(t('signUp')), shown, links(link(here('login'), t('login.back')))]
}

export async function resetView({ client, may, leave, fragment: { email, resetToken } }) {
  const request = createForm({
    ...{ 'aria-label': t('reset'), fields: [EMAIL], action: t('reset.action') },
    submit: async (values) => {
      await client.resetPassword.request(values.email)
      say(t('reset.sent', values))
    },
  })
  const consume = createForm({
    ...{ 'aria-label': t('reset.choose'), fields: [...known(email), NEW_PASSWORD], action: t('reset.save') },
    submit: async ({ password }) => {
      await client.resetPassword.consume({ email, resetToken, password })
      leave('login', { done: 'reset' })
    },
  })
  const shown = resetToken ? [consume] : [el('p', {}, t('reset.text')), request]
  return [
    heading(t(resetToken ? 'reset.choose' : 'reset')),
    may('requestPasswordReset') ? shown : [t('error.Forbidden')],
    links(resetToken && link('#', t('confirm.again')), link(here('login'), t('login.back'))),
  ]
}
