// Forms, dialogs and buttons, which send one request at a time: buttons are disabled until the reply arrives.
import { buttons, el, problem } from './dom.js'
import { RequestError } from './errors.js'
import { inWords, t } from './texts.js'

let count = 0

async function busy(scope, act) {
  if (scope.ariaBusy === 'true') return
  const focused = document.activeElement
  const set = (isBusy) => {
    scope.ariaBusy = String(isBusy)
    for (const one of scope.matches('button') ? [scope] : scope.querySelectorAll('button'))
      one.disabled = isBusy
  }
  set(true)
  try {
    await act()
  } finally {
    set(false)
    // Restores the focus, because a button loses the focus when it is disabled.
    if (document.activeElement === document.body && focused.isConnected) focused.focus()
  }
}

export function button(label, act, attributes) {
  const click = () => busy(element, act).catch(showError)
  const element = el('button', { type: 'button', click, ...attributes }, label)
  return element
}

/**
 * A button for an action, or `undefined` if the caller lacks the permission `needs`. If `text` or `fields` is given, a dialog opens first.
 * `act` receives the values of the fields. After the action, shows the view again with the message `done`, or calls `done` with the reply.
 */
export function action(context, needs, label, { title = label, text, fields, done, ...form }) {
  const { may, reload, confirmed } = context
  if (!may(needs)) return undefined
  const act = (values) => confirmed(async () => await form.act(values))
  const click = async () => {
    const shown = { ...form, action: label, submit: act, fields: await fields?.() }
    const sent = text || fields ? await openForm(title, text, shown) : { reply: await act() }
    if (sent) await (typeof done === 'function' ? done(sent.reply) : reload(done))
  }
  return button(label, click, { 'aria-label': title, class: form.isDangerous && 'danger' })
}

const place = (role) => document.querySelector(`main > [role=${role}]`)

/** Shows a success message; without a message, removes all messages. */
export function say(message = '') {
  place('status').textContent = message
  place('alert').textContent = ''
}

export function showError(error) {
  say()
  place('alert').textContent = inWords(error).text
}

/**
 * A field has a `name` and a `label`, and optionally a `hint`, `options` (pairs of value and label), `choices` (check boxes), `generate`
 * (the label of a button that generates a password) and attributes of its input. `submit` receives the values, keyed by name. `other`
 * defines a second button (`action`, `submit`) that works even if the fields are empty.
 */
export function createForm({ fields = [], action, isDangerous, submit, cancel, other, ...attributes }) {
  const failed = problem('')
  const run = (act) => {
    for (const one of form.querySelectorAll('.problem')) one.textContent = ''
    for (const one of form.querySelectorAll('[aria-invalid]')) one.removeAttribute('aria-invalid')
    void busy(form, () => act(valuesOf(form))).catch((error) => showErrors(form, failed, inWords(error)))
  }
  const send = (event) => {
    event.preventDefault()
    run(submit)
  }
  const autofocus = fields.length === 0 && isDangerous
  const foot = buttons(
    el('button', { class: isDangerous ? 'danger' : 'primary' }, action),
    other && el('button', { type: 'button', click: () => run(other.submit) }, other.action),
    cancel && el('button', { type: 'button', autofocus, click: cancel }, t('cancel')),
  )
  const form = el('form', { ...attributes, submit: send }, fields.map(createField), failed, foot)
  return form
}

function valuesOf(form) {
  const data = new FormData(form)
  const lists = [...form.querySelectorAll('fieldset')].map(({ name }) => [name, data.getAll(name)])
  return { ...Object.fromEntries(data), ...Object.fromEntries(lists) }
}

function createField({ name, label, hint = '', options, choices, generate, value, hidden, ...attributes }) {
  const id = `field-${(count += 1)}`
  const ids = [`${id}-hint`, `${id}-error`]
  const about = ids.map((one, index) =>
    el('p', { class: index ? 'problem' : 'hint', id: one }, index ? '' : hint),
  )
  if (choices) {
    const box = (key) => el('label', {}, el('input', { type: 'checkbox', name, value: key }), key)
    return el('fieldset', { name, 'data-field': name }, el('legend', {}, label), choices.map(box), about)
  }
  const shared = { id, name, 'aria-describedby': ids.join(' '), autocomplete: 'off', ...attributes }
  const option = ([key, text]) => el('option', { value: key, selected: key === value }, text)
  const control = options ? el('select', shared, options.map(option)) : el('input', { ...shared, value })
  const generator = generate && button(generate, () => fillIn(control))
  const parts = [el('label', { for: id }, label), control, generator, about]
  return el('div', { class: 'field', 'data-field': name, hidden }, ...parts)
}

const SIGNS = 'abcdefghijkmnpqrstuvwxyz23456789'

/** Generates a password with 120 random bits and shows it. */
async function fillIn(input) {
  const signs = Array.from(crypto.getRandomValues(new Uint8Array(24)), (byte) => SIGNS[byte % SIGNS.length])
  input.type = 'text'
  input.value = signs.join('').match(/.{6}/g).join('-')
}

/** Shows each message next to its field, and messages without a field below the fields. */
function showErrors(form, failed, error) {
  const fieldOf = (path) => form.querySelector(`[data-field="${CSS.escape(path.split(/[.[]/)[0])}"]`)
  const all = Object.entries(error.fields)
  const named = all.filter(([path]) => fieldOf(path))
  for (const [path, message] of named) {
    fieldOf(path).querySelector('.problem').textContent = message
    fieldOf(path).querySelector('input, select').ariaInvalid = 'true'
  }
  if (named.length > 0 && named.length === all.length) error.message = t('error.marked')
  failed.textContent = error.text
  form.querySelector('[aria-invalid]')?.focus()
}

/** Shows a hidden field, which the user must then fill in. */
export function requireField(form, name, message) {
  form.querySelector(`[data-field=${name}]`).hidden = false
  throw new RequestError('', { fields: { [name]: message } })
}

/** Opens a dialog with a form. Resolves with the reply, or with `undefined` if the user cancels. */
export function openForm(title, text, { submit, other, ...form }) {
  return new Promise((resolve, reject) => {
    const sending = (submit) => async (values) => {
      try {
        resolve({ reply: await submit(values) })
        dialog.close()
      } catch (error) {
        if (dialog.open) throw error
        reject(error)
      }
    }
    const shown = createForm({
      ...{ ...form, submit: sending(submit), cancel: () => dialog.close() },
      other: other && { ...other, submit: sending(other.submit) },
    })
    const dialog = openDialog(title, [text && el('p', {}, text), shown])
    // If a request is running, the dialog resolves with the reply to the request.
    dialog.addEventListener('close', () => shown.ariaBusy === 'true' || resolve(undefined))
  })
}

/** Opens a dialog that is removed when it closes. */
export function openDialog(title, content) {
  const id = `dialog-${(count += 1)}`
  const close = () => dialog.remove()
  const dialog = el('dialog', { 'aria-labelledby': id, close }, el('h2', { id }, title), content)
  document.body.append(dialog)
  dialog.showModal()
  return dialog
}
