// The page that opens when the user follows a link in an email. It sends nothing before the user presses the button, because email scanners
// also open links.
import { el, heading } from './dom.js'
import { createForm, requireField } from './forms.js'
import { CODE, here, known, link, links, list, NEW_PASSWORD } from './login.js'
import { t } from './texts.js'

/**
 * `send` confirms the link, and resolves with an identity if this logs the user in; otherwise, the login page shows the message `done`. On
 * the page `again`, the user can request another email.
 */
const CREATE = { isNew: true, done: 'waiting', send: ({ client }, proof) => client.confirmSignUp(proof) }
const CHANGE = { done: 'email', send: ({ account }, proof) => account.confirmEmailChange(proof) }
const KINDS = {
  'sign-up': { ...CREATE, asked: 'requestSignUp', again: ['sign-up'] },
  invitation: CREATE,
  'change-email': { ...CHANGE, asked: 'requestEmailChange', again: ['account'] },
  'undo-email': { ...CHANGE, send: ({ account }, { token }) => account.undoEmailChange(token) },
  login: {
    ...{ asked: 'requestLoginMail', again: ['login', '#by=mail'] },
    send: ({ client }, proof) => client.confirmLoginByMail(proof),
  },
}

/** A link in an email has a token in its fragment. Without a token, the user types the code from the email. */
export async function confirmView(context) {
  const { purpose, token, email } = context.fragment
  const kind = Object.hasOwn(KINDS, purpose) ? KINDS[purpose] : undefined
  if (!kind) return [heading(t('confirm')), choice(context)]
  const code = { name: 'code', label: t('confirm.code'), autocomplete: 'one-time-code', required: true }
  const text = token ? t(`confirm.${purpose}.text`) : t('confirm.sent')
  const form = createForm({
    'aria-label': t(`confirm.${purpose}`),
    fields: [
      ...known(email),
      ...(token ? [] : [{ ...code, autocapitalize: 'characters', spellcheck: 'false' }]),
      ...(kind.isNew ? [NEW_PASSWORD] : []),
      ...(purpose === 'login' ? [{ ...CODE, name: 'secondFactor', hidden: true }] : []),
    ],
    action: t(`confirm.${purpose}`),
    submit: async ({ code, password, secondFactor }) => {
      const proof = { ...(token ? { token } : { code }), password, secondFactor: secondFactor || undefined }
      const identity = await kind.send(context, proof).catch(refused)
      if (identity) context.enter()
      else if (form.isConnected) context.leave('login', { done: kind.done })
    },
  })

  function refused(error) {
    const [{ field, type, message } = {}] = error.messages ?? []
    if (message === 'other-browser') return form.replaceWith(elsewhere(context.fragment.code))
    if (field === 'secondFactor') requireField(form, field, t(`error.code.${type}`))
    throw error
  }

  return [
    heading(t(`confirm.${purpose}`)),
    el('p', {}, text),
    form,
    links(kind.again && link(here(...kind.again), t('confirm.again')), link(here('login'), t('login.back'))),
  ]
}

const elsewhere = (code) => el('div', {}, el('p', {}, t('confirm.otherBrowser')), el('output', {}, code))

function choice({ may }) {
  const asked = Object.entries(KINDS).filter(([, kind]) => kind.asked && may(kind.asked))
  const items = asked.map(([purpose]) => el('a', { href: `#purpose=${purpose}` }, t(`confirm.${purpose}`)))
  return [el('p', {}, t('confirm.which')), list('links', items)]
}
