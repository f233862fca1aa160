// The page for the user's own account. Shows only the sections that the user has permission for.
import { buttons, el, heading, section, time } from './dom.js'
import { RequestError } from './errors.js'
import { action, button, openDialog, openForm } from './forms.js'
import { CODE, EMAIL, known, list, NEW_PASSWORD, PASSWORD } from './login.js'
import { t } from './texts.js'

export async function accountView(context) {
  const { account, client, leave, may } = context
  const identity = await unless(401, client.getIdentity())
  if (!identity) {
    leave('login')
    return [heading(t('account'))]
  }
  // The login may also end in another tab.
  client.subscribe(() => client.tokens() ?? leave('login', { done: 'logout' }))
  const own = { ...context, email: identity.user.email }
  const factor = may('setUpSecondFactor') ? await unless(403, account.secondFactor()) : undefined
  const parts = [
    ...[loginPart(own), passkeysPart(own), factor && factorPart(own, factor)],
    ...[sessionsPart(own), dataPart(own, factor)],
  ]
  return [heading(own.email, button(t('account.logout'), client.logout)), ...(await Promise.all(parts))]
}

/** Resolves with `undefined` if the service rejects the call with `status`, such as 403 if the user's roles lack the permission. */
const unless = (status, call) =>
  call.catch((error) => {
    if (error.status !== status) throw error
  })

/** An account with passkeys may have no password. */
const ownPassword = ({ may }) =>
  may('addPasskey') ? { ...PASSWORD, required: false, hint: t('password.none') } : PASSWORD

function loginPart(own) {
  const { account, email, leave } = own
  const changeEmail = action(own, 'requestEmailChange', t('account.changeEmail'), {
    text: t('account.changeEmail.text'),
    fields: () => [{ ...EMAIL, label: t('account.newEmail'), autocomplete: 'email' }, ownPassword(own)],
    act: account.changeEmail,
    done: () => leave('confirm', { purpose: 'change-email' }),
  })
  const changePassword = action(own, 'changePassword', t('account.changePassword'), {
    text: t('account.changePassword.text'),
    fields: () => [...known(email), PASSWORD, { ...NEW_PASSWORD, name: 'newPassword' }],
    ...{ act: account.changePassword, done: t('done.password') },
  })
  return buttons(changeEmail, changePassword)
}

async function passkeysPart(own) {
  const { account, may } = own
  const passkeys = may('addPasskey') && (await unless(403, account.passkeys()))
  if (!passkeys) return undefined
  const add = action(own, 'addPasskey', t('passkeys.add'), {
    ...{ act: () => account.addPasskey(), done: t('done.passkey') },
  })
  const items = passkeys.map((one) => passkeyItem(own, one))
  const shown = items.length > 0 ? list('', items) : el('p', {}, t('passkeys.none'))
  return section(t('passkeys'), shown, buttons(add))
}

function passkeyItem(own, { id, name, createdAt, lastUsedAt }) {
  const { account } = own
  const part = (verb, more) =>
    action(own, 'addPasskey', t(`passkeys.${verb}`), {
      title: t(`passkeys.${verb}.title`, { name }),
      ...more,
    })
  const named = { name: 'name', label: t('passkeys.name'), value: name, maxlength: 64, required: true }
  const rename = part('rename', {
    ...{ fields: () => [named], act: (values) => account.renamePasskey(id, values.name) },
    done: t('done.passkeyRenamed'),
  })
  const remove = part('remove', {
    ...{ text: t('passkeys.remove.text'), isDangerous: true },
    ...{ act: () => account.removePasskey(id).catch(lastWay), done: t('done.passkeyRemoved') },
  })
  const use = lastUsedAt
    ? [t('passkeys.used'), ' ', time(lastUsedAt)]
    : [t('passkeys.created'), ' ', time(createdAt)]
  return [el('div', {}, name, el('div', { class: 'hint' }, use)), buttons(rename, remove)]
}

function lastWay(error) {
  throw error.code === 'Conflict' ? new RequestError(t('error.lastWay'), error) : error
}

function factorPart(own, { active, required, recoveryCodesLeft }) {
  const { account } = own
  const part = (name, more) =>
    action(own, 'setUpSecondFactor', t(`second.${name}`), { text: t(`second.${name}.text`), ...more })
  const proof = () => [ownPassword(own), { ...CODE, required: true }]
  const setUp = {
    fields: () => [ownPassword(own)],
    act: ({ password }) => account.setUpSecondFactor(password),
  }
  const remove = { fields: proof, act: account.removeSecondFactor, done: t('done.secondOff') }
  const renew = { fields: proof, act: account.renewRecoveryCodes, done: showCodes(own, 'done.codes') }
  const shown = active
    ? [part('renew', renew), part('remove', { ...remove, isDangerous: true })]
    : [part('setUp', { ...setUp, done: (secret) => confirmFactor(own, secret) })]
  const state = active ? t('second.on', { left: String(recoveryCodesLeft) }) : undefined
  const off = t(required ? 'second.required' : 'second.off')
  return section(t('second'), el('p', {}, state ?? off), buttons(...shown))
}

async function confirmFactor(own, { secret, qrCode }) {
  const src = `data:image/svg+xml,${encodeURIComponent(qrCode)}`
  const key = [t('second.scan'), el('img', { src, alt: t('second.picture') }), el('code', {}, secret)]
  const sent = await openForm(t('second.setUp'), key, {
    fields: [{ ...CODE, label: t('second.code'), hint: '', inputmode: 'numeric', required: true }],
    action: t('second.confirm'),
    submit: ({ code }) => own.account.confirmSecondFactor(code),
  })
  if (sent) showCodes(own, 'done.second')(sent.reply)
}

const showCodes = (own, done) => (codes) => {
  const close = button(t('second.codes.done'), () => dialog.close(), { class: 'primary' })
  const content = [el('p', {}, t('second.codes.text')), list('codes', codes), close]
  const dialog = openDialog(t('second.codes'), content)
  dialog.addEventListener('close', () => void own.reload(t(done)))
}

async function sessionsPart(own) {
  const { account, may } = own
  const page = may('listOwnSessions') && (await unless(403, account.sessions({ limit: 100 })))
  if (!page) return undefined
  const items = page.sessions.map(({ id, client, network, refreshedAt, current }) => {
    const device = [client ?? t('account.unknown'), network].filter(Boolean).join(', ')
    const end = action(own, 'endOwnSessions', t('account.end'), {
      title: t('account.end.title', { device }),
      ...{ act: () => account.endSession(id), done: t('done.session') },
    })
    const about = el('div', {}, device, el('div', { class: 'hint' }, time(refreshedAt)))
    return [about, current ? el('b', {}, t('account.current')) : end]
  })
  const others = action(own, 'endOwnSessions', t('account.endOthers'), {
    ...{ act: account.endOtherSessions, done: t('done.sessions') },
  })
  return section(t('account.sessions'), list('', items), page.sessions.length > 1 && buttons(others))
}

function dataPart(own, factor) {
  const { account, leave } = own
  const password = ownPassword(own)
  const fields = () => [password, ...(factor?.active ? [{ ...CODE, required: password.required }] : [])]
  const download = action(own, 'exportAccount', t('account.export'), {
    ...{ text: t('account.export.text'), fields, act: account.exportAccount, done: save },
  })
  const remove = action(own, 'deleteAccount', t('account.delete'), {
    ...{ text: t('account.delete.text'), fields, isDangerous: true },
    ...{ act: account.deleteAccount, done: () => leave('login', { done: 'deleted' }) },
  })
  return buttons(download, remove)
}

function save(data) {
  const file = new Blob([JSON.stringify(data, undefined, 2)], { type: 'application/json' })
  el('a', { href: URL.createObjectURL(file), download: 'account.json' }).click()
}
