// The texts of the pages, and errors in words that users understand.
import ENGLISH from '../../../templates/pages/en.json'
import { isStale, RequestError } from './errors.js'

/** The settings of the service that the pages need. */
export const SETTINGS = JSON.parse(document.body.dataset.settings)
const TEXTS = { ...ENGLISH, ...SETTINGS.texts }

/** Returns the text for a key, with these values inserted; `undefined` if the key has no text. */
export function t(key, values = {}) {
  const text = Object.hasOwn(TEXTS, key) ? TEXTS[key] : undefined
  return text?.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '')
}

/** Converts an error thrown by the client to an error that a form shows. */
export function inWords(error) {
  if (isStale(error)) return new RequestError(t('error.stale'))
  if (error instanceof RequestError) return error
  const { code, status, messages = [], retryAfter = 60 } = error
  const values = { min: SETTINGS.passwordMinLength, minutes: Math.ceil(retryAfter / 60) }
  const fields = Object.fromEntries(messages.flatMap((one) => fieldOf(one, values)))
  const [{ field } = {}] = messages
  const text = t(`error.${nameOf(field) ?? code}`, values) ?? t(`error.${code}`, values)
  return new RequestError(text ?? t('error.other'), { status, fields })
}

/** Maps fields that share their messages to one name in the text keys. */
const nameOf = (field) =>
  ({ newPassword: 'password', secondFactor: 'code', resetToken: 'token' })[field] ?? field

/** If the service does not disclose which member of a login is wrong, its message names the field `email`. */
function fieldOf({ field, type, message }, values) {
  if (!field || (field === 'email' && type === 'LoginFailed')) return []
  const key = message === 'not-valid' ? 'wrong' : type
  const text = t(`error.${nameOf(field)}.${key}`, values)
  return text ? [[field, text]] : []
}
