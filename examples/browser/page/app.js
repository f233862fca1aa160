import { createKennelClient } from 'kennel-id/client'
import { accountPage, forget } from './account.js'
import { isCodeMissing, proveCookie, sentenceFor } from './failures.js'
/** @type {(id: string) => any} */
const part = (id) => document.getElementById(id)
/** @param {string} [sentence] */
const say = (sentence = '') => part('notice').replaceChildren(sentence)
const meta = /** @type {HTMLMetaElement} */ (document.querySelector('meta[name="kennel-url"]'))
const baseUrl = meta.content
const onLoggedOut = () => say('You logged out in another tab, or the login has ended.')
const client = createKennelClient({ baseUrl, onLoggedOut })
const own = accountPage(client)
/** @type {Record<string, (fields: any) => Promise<unknown>>} */
const acts = {
  login: (fields) => logIn(fields).then(() => proveCookie(client)),
  project: ({ label, budget }) => client.createProject({ label, status: 'open', budget: Number(budget) }),
  ...{ who: client.getIdentity, refresh: client.refresh, logout: client.logout },
  ...own.acts,
}

/** @param {Record<string, string>} fields */
async function logIn({ email = '', password = '', code, remember }) {
  const choices = { ...(code && { code }), remember: remember === 'on' }
  await client.login(email, password, choices).catch((error) => {
    if (isCodeMissing(error)) {
      part('factor-code').hidden = false
      part('login').elements.code.focus()
    }
    throw error
  })
}

client.subscribe(() => {
  const { user, roleList = {} } = client.identity() ?? {}
  part('account').hidden = !user
  part('login').hidden = Boolean(user)
  part('email').textContent = user?.email
  part('roles').textContent = Object.keys(roleList).join(', ')
  if (user) part('factor-code').hidden = true
  else part('own').open = false
})
part('own').addEventListener('toggle', () => {
  if (!part('own').open) forget()
  else own.show().catch(async (error) => say(await sentenceFor(error, baseUrl)))
})
document.addEventListener('submit', (event) => {
  event.preventDefault()
  say('…')
  const form = /** @type {HTMLFormElement} */ (event.target)
  acts[form.dataset.act ?? form.id](Object.fromEntries(new FormData(form)))
    .then(() => (form.reset(), form.dataset.done))
    .catch((error) => sentenceFor(error, baseUrl))
    .then(say)
})
