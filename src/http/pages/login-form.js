// The forms for a login with a password, and for its confirmation, with fields that password managers know.
import { createForm, openForm, requireField } from './forms.js'

/** Returns whether the service refused a login only because it needs a code of the second factor. */
function isFactorMissing({ messages = [] }) {
  return messages.some(({ field, type }) => field === 'code' && type === 'Required')
}

/**
 * Creates the form; the field for the code appears when the service asks for it. `more` has further fields, and `other` is the second
 * button, for passkeys.
 */
export function createLoginForm(logIn, words, { more = [], other } = {}) {
  const secret = { type: 'password', autocomplete: 'current-password', required: true }
  const autocomplete = other ? 'username webauthn' : 'username'
  const form = createForm({
    ...{ 'aria-label': words.login, other },
    fields: [
      { name: 'email', label: words.email, autocomplete, inputmode: 'email', required: true },
      { name: 'password', label: words.password, ...secret },
      { name: 'code', label: words.code, hint: words.hint, autocomplete: 'one-time-code', hidden: true },
      ...more,
    ],
    action: words.login,
    submit: async ({ email, password, code, remember }) => {
      const choices = { ...(code && { code }), ...(remember && { remember: true }) }
      await logIn(email, password, choices).catch((error) => {
        if (isFactorMissing(error)) requireField(form, 'code', words.missing)
        throw error
      })
    },
  })
  return form
}

export const isStale = ({ message, messages = [] }) =>
  [message, ...messages.map((one) => one.message)].some((text) => text?.includes('fresh-login-required'))

/**
 * Returns the function `confirm` for the actions of a page: if an action failed because it needs a more recent proof of
 * the identity, the function asks for the password, or for a passkey if there is `withPasskey`. It resolves with `true` if the action can be
 * tried again.
 */
export function createConfirmation(client, title, { text, withPasskey, ...words }) {
  const secret = { type: 'password', autocomplete: 'current-password', required: true }
  const fields = [
    { name: 'password', label: words.password, ...secret },
    { name: 'code', label: words.code, hint: words.hint, autocomplete: 'one-time-code' },
  ]
  const submit = ({ password, code }) =>
    client.replaceLogin('/api/auth/confirm', { password, ...(code && { code }) })
  const other = withPasskey && { action: words.passkey, submit: withPasskey }
  return async (error) =>
    isStale(error) && Boolean(await openForm(title, text, { fields, action: title, submit, other }))
}
