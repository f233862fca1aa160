// Starts the page: the login, the sections that the caller may use, and the view that the current URL names.
import { el, heading } from '../pages/dom.js'
import { isStale, RequestError } from '../pages/errors.js'
import { button } from '../pages/forms.js'
import { client, confirmed, isOffered, place, showView } from '../pages/frame.js'
import { passwordForm } from '../pages/login.js'
import { apiKeysView, rolesView } from './access.js'
import { auditView, loginsView } from './audit.js'
import { usersView, userView } from './users.js'
// The operations that are only for operators.
import { createAdminClient } from 'kennel-id/admin'

/** The views with their addresses and their titles in the navigation. A caller may open a view with any of the permissions in `needs`. */
const VIEWS = [
  { path: 'users', title: 'Accounts', needs: ['user:list', 'user-task:create'], create: usersView },
  { path: 'users/:id', needs: ['user:show'], create: userView },
  { path: 'roles', title: 'Roles', needs: ['role:list'], create: rolesView },
  { path: 'api-keys', title: 'API keys', needs: ['apikey:list'], create: apiKeysView },
  { path: 'audit', title: 'Audit log', needs: ['audit:list'], create: auditView },
  { path: 'logins', title: 'Logins', needs: ['audit:list'], create: loginsView },
]

const api = createApi(client)
let permissions = {}
/** The email of the login that the page shows; `null` at first. */
let shown = null

function may(permission) {
  const [component, action] = permission.split(':')
  return permissions[component]?.includes(action) ?? false
}

const open = () => VIEWS.filter(({ needs }) => needs.some(may))

/** Shows the login form or the sections when the page is opened, and when the login begins or ends, even in another tab. */
async function start() {
  const email = client.identity()?.user?.email
  if (email === shown) return
  shown = email
  for (const dialog of document.querySelectorAll('dialog')) dialog.remove()
  for (const one of document.querySelectorAll('header > :not(.brand)')) one.hidden = email === undefined
  // The address does not change, so that the user sees the requested view after the login.
  if (!email)
    return await showView(async () => [
      heading('Log in'),
      passwordForm(client, isOffered('loginWithPasskey')),
    ])
  await show(async (isCurrent) => {
    permissions = (await api.permissions()).permissions
    const sections = open().filter(({ title }) => title)
    place('nav').replaceChildren(...sections.map(({ path, title }) => el('a', { href: `#/${path}` }, title)))
    place('.caller').replaceChildren(email, button('Log out', client.logout))
    return await content(isCurrent)
  })
}

/** The view that the current URL names, or the first view that the caller may open. */
async function content(isCurrent) {
  const [address, query] = location.hash.replace(/^#\/?/, '').split('?')
  const route = address || open()[0]?.path
  if (!route)
    return [heading('No permission'), 'This login lacks permissions. A role may need a second factor.']
  const [section, id] = route.split('/')
  for (const link of place('nav').children) link.ariaCurrent = link.hash === `#/${section}` ? 'page' : 'false'
  const view = open().find(({ path }) => path === (id ? `${section}/:id` : section))
  if (!view) return [heading('Not found'), 'There is no such page, or you may not open it.']
  const reload = (message) => go(location.hash, message)
  const values = Object.fromEntries(new URLSearchParams(query))
  return await view.create({ api, may, confirmed, go, reload, isCurrent, route, id, query: values })
}

/** Shows a view, or the login form if the service rejects the credentials even after the client has renewed them. */
async function show(load, message) {
  const failed = (error) => {
    if (error.status === 401 && !isStale(error)) client.adopt(undefined)
    throw error
  }
  await showView((isCurrent) => load(isCurrent).catch(failed), message)
}

/** Opens an address, even if it is the current address, and then shows the message. */
async function go(hash, message) {
  if (location.hash !== hash) history.pushState(undefined, '', hash)
  await show(content, message)
}

client.subscribe(() => void start())
addEventListener('hashchange', () => shown && void go(location.hash))
await start()

/** The client's methods for operators; they reject with the service's error messages. */
function createApi(client) {
  const calls = Object.entries(createAdminClient({ client }))
  return Object.fromEntries(calls.map(([name, call]) => [name, (...given) => call(...given).catch(refused)]))
}

function refused(error) {
  const { message, messages: [first, ...others] = [] } = error
  if (!first) throw error
  // A single message about a field has the form `email: must be …`.
  const [, field, about] = (others.length === 0 && /^([a-zA-Z]+): (.*)$/s.exec(message)) || []
  const messages = field ? [{ field, message: about }] : [first, ...others]
  const fields = Object.fromEntries(
    messages.filter(({ field }) => field).map((one) => [one.field, one.message]),
  )
  throw new RequestError(message, { ...error, messages, fields })
}
