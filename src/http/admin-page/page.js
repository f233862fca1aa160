// Starts the page: the login, the sections that the caller may use, and the view of the address.
import { createKennelClient } from 'kennel-id/client'
import { el, heading, problem } from '../pages/dom.js'
import { known } from '../pages/errors.js'
import { button, say } from '../pages/forms.js'
import { createConfirmation, createLoginForm } from '../pages/login-form.js'
import { apiKeysView, rolesView } from './access.js'
import { createApi } from './api.js'
import { auditView, loginsView } from './audit.js'
import { usersView, userView } from './users.js'

/** Each view with its address, its title in the navigation, and the permissions, any of which opens it. */
const VIEWS = [
  { path: 'users', title: 'Accounts', needs: ['user:list', 'user-task:create'], create: usersView },
  { path: 'users/:id', needs: ['user:show'], create: userView },
  { path: 'roles', title: 'Roles', needs: ['role:list'], create: rolesView },
  { path: 'api-keys', title: 'API keys', needs: ['apikey:list'], create: apiKeysView },
  { path: 'audit', title: 'Audit log', needs: ['audit:list'], create: auditView },
  { path: 'logins', title: 'Logins', needs: ['audit:list'], create: loginsView },
]

const { stateless, header } = document.body.dataset
const place = (selector) => document.querySelector(selector)
const client = createKennelClient({
  baseUrl: location.pathname.replace(/\/admin$/, ''),
  stateless: stateless === 'true',
  authorizationHeader: header,
  storage: 'sessionStorage',
})
const wait = (pending) => (place('progress').hidden = pending === 0)
const api = createApi(client, wait)

const confirm = createConfirmation(client, 'Confirm that it is you', {
  ...{ text: 'Enter your password again to continue.', password: 'Password' },
  ...{ code: 'Code', hint: 'If you have a second factor.' },
})

/** Actions by component. */
let permissions = {}
/** The email of the login that the page shows; `null` at first. */
let shown = null
/** Identifies the latest navigation. */
let latest

function may(permission) {
  const [component, action] = permission.split(':')
  return permissions[component]?.includes(action) ?? false
}

const open = () => VIEWS.filter(({ needs }) => needs.some(may))

/** Shows the login form or the sections, when the page is opened and when the login begins or ends, in any tab. */
async function start() {
  const email = client.identity()?.user?.email
  if (email === shown) return
  shown = email
  for (const dialog of document.querySelectorAll('dialog')) dialog.remove()
  for (const one of document.querySelectorAll('header > :not(.brand)')) one.hidden = email === undefined
  if (email === undefined) return await show(async () => [heading('Log in'), loginForm()])
  await show(async () => {
    permissions = (await api.get('/permissions')).permissions
    const sections = open().filter(({ title }) => title)
    place('nav').replaceChildren(...sections.map(({ path, title }) => el('a', { href: `#/${path}` }, title)))
    place('.caller').replaceChildren(email, button('Log out', client.logout))
    return await content()
  })
}

/** The view of the address, or the first view that the caller may open. */
async function content() {
  const [address, query] = location.hash.replace(/^#\/?/, '').split('?')
  const route = address || open()[0]?.path
  if (!route)
    return [heading('No permission'), 'This login lacks permissions. A role may need a second factor.']
  const [section, id] = route.split('/')
  for (const link of place('nav').children) link.ariaCurrent = link.hash === `#/${section}` ? 'page' : 'false'
  const view = open().find(({ path }) => path === (id ? `${section}/:id` : section))
  if (!view) return [heading('Not found'), 'There is no such page, or you may not open it.']
  const turn = latest
  const isCurrent = () => turn === latest
  const reload = (message) => go(location.hash, message)
  const values = Object.fromEntries(new URLSearchParams(query))
  return await view.create({ api, may, confirm, go, reload, isCurrent, route, id, query: values })
}

/** Shows what `load` resolves with, unless a later navigation has begun in the meantime. */
async function show(load, message) {
  const turn = (latest = {})
  place('.view').ariaBusy = 'true'
  const found = await load().catch(failure)
  if (turn !== latest) return
  place('.view').ariaBusy = 'false'
  place('.view').replaceChildren(...found)
  say(message)
  document.title = `${place('h1').textContent} – Kennel administration`
  place('h1').focus()
}

function failure(error) {
  // The service refuses a login that the client could renew.
  if (error.status === 401) client.adopt(undefined)
  return [heading('This did not work'), problem(known(error).text)]
}

/** Opens an address, which may be the current address, and then says the message. */
async function go(hash, message) {
  if (location.hash !== hash) history.pushState(undefined, '', hash)
  await show(content, message)
}

/** The address stays, so that the login leads back to it. */
function loginForm() {
  const logIn = (...given) => {
    wait(1)
    return client.login(...given).finally(() => wait(0))
  }
  return createLoginForm(logIn, {
    ...{ login: 'Log in', email: 'Email', password: 'Password', code: 'Code' },
    hint: 'From your app, or a recovery code.',
    missing: 'Enter the code of your second factor.',
  })
}

client.subscribe(() => void start())
addEventListener('hashchange', () => shown && void go(location.hash))
await start()
