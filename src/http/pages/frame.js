// Code that the user pages and the operator page share: login, confirmation and switching between views.
import { createAccount } from 'kennel-id/account'
import { createKennelClient } from 'kennel-id/client'
import { heading, problem } from './dom.js'
import { isStale, RequestError } from './errors.js'
import { openForm, say, showError } from './forms.js'
import { CODE, PASSWORD } from './login.js'
import { inWords, SETTINGS, t } from './texts.js'

export const place = (selector) => document.querySelector(selector)
export const page = location.pathname.split('/').pop()
/** The path at which the pages are mounted. */
export const base = location.pathname.slice(0, -page.length - 1)
let pending = 0

function counted(...request) {
  const count = (change) => (place('progress').hidden = (pending += change) === 0)
  count(1)
  return fetch(...request).finally(() => count(-1))
}

export const client = createKennelClient({
  ...{ baseUrl: SETTINGS.api ?? base, fetch: counted, storage: 'sessionStorage' },
  ...{ stateless: SETTINGS.stateless, authorizationHeader: SETTINGS.authorizationHeader },
})
export const account = createAccount(client)
/** Returns whether the service offers the operation to any user. */
export const isOffered = (operation) => SETTINGS.offered.includes(operation)

/** Runs `act`. If `act` needs a more recent proof of identity, asks for the proof, and then runs `act` again. */
export async function confirmed(act) {
  try {
    return await act()
  } catch (error) {
    if (!isStale(error) || !isOffered('confirmLogin') || !(await confirm(error))) throw error
    return await act()
  }
}

/** Asks the user to confirm the login. The error names the required fields: only `passkey` if the account has no password. */
function confirm({ messages }) {
  const needs = (...fields) => messages.some(({ field }) => fields.includes(field))
  const withPasskey = needs('passkey') && {
    ...{ action: t('confirmLogin.passkey'), submit: () => account.confirmWithPasskey() },
  }
  if (needs('password', 'code'))
    return openForm(t('confirmLogin'), t('confirmLogin.text'), {
      fields: [PASSWORD, { ...CODE, hint: t('confirmLogin.hint') }],
      action: t('confirmLogin'),
      submit: ({ password, code }) => account.confirm({ password, ...(code && { code }) }),
      other: withPasskey,
    })
  return withPasskey && openForm(t('confirmLogin'), '', withPasskey)
}

/** Identifies the latest view. */
let latest

/**
 * Shows the view with which `load` resolves, and then the message, unless the user has opened a later view. `load` receives a function that
 * returns whether the view is still the latest view.
 */
export async function showView(load, message) {
  const turn = (latest = {})
  const isCurrent = () => turn === latest
  place('.view').ariaBusy = 'true'
  const found = await confirmed(() => load(isCurrent)).catch((error) => [
    heading(t('error.page')),
    problem(inWords(error).text),
  ])
  if (!isCurrent()) return
  place('.view').ariaBusy = 'false'
  place('.view').replaceChildren(...found.flat().filter(Boolean))
  say(message)
  // Without cookies, a login with a session succeeds but has no effect.
  if (!SETTINGS.stateless && !acceptsCookies()) showError(new RequestError(t('error.cookies')))
  document.title = `${place('h1').textContent} – ${t('name')}`
  place('h1').focus()
}

/** Tries it, because in Chromium `navigator.cookieEnabled` is true even if the user has blocked all cookies. */
function acceptsCookies() {
  document.cookie = 'kennel-probe=1'
  const isStored = document.cookie.includes('kennel-probe=1')
  document.cookie = 'kennel-probe=1; max-age=0'
  return isStored
}
