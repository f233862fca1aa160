// Starts the page of the address: the view, and what all views share.
import { createAccount } from 'kennel-id/account'
import { createKennelClient } from 'kennel-id/client'
import { accountView } from './account.js'
import { confirmView } from './confirm.js'
import { heading, problem } from './dom.js'
import { say, WORDS } from './forms.js'
import { createConfirmation } from './login-form.js'
import { loginView, resetView, signUpView } from './login.js'
import { returnAddress } from './return-path.js'
import { inWords, SETTINGS, t } from './texts.js'

const VIEWS = {
  ...{ login: loginView, 'sign-up': signUpView, 'reset-password': resetView },
  ...{ confirm: confirmView, account: accountView },
}

const place = (selector) => document.querySelector(selector)
const page = location.pathname.split('/').pop()
const base = location.pathname.slice(0, -page.length - 1)
let pending = 0

function counted(...request) {
  const count = (change) => (place('progress').hidden = (pending += change) === 0)
  count(1)
  return fetch(...request).finally(() => count(-1))
}

const client = createKennelClient({
  ...{ baseUrl: SETTINGS.api ?? base, fetch: counted, storage: 'sessionStorage' },
  ...{ stateless: SETTINGS.stateless, authorizationHeader: SETTINGS.authorizationHeader },
})

const account = createAccount(client)
const may = (operation) => SETTINGS.offered.includes(operation)
const confirm = createConfirmation(client, t('confirmLogin'), {
  ...{ text: t('confirmLogin.text'), password: t('password') },
  ...{ code: t('factor'), hint: t('confirmLogin.hint'), passkey: t('confirmLogin.passkey') },
  withPasskey: may('beginPasskeyConfirmation') && (() => account.confirmWithPasskey()),
})

const context = {
  ...{ client, account, may },
  confirm: (error) => may('confirmLogin') && confirm(error),
  /** Opens another page with values in the fragment, which no server gets. The address to return to is kept. */
  leave: (to, fragment) =>
    location.assign(`${base}/${to}${location.search}#${new URLSearchParams(fragment).toString()}`),
  /** Opens the page to which a login leads. */
  enter: () => {
    const wanted = new URLSearchParams(location.search).get('return_to')
    location.replace(returnAddress(wanted, location.origin) ?? `${base}/account`)
  },
  reload: show,
}

/** Shows the view of the page, and then the message. */
async function show(message) {
  const fragment = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
  place('.view').ariaBusy = 'true'
  const found = await VIEWS[page]({ ...context, fragment }).catch((error) => [
    heading(t('error.page')),
    problem(inWords(error).text),
  ])
  place('.view').ariaBusy = 'false'
  place('.view').replaceChildren(...found.flat().filter(Boolean))
  say(message ?? t(`done.${fragment.done}`))
  document.title = `${place('h1').textContent} – ${t('name')}`
  place('h1').focus()
}

Object.assign(WORDS, { cancel: t('cancel'), marked: t('error.marked'), errorOf: inWords })
addEventListener('hashchange', () => void show())
await show()
