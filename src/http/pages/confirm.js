// The page of links in emails. It sends nothing before the user presses the button: programs that check emails open links too.
import { el, heading } from './dom.js'
import { createForm, requireField } from './forms.js'
import { CODE, known, list, NEW_PASSWORD } from './login.js'
import { t } from './texts.js'

const CREATE = { confirm: (client, proof) => client.confirmSignUp(proof), isNew: true }
const KINDS = {
  'sign-up': { ...CREATE, asked: 'requestSignUp' },
  invitation: CREATE,
  'change-email': { path: 'change-email/confirm', asked: 'requestEmailChange', isLoggedOut: true },
  'undo-email': { path: 'change-email/undo', isLoggedOut: true },
  login: { confirm: (client, proof) => client.confirmLoginByMail(proof), asked: 'requestLoginMail' },
}

/** The fragment of a link has a token; the fragment after a request has none, and the user types the code. */
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
    submit: ({ code, password, secondFactor }) =>
      send(context, kind, { ...(token ? { token } : { code }), password, secondFactor }).catch(refused),
  })

  function refused(error) {
    const [{ field, type, message } = {}] = error.messages ?? []
    if (message === 'other-browser') return form.replaceWith(elsewhere(context.fragment.code))
    if (field === 'secondFactor') requireField(form, field, t(`error.code.${type}`))
    throw error
  }

  return [heading(t(`confirm.${purpose}`)), el('p', {}, text), form]
}

async function send({ client, post, enter, leave }, { path, confirm, isLoggedOut }, body) {
  if (isLoggedOut) {
    await post(`/api/auth/${path}`, body)
    return leave('login', { done: 'email' })
  }
  const identity = await confirm(client, { ...body, secondFactor: body.secondFactor || undefined })
  // There is no identity if an operator has to approve the account.
  if (identity) enter()
  else leave('login', { done: 'waiting' })
}

const elsewhere = (code) => el('div', {}, el('p', {}, t('confirm.otherBrowser')), el('output', {}, code))

function choice({ may }) {
  const asked = Object.entries(KINDS).filter(([, kind]) => kind.asked && may(kind.asked))
  const items = asked.map(([purpose]) => el('a', { href: `#purpose=${purpose}` }, t(`confirm.${purpose}`)))
  return [el('p', {}, t('confirm.which')), list('links', items)]
}
