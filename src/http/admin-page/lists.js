// Tables that load one page at a time, forms that filter the tables, and fields for roles.
import { el, problem } from '../pages/dom.js'
import { isStale } from '../pages/errors.js'
import { button, createForm } from '../pages/forms.js'
import { inWords } from '../pages/texts.js'

/** A table of these items. A column consists of a title and a function that returns the content of a cell. */
export function table(label, columns, items) {
  const head = columns.map(([title]) => el('th', { scope: 'col', role: 'columnheader' }, title))
  // The ARIA roles keep the table accessible when the style sheet shows each row as a box.
  return el(
    'table',
    { role: 'table', 'aria-label': label },
    el('thead', { role: 'rowgroup' }, el('tr', { role: 'row' }, head)),
    el('tbody', { role: 'rowgroup' }, items.map(rowOf(columns))),
  )
}

const rowOf = (columns) => (item) => {
  const cell = ([title, contentOf]) =>
    el('td', { role: 'cell', 'data-title': title }, ...[contentOf(item)].flat())
  return el('tr', { role: 'row', tabindex: -1 }, columns.map(cell))
}

/** A table with a button for more rows. `load` takes a cursor and resolves with a page. */
export async function pages(label, columns, load, nothing = 'There are none.') {
  let page
  try {
    page = await load()
  } catch (error) {
    if (isStale(error)) throw error
    return problem(inWords(error).text)
  }
  if (page.rows.length === 0) return el('p', { class: 'hint' }, nothing)
  const shown = table(label, columns, page.rows)
  const [body] = shown.tBodies
  const state = el('p', { class: 'hint', role: 'status' })
  const more = button('More', async () => {
    page = await load(page.next)
    const added = page.rows.map(rowOf(columns))
    body.append(...added)
    update()
    added[0]?.focus()
  })
  const update = () => {
    more.hidden = !page.next
    state.textContent = page.next ? `The first ${body.rows.length} are shown.` : ''
  }
  update()
  return el('div', {}, shown, state, more)
}

function search(query) {
  return new URLSearchParams(Object.entries(query).filter(([, value]) => value))
}

/** A form whose values become the query of the URL, so that a filtered list can be bookmarked and reloaded. */
export function filters({ query, go, route }, fields) {
  const submit = (values) => go(`#/${route}?${search(values)}`)
  const filled = fields.map((field) => ({ ...field, value: query[field.name] }))
  return createForm({ class: 'filters', role: 'search', fields: filled, action: 'Search', submit })
}

/** Loads the role keys; `undefined` if the caller may not list roles, or if there are more roles than a form can show. */
async function roleKeys({ api, may }) {
  if (!may('role:list')) return undefined
  const { rows, next } = await api.listRoles({ limit: 100 })
  return next ? undefined : rows.map(({ key }) => key)
}

/** A field for several roles; absent if the caller may not assign any role. */
export async function rolesFields(context) {
  if (!context.may('user-task:role')) return []
  const choices = await roleKeys(context)
  return [{ name: 'roles', label: 'Roles', choices, hint: choices ? '' : 'Keys, separated by spaces.' }]
}

/** A field for one role, which does not offer the roles in `held`. */
export async function roleField(context, held) {
  const options = (await roleKeys(context))?.filter((key) => !held.includes(key)).map((key) => [key, key])
  return { name: 'role', label: 'Role', required: true, options }
}

/** Returns the values without empty members, and with `roles` as a list of keys. */
export function draftOf({ roles = [], ...values }) {
  const keys = [roles].flat().flatMap((text) => text.split(/\s+/).filter(Boolean))
  return { ...Object.fromEntries(search(values)), ...(keys.length > 0 && { roles: keys }) }
}
