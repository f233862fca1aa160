import { expect } from 'chai'
import type { AccountId } from '../../src/domain/identity/account.js'
import type * as z from 'zod'
import type * as data from '../../src/client/admin.js'
import { addPasskey } from '../../src/contracts/arrangements.js'
import { createAdminClient } from '../../src/client/admin.js'
import { DEFAULT_PERMISSIONS } from '../../src/index.js'
import type * as schemas from '../../src/http/schemas/administration.js'
import { freshEmail } from '../support/http/browser.js'
import { PASSWORD, sharedService } from '../support/http/service.js'
import { createPostbox, ownTemplates } from '../support/mail/postbox.js'
import { clientOf, failureOf, newcomer } from './clients.js'

const { cli, everyone } = DEFAULT_PERMISSIONS.roles
const auth = [...everyone.components.auth, 'reset-password', 'sign-up']

/** Compiles only if each type accepts what the schema of the reply describes. */
type Described = [
  Accepts<data.AdminUser, (typeof schemas.USER)['schema']>,
  Accepts<data.DuplicateUser, (typeof schemas.DUPLICATE_USERS)['schema']['element']>,
  Accepts<data.AdminUserDetails, (typeof schemas.USER_DETAILS)['schema']>,
  Accepts<data.AdminRole, (typeof schemas.ROLE)['schema']>,
  Accepts<data.Invitation, (typeof schemas.INVITATION)['schema']>,
  Accepts<data.AdminSession, (typeof schemas.SESSION)['schema']>,
  Accepts<data.UserFactor, (typeof schemas.FACTOR)['schema']>,
  Accepts<data.UserPasskey, (typeof schemas.USER_PASSKEY)['schema']>,
  Accepts<data.AdminApiKey, (typeof schemas.API_KEY)['schema']>,
  Accepts<data.AdminAuditRecord, (typeof schemas.AUDIT_RECORD)['schema']>,
  Accepts<data.CallerPermissions, typeof schemas.permissionsSchema>,
]
/** The type and the schema have the same properties, and the type accepts every value of the schema. */
type Accepts<T, S extends z.ZodType> =
  Present<z.output<S>> extends T
    ? [keyof T, keyof z.output<S>] extends [keyof z.output<S>, keyof T]
      ? true
      : false
    : false
/** Removes `undefined` from the value types, because JSON cannot represent it. */
type Present<T> = T extends object ? { [Name in keyof T]: Present<Exclude<T[Name], undefined>> } : T
const DESCRIBED: Described = [true, true, true, true, true, true, true, true, true, true, true]

describe('the client for operators', () => {
  const service = sharedService({
    settings: { administration: 'on', passkeyDomain: { rpId: 'localhost', relatedOrigins: [] } },
    mail: { mailer: createPostbox().mailer, templates: ownTemplates() },
    permissions: {
      roles: {
        ...DEFAULT_PERMISSIONS.roles,
        everyone: { components: { ...everyone.components, auth } },
        operator: cli,
      },
    },
  })

  it('has return types that match the replies', () => {
    expect(new Set(DESCRIBED)).to.deep.equal(new Set([true]))
  })

  it('sends the access token of a login', async () => {
    const { caller, permissions } = await createAdminClient(
      await newcomer(service, { roles: ['operator'] }),
    ).permissions()
    expect(caller.kind).to.equal('account')
    expect(permissions['user']).to.include('list')
  })

  it('calls every operation with an API key', async () => {
    const admin = createAdminClient({ baseUrl: service.origin, apiKey: await service.apiKey(['operator']) })
    const role = 'role-of-a-test'
    expect(await admin.createRole({ key: role, label: 'Editor' })).to.include({ key: role })
    const email = freshEmail()
    const id = await admin.createUser({ email, password: PASSWORD })
    await admin.assignRole(id, role)
    expect((await admin.listUsers({ role, email })).rows).to.have.nested.property('0.id', id)
    expect(await admin.listDuplicateUsers()).to.deep.equal([])
    await admin.removeRole(id, role)
    expect((await admin.getUser(id)).roles).to.deep.equal([])
    const all: string[] = []
    for await (const { rows } of admin.listRoles({ limit: 1 })) all.push(...rows.map(({ key }) => key))
    expect(all).to.include(role)
    expect(all).to.deep.equal((await admin.listRoles()).rows.map(({ key }) => key))
    await admin.deleteRole(role)

    const { client } = clientOf(service)
    await client.login(email, PASSWORD)
    const { rows: sessions } = await admin.listSessions(id, { limit: 1 })
    await admin.revokeSession(id, sessions[0]?.id ?? '')
    expect((await failureOf(client.getIdentity())).status).to.equal(401)
    await client.login(email, PASSWORD)
    expect(await admin.revokeSessions(id)).to.equal(1)

    await admin.disableUser(id)
    expect((await admin.listUsers({ disabled: true, email })).rows).to.have.length(1)
    await admin.enableUser(id)
    await service.store.accounts.setDisabled(id as AccountId, service.clock.now)
    await admin.approveUser(id)
    expect((await failureOf(admin.approveUser(id))).status).to.equal(409)
    await admin.unlockUser(id)
    await admin.sendResetMail(id)
    expect((await admin.readUserFactor(id)).active).to.equal(false)
    expect((await failureOf(admin.removeUserFactor(id))).status).to.equal(404)
    const account = await service.store.accounts.find(id as AccountId)
    const passkey = await addPasskey(service.store, account ?? expect.fail(), `${id}`)
    expect((await admin.listUserPasskeys(id)).map((one) => one.id)).to.deep.equal([passkey.id])
    await admin.removeUserPasskey(id, passkey.id)
    expect((await failureOf(admin.removeUserPasskey(id, passkey.id))).status).to.equal(404)
    const invitation = await admin.inviteUser(freshEmail(), ['operator'])
    expect(invitation.roles).to.deep.equal(['operator'])
    await admin.sendInvitation(invitation.id)
    expect((await admin.listInvitations()).rows.at(-1)).to.deep.equal(invitation)
    await admin.revokeInvitation(invitation.id)
    expect((await failureOf(admin.sendInvitation(invitation.id))).status).to.equal(404)
    await admin.setPassword(id, { password: 'a quiet river at dusk' })
    await admin.changeUserEmail(id, freshEmail())
    expect(await admin.exportUser(id)).to.have.nested.property('account.id', id)

    const made = await admin.createApiKey({ name: 'Import', expiresAt: new Date(service.clock.now + 1e6) })
    await admin.revokeApiKey(made.id)
    const keys: data.AdminApiKey[] = []
    for await (const { rows } of admin.listApiKeys({ limit: 2 })) keys.push(...rows)
    expect(keys.find((one) => one.id === made.id)).to.include.keys('revokedAt', 'expiresAt')
    expect((await admin.listAudit({ user: id, order: 'newest-first', limit: 1 })).rows).to.have.length(1)
    await admin.deleteUser(id)
    expect((await failureOf(admin.getUser(id))).code).to.equal('NotFound')
  })

  it('rejects a segment that would change the path, and sends no request', async () => {
    const admin = createAdminClient({
      baseUrl: service.origin,
      apiKey: 'none',
      fetch: () => expect.fail('sent'),
    })
    for (const id of ['', '.', '..']) {
      expect((await failureOf(admin.revokeSession(7, id))).code).to.equal('NotValid')
      expect((await failureOf(admin.removeRole(7, id))).code).to.equal('NotValid')
    }
  })

  it('rejects a page that a proxy sends instead of a reply, and requires an API key', async () => {
    const fetch = async () => new Response('<p>Welcome')
    const admin = createAdminClient({ baseUrl: 'https://pets.example', apiKey: 'none', fetch })
    expect((await failureOf(admin.getUser(7))).code).to.equal('unreadable')
    expect((await failureOf(admin.listUsers())).code).to.equal('unreadable')
    expect(() => createAdminClient({ baseUrl: 'https://pets.example', apiKey: '' })).to.throw(TypeError)
  })
})
