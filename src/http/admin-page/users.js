// The list of accounts, and one account with everything that an operator can do with it.
import { buttons, el, facts, heading, section, time } from '../pages/dom.js'
import { RequestError } from '../pages/errors.js'
import { action } from '../pages/forms.js'
import { SETTINGS } from '../pages/texts.js'
import { auditTable } from './audit.js'
import { draftOf, filters, pages, roleField, rolesFields, table } from './lists.js'

const STATES = [
  ['', 'Any'],
  ['true', 'Disabled'],
]
const EMAIL = { name: 'email', label: 'Email', inputmode: 'email', required: true }
const NEW_PASSWORD = { autocomplete: 'new-password', required: true, generate: 'Generate' }
const PASSWORD = { name: 'password', label: 'Password', type: 'password', ...NEW_PASSWORD }

const stateOf = ({ disabledAt }) => (disabledAt ? ['Disabled since ', time(disabledAt)] : 'Enabled')

export async function usersView(context) {
  const { api, may, query, go } = context
  const create = action(context, 'user-task:create', 'Create account', {
    fields: async () => [EMAIL, PASSWORD, ...(await rolesFields(context))],
    act: (values) => api.createUser(draftOf(values)),
    done: (id) => go(may('user:show') ? `#/users/${id}` : '#/users', 'The account was created.'),
  })
  if (!may('user:list')) return [heading('Accounts', create)]
  const columns = [
    ['Email', ({ id, email }) => (may('user:show') ? el('a', { href: `#/users/${id}` }, email) : email)],
    ['Roles', ({ roles }) => roles.join(', ') || 'None'],
    ['Created', ({ createdAt }) => time(createdAt)],
    ['State', stateOf],
  ]
  const load = (cursor) => api.listUsers({ ...query, cursor })
  const fields = [
    { name: 'email', label: 'Email begins with', type: 'search' },
    { name: 'role', label: 'Role' },
    { name: 'disabled', label: 'State', options: STATES },
  ]
  const list = await pages('Accounts', columns, load, 'No account matches.')
  return [heading('Accounts', create), filters(context, fields), list]
}

export async function userView(context) {
  const { api, may, id } = context
  const account = { ...context, user: await api.getUser(id) }
  const { email, createdAt, disabledAt, lastLoginAt, sessions, secondFactor } = account.user
  const parts = [
    rolesPart(account),
    may('session:list') && sessionsPart(account),
    may('user:remove-factor') && factorPart(account),
    may('user:remove-factor') && SETTINGS.passkeys && passkeysPart(account),
    may('audit:list') && auditPart(account),
  ]
  return [
    heading(email),
    facts([
      ['ID', String(id)],
      ['State', stateOf({ disabledAt })],
      ['Created', time(createdAt)],
      ['Last login', time(lastLoginAt, 'Never, or no longer known')],
      ['Active sessions', `${sessions.active}${sessions.more ? ' or more' : ''}`],
      ['Second factor', secondFactor ? 'Yes' : 'No'],
    ]),
    actions(account),
    ...(await Promise.all(parts.filter(Boolean))),
  ]
}

function actions(account) {
  const { id, user, api, go } = account
  const { email, disabledAt } = user
  const permitted = (needs, label, more) =>
    action(account, needs, label, { title: `${label}: ${email}`, ...more })
  const disable = {
    text: 'The user is logged out everywhere, and cannot log in until the account is enabled.',
    ...{ act: () => api.disableUser(id), isDangerous: true, done: 'The account was disabled.' },
  }
  const newPassword = {
    fields: () => [PASSWORD],
    act: (password) => api.setPassword(id, password),
    done: 'The password was set.',
  }
  const newEmail = {
    fields: () => [{ ...EMAIL, name: 'newEmail', label: 'New email' }],
    ...{ act: ({ newEmail }) => api.changeUserEmail(id, newEmail), done: 'The email was changed.' },
  }
  const remove = {
    text: `This cannot be undone. To confirm, type the email of the account: ${email}`,
    ...{ fields: () => [EMAIL], isDangerous: true },
    act: (typed) => {
      const fields = { email: `This is not ${email}.` }
      if (typed.email !== email) throw new RequestError('', { fields })
      return api.deleteUser(id)
    },
    done: () => go('#/users', `The account ${email} was deleted.`),
  }
  return buttons(
    disabledAt
      ? permitted('user:enable', 'Enable', {
          act: () => api.enableUser(id),
          done: 'The account was enabled.',
        })
      : permitted('user:disable', 'Disable', disable),
    permitted('user:unlock', 'Unlock', {
      act: () => api.unlockUser(id),
      done: 'The user can try to log in again.',
    }),
    permitted('user-task:password', 'Set password', newPassword),
    permitted('user:email', 'Change email', newEmail),
    permitted('user:reset-mail', 'Send reset mail', {
      act: () => api.sendResetMail(id),
      done: 'The email was queued.',
    }),
    permitted('user:delete', 'Delete', remove),
  )
}

function rolesPart(account) {
  const { id, user, api } = account
  const remove = (key) =>
    action(account, 'user-task:role', 'Remove', {
      ...{ title: `Remove the role ${key}`, act: () => api.removeRole(id, key) },
      done: `The account no longer has the role ${key}.`,
    })
  const give = action(account, 'user-task:role', 'Give role', {
    fields: async () => [await roleField(account, user.roles)],
    ...{ act: ({ role }) => api.assignRole(id, role), done: 'The account has the role.' },
  })
  const items = user.roles.map((key) => el('li', {}, el('span', {}, key), remove(key)))
  return section('Roles', items.length > 0 ? el('ul', {}, items) : 'None.', buttons(give))
}

async function sessionsPart(account) {
  const { id, user, api, may } = account
  const end = ({ id: session, createdAt }) =>
    action(account, 'session:revoke', 'End', {
      title: `End the session of ${time(createdAt).textContent}`,
      ...{ act: () => api.revokeSession(id, session), done: 'The session has ended.' },
    })
  const endAll = action(account, 'session:revoke', 'End all sessions', {
    ...{ text: `${user.email} is logged out everywhere.`, isDangerous: true },
    ...{ act: () => api.revokeSessions(id), done: 'All sessions have ended.' },
  })
  const columns = [
    ['Client', ({ client }) => client ?? 'Unknown'],
    ['Network', ({ network }) => network ?? 'Unknown'],
    ['Login', ({ createdAt }) => time(createdAt)],
    ['Last refresh', ({ refreshedAt }) => time(refreshedAt)],
    ['Ends', ({ idleEndsAt }) => time(idleEndsAt)],
    ...(may('session:revoke') ? [['Action', end]] : []),
  ]
  const list = await pages('Sessions', columns, (cursor) => api.listSessions(id, { cursor }))
  // The button is shown even if the list is empty: a service without sessions then rejects the account's existing tokens.
  return section('Sessions', list, buttons(endAll))
}

async function factorPart(account) {
  const { id, user, api } = account
  const { active, since, required, recoveryCodesLeft } = await api.readUserFactor(id)
  const remove = action(account, 'user:remove-factor', 'Remove second factor', {
    text: `Afterwards, the password is enough to log in as ${user.email}. Make sure that the owner wants this.`,
    isDangerous: true,
    ...{ act: () => api.removeUserFactor(id), done: 'The second factor was removed.' },
  })
  const state = [
    ['State', active ? ['Active since ', time(since)] : 'None'],
    ['Required by a role', required ? 'Yes' : 'No'],
    ['Recovery codes left', String(recoveryCodesLeft)],
  ]
  return section('Second factor', facts(state), active && buttons(remove))
}

async function passkeysPart(account) {
  const { id, user, api } = account
  const passkeys = await api.listUserPasskeys(id)
  const remove = ({ id: passkey, name }) =>
    action(account, 'user:remove-factor', 'Remove', {
      ...{ title: `Remove the passkey ${name}`, isDangerous: true },
      text: `${user.email} can no longer log in with this passkey. Open sessions continue.`,
      ...{ act: () => api.removeUserPasskey(id, passkey), done: 'The passkey was removed.' },
    })
  const columns = [
    ['Name', ({ name }) => name],
    ['Created', ({ createdAt }) => time(createdAt)],
    ['Last used', ({ lastUsedAt }) => time(lastUsedAt, 'Never')],
    ['Synced', ({ synced }) => (synced ? 'Yes' : 'No')],
    ['Action', remove],
  ]
  return section('Passkeys', passkeys.length > 0 ? table('Passkeys', columns, passkeys) : 'None.')
}

async function auditPart(account) {
  const query = { user: account.id, order: 'newest-first' }
  return section('Audit records', await auditTable(account, query))
}
