// Roles and API keys.
import { buttons, el, heading, time, utc } from '../pages/dom.js'
import { action, openDialog } from '../pages/forms.js'
import { draftOf, pages, rolesFields } from './lists.js'

export async function rolesView(context) {
  const { api, may } = context
  const create = action(context, 'role:create', 'Create role', {
    fields: () => [
      {
        name: 'key',
        label: 'Key',
        required: true,
        hint: 'The permission file refers to the role by this key.',
      },
      { name: 'label', label: 'Label', required: true, hint: 'The display name of the role.' },
    ],
    ...{ act: api.createRole, done: 'The role was created.' },
  })
  const remove = ({ key }) =>
    action(context, 'role:delete', 'Delete', {
      ...{ title: `Delete the role ${key}`, isDangerous: true },
      text: 'A role that is assigned to an account or a valid API key cannot be deleted.',
      act: () => api.deleteRole(key),
      done: `The role ${key} was deleted.`,
    })
  const columns = [
    ['Key', ({ key }) => key],
    ['Label', ({ label }) => label],
    ...(may('role:delete') ? [['Action', remove]] : []),
  ]
  return [heading('Roles', create), await pages('Roles', columns, (cursor) => api.listRoles({ cursor }))]
}

export async function apiKeysView(context) {
  const { api, may, reload } = context
  const create = action(context, 'apikey:create', 'Create API key', {
    fields: async () => [
      { name: 'name', label: 'Name', required: true, hint: 'The program that uses the key.' },
      ...(await rolesFields(context)),
      { name: 'expiresAt', label: 'Valid until', type: 'datetime-local', hint: 'Empty: until revoked.' },
    ],
    act: ({ expiresAt, ...draft }) => api.createApiKey({ ...draftOf(draft), expiresAt: utc(expiresAt) }),
    done: async ({ key }) => {
      await reload('The API key was created.')
      showKey(key)
    },
  })
  const revoke = ({ id, name, revokedAt }) =>
    !revokedAt &&
    action(context, 'apikey:revoke', 'Revoke', {
      ...{ title: `Revoke the API key ${name}`, isDangerous: true },
      text: 'Programs that use this key are rejected from now on. This cannot be undone.',
      ...{ act: () => api.revokeApiKey(id), done: `The API key ${name} was revoked.` },
    })
  const columns = [
    ['Name', ({ name }) => name],
    ['Roles', ({ roles }) => roles.join(', ') || 'None'],
    ['Created', ({ createdAt, createdBy }) => [time(createdAt), createdBy ? ` by ${createdBy}` : '']],
    ['Last used', ({ lastUsedAt }) => time(lastUsedAt, 'Never')],
    ['State', keyState],
    ...(may('apikey:revoke') ? [['Action', revoke]] : []),
  ]
  const load = (cursor) => api.listApiKeys({ cursor })
  return [heading('API keys', create), await pages('API keys', columns, load)]
}

function keyState({ revokedAt, expiresAt }) {
  if (revokedAt) return ['Revoked ', time(revokedAt)]
  if (!expiresAt) return 'Valid'
  return [Date.parse(expiresAt) > Date.now() ? 'Valid until ' : 'Expired ', time(expiresAt)]
}

/** The service keeps only a digest of the key. Shows the key in a dialog that is removed when it closes. */
function showKey(key) {
  const input = el('input', { id: 'new-key', readonly: true, value: key, autocomplete: 'off' })
  const copy = el('button', { type: 'button', click: () => copyFrom(input, copy) }, 'Copy')
  const close = el('button', { type: 'button', class: 'primary', click: () => dialog.close() }, 'Done')
  const dialog = openDialog('The new API key', [
    el('p', {}, 'Copy the key now: it is shown only once.'),
    el('div', { class: 'field' }, el('label', { for: 'new-key' }, 'API key'), input),
    buttons(copy, close),
  ])
}

/** Without TLS, browsers do not let a page write to the clipboard, so the page selects the text. */
async function copyFrom(input, button) {
  input.select()
  const copied = navigator.clipboard?.writeText(input.value).then(() => true)
  button.textContent = (await copied?.catch(() => false)) ? 'Copied' : 'Press Ctrl+C'
}
