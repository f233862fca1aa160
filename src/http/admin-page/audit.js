// The audit log, and a chart of the logins in the last 24 hours.
import { el, heading, shape, time, utc } from '../pages/dom.js'
import { SETTINGS } from '../pages/texts.js'
import { filters, pages, table } from './lists.js'

const ORDERS = [
  ['newest-first', 'Newest first'],
  ['oldest-first', 'Oldest first'],
]

export async function auditView(context) {
  const events = SETTINGS.events.map((event) => [event, event])
  const fields = [
    { name: 'user', label: 'Email or ID of an account' },
    { name: 'event', label: 'Event', options: [['', 'Any'], ...events] },
    { name: 'since', label: 'Since', type: 'datetime-local' },
    { name: 'until', label: 'Until', type: 'datetime-local' },
    { name: 'order', label: 'Order', options: ORDERS },
  ]
  const { since, until, order = 'newest-first', ...others } = context.query
  const query = { ...others, since: utc(since), until: utc(until), order }
  return [heading('Audit log'), filters(context, fields), await auditTable(context, query)]
}

export function auditTable({ api, may }, query) {
  const party = (name = '', email = name) => {
    const [, id] = /^account:(\d+)/.exec(name) ?? []
    return id && may('user:show') ? el('a', { href: `#/users/${id}` }, email) : email
  }
  const columns = [
    ['Time', ({ at }) => time(at)],
    ['Event', ({ event, count }) => (count > 1 ? `${event} (${count} times)` : event)],
    ['Outcome', ({ outcome }) => el('span', { class: outcome }, outcome)],
    ['Actor', ({ actor, actorEmail }) => party(actor, actorEmail)],
    ['Subject', ({ subject, subjectEmail }) => party(subject, subjectEmail)],
    ['Address', ({ address = '' }) => address],
    ['Request ID', ({ requestId = '' }) => el('small', {}, requestId)],
  ]
  const load = (cursor) => api.listAudit({ ...query, cursor })
  return pages('Audit records', columns, load, 'No record matches.')
}

const HOUR = 3_600_000
const HOURS = 24
/** The maximum number of pages of 100 records that the chart reads. */
const PAGES_MAX = 20
const OUTCOMES = [
  ['success', 'Succeeded'],
  ['failure', 'Failed'],
]

export async function loginsView(context) {
  const start = Math.floor(Date.now() / HOUR) * HOUR - (HOURS - 1) * HOUR
  const hourOf = (index) => ({ at: new Date(start + index * HOUR).toISOString(), success: 0, failure: 0 })
  const hours = Array.from({ length: HOURS }, (_, index) => hourOf(index))
  const { records, isCut } = await loginsSince(hours[0].at, context)
  for (const { at, outcome, count = 1 } of records) {
    const hour = hours[Math.floor((Date.parse(at) - start) / HOUR)]
    if (hour) hour[outcome] += count
  }
  const cut = [`Only the newest ${records.length} records are counted, since `, time(records.at(-1)?.at), '.']
  const columns = [
    ['Hour', ({ at }) => time(at)],
    ...OUTCOMES.map(([outcome, title]) => [title, (hour) => String(hour[outcome])]),
  ]
  return [
    heading('Logins'),
    el('p', {}, 'Logins per hour in the last 24 hours, from the audit log.'),
    ...(isCut ? [el('p', { class: 'notice' }, ...cut)] : []),
    chart(hours),
    el('details', {}, el('summary', {}, 'The numbers as a table'), table('Logins per hour', columns, hours)),
  ]
}

async function loginsSince(since, { api, isCurrent }) {
  const query = { event: 'login', since, order: 'newest-first', limit: 100 }
  const records = []
  let cursor
  for (let read = 0; read < PAGES_MAX && isCurrent(); read += 1) {
    const { rows, next } = await api.listAudit({ ...query, cursor })
    records.push(...rows)
    cursor = next
    if (!next) break
  }
  return { records, isCut: cursor !== undefined }
}

function chart(hours) {
  const most = Math.max(1, ...hours.map(({ success, failure }) => success + failure))
  const counts = OUTCOMES.map(([outcome, title]) => {
    const sum = hours.reduce((total, hour) => total + hour[outcome], 0)
    return el('span', { class: outcome }, `${title}: ${sum}`)
  })
  const label = `Logins per hour, at most ${most}. The table below has the numbers.`
  const drawing = { role: 'img', 'aria-label': label, viewBox: `0 0 ${HOURS * 10} ${most}` }
  const bar = (kind, x, from, height) =>
    shape('rect', { class: kind, x, y: most - from - height, width: 8, height })
  const bars = hours.flatMap(({ success, failure }, index) => [
    bar('success', index * 10 + 1, 0, success),
    bar('failure', index * 10 + 1, success, failure),
  ])
  return el(
    'figure',
    {},
    el('p', { class: 'legend' }, counts, el('span', {}, `Most in one hour: ${most}`)),
    shape('svg', { ...drawing, preserveAspectRatio: 'none' }, bars),
    el('p', { class: 'axis' }, time(hours[0].at), time(hours[HOURS - 1].at)),
  )
}
