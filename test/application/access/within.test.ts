import { expect } from 'chai'
import type { ObjectParser } from '../../../src/application/fields.js'
import { OPERATIONS } from '../../../src/application/operations.js'
import { addPasskeys } from '../../../src/contracts/arrangements.js'
import { OPERATOR, type Caller } from '../../../src/domain/access/caller.js'
import { ACTIONS } from '../../../src/domain/access/components.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { refusalOf } from '../../support/refusal-of.js'
import {
  composeUseCases,
  PASSWORD,
  presentedBy,
  type Composed,
  type UseCaseOptions,
} from '../../support/use-cases.js'

type Operations = typeof OPERATIONS
type Asked<Name extends keyof Operations> = Parameters<ReturnType<Operations[Name]['factory']>>[0]
/** The operations that can be limited to the permissions of their caller. */
type Limitable = {
  [Name in keyof Operations]: 'within' extends keyof Asked<Name> ? Name : never
}[keyof Operations]

const ADMIN = 'admin@example.com'
const WAITING = 'waiting@example.com'
/** The helpdesk has all permissions on accounts, but may not read the audit log or create roles. */
const { audit: _audit, role: _role, store: _store, ...ofHelpdesk } = ACTIONS
const PERMISSIONS = {
  roles: {
    everyone: { components: { auth: ['login', 'reset-password', 'sign-up'], user: ['find'] } },
    cli: { components: { 'user-task': ['*'], user: ['*'], role: ['*'], apikey: ['*'] } },
    helpdesk: { components: ofHelpdesk },
    auditor: { components: { audit: ['list'], apikey: ['list'] } },
    billing: { inherit: ['auditor'] },
    editor: { components: { pets: ['*'] } },
  },
}

/** Like `PERMISSIONS`, but the helpdesk may also read the audit log, for one minute after each proof of identity. */
const CAREFUL = {
  roles: {
    ...PERMISSIONS.roles,
    helpdesk: { components: { ...ofHelpdesk, audit: [{ list: { fresh: 60_000 } }] } },
  },
}

type Call = { readonly caller: Caller; readonly within?: 'caller' }
type Attempt = (kennel: Composed, call: Call, target: { email: string; role: string }) => unknown

/** How to call each operation that needs more input than the target account's email. */
const ATTEMPTS: Readonly<Partial<Record<Limitable, Attempt>>> = {
  createUser: ({ useCases }, call, { role: one }) =>
    useCases.createUser({ ...call, email: 'new@example.com', password: PASSWORD, roles: [one] }),
  importUsers: ({ useCases }, call, { role: one }) =>
    useCases.importUsers(call)({ email: 'new@example.com', roles: [one] }),
  createApiKey: ({ useCases }, call, { role: one }) =>
    useCases.createApiKey({ ...call, name: 'key', roles: [one] }),
  assignRole: ({ useCases }, call, { role: one }) =>
    useCases.assignRole({ ...call, email: 'bob@example.com', role: one }),
  setPassword: ({ useCases }, call, { email }) =>
    useCases.setPassword({ ...call, email, password: 'another long password' }),
  changeUserEmail: ({ useCases }, call, { email }) =>
    useCases.changeUserEmail({ ...call, email, newEmail: 'other@example.com' }),
  revokeSession: async (kennel, call, { email }) => {
    const [session] = await sessionsOfAdmin(kennel)
    await kennel.useCases.revokeSession({ ...call, email, id: session?.id ?? '' })
  },
  revokeApiKey: ({ useCases }, call) => useCases.revokeApiKey({ ...call, id: '1' }),
  removeUserPasskey: async ({ store, useCases }, call, { email }) => {
    const account = await store.accounts.findByEmail(email as Email)
    const [passkey] = account ? await addPasskeys(store, account, 1) : []
    await useCases.removeUserPasskey({ ...call, email, id: passkey?.id ?? '' })
  },
  approveUser: ({ useCases }, call) => useCases.approveUser({ ...call, email: WAITING }),
  inviteUser: ({ useCases }, call, { role: one }) =>
    useCases.inviteUser({ ...call, email: 'new@example.com', roles: [one] }),
  sendInvitation: async ({ useCases }, call) =>
    await useCases.sendInvitation({
      ...call,
      id: (await useCases.listInvitations({ caller: OPERATOR }))[0]?.id ?? '',
    }),
  revokeInvitation: async ({ useCases }, call) =>
    await useCases.revokeInvitation({
      ...call,
      id: (await useCases.listInvitations({ caller: OPERATOR }))[0]?.id ?? '',
    }),
}

const isLimitable = (name: string): name is Limitable =>
  (OPERATIONS[name as Limitable].input as ObjectParser<object>).has('within')
const LIMITABLE = Object.keys(OPERATIONS).filter(isLimitable)

function attemptOf(name: Limitable): Attempt {
  return (
    ATTEMPTS[name] ??
    (({ useCases }, call, { email }) =>
      (useCases[name] as unknown as (input: object) => Promise<unknown>)({ ...call, email }))
  )
}

const sessionsOfAdmin = ({ store, clock }: Composed) =>
  store.sessions.pageOf({ accountId: 1 as AccountId, limit: 10, at: clock.now })

/**
 * Opens a Kennel in which four holders have this role: an administrator who is logged in, an API key, an unapproved
 * account, and an invitation. Also adds Bob, and a caller with the role `helpdesk`.
 */
async function opened(
  role: string,
  permissions: UseCaseOptions['permissions'] = PERMISSIONS,
): Promise<{ kennel: Composed; caller: Caller }> {
  const kennel = await composeUseCases({ permissions, mode: 'stateful' })
  for (const key of Object.keys(PERMISSIONS.roles).slice(2))
    await kennel.useCases.createRole({ caller: OPERATOR, key, label: key })
  const helpdesk = 'helpdesk@example.com'
  for (const [email, roles] of [
    [ADMIN, [role]],
    [WAITING, [role]],
    ['bob@example.com', []],
    [helpdesk, ['helpdesk']],
  ] as const)
    await kennel.useCases.createUser({ caller: OPERATOR, email, password: PASSWORD, roles: [...roles] })
  await kennel.useCases.createApiKey({ caller: OPERATOR, name: 'admin', roles: [role] })
  await kennel.store.accounts.setDisabled(2 as AccountId, kennel.clock.now)
  await kennel.useCases.inviteUser({ caller: OPERATOR, email: 'invited@example.com', roles: [role] })
  await kennel.login(ADMIN)
  return { kennel, caller: await kennel.useCases.getIdentity(presentedBy(await kennel.login(helpdesk))) }
}

/** Returns the administrator's sessions, the audit log, and all accounts, API keys, invitations and queued emails. */
const stored = async (kennel: Composed) => [
  await sessionsOfAdmin(kennel),
  await kennel.store.audit.page({ limit: 100 }),
  await kennel.store.accounts.page(undefined, 10),
  await kennel.store.apiKeys.page(undefined, 10),
  await kennel.store.proofs.page('invitation', undefined, 10),
  await kennel.store.mailQueue.waiting(undefined, kennel.clock.now, 10),
]

describe("a call that is limited to its caller's permissions", () => {
  for (const name of LIMITABLE) {
    const attempt = attemptOf(name)
    it(`is refused by ${name} with a message that names the first missing permission, and changes nothing`, async () => {
      const { kennel, caller } = await opened('billing')
      const before = await stored(kennel)
      const target = { email: ADMIN, role: 'billing' }
      const call = async () => await attempt(kennel, { caller, within: 'caller' }, target)
      const { code, messages } = await refusalOf(call())
      const message = 'This needs the permission "audit: list", which you do not have.'
      expect({ code, messages }).to.deep.equal({
        code: 'forbidden',
        messages: [{ field: '', type: 'Forbidden', message }],
      })
      expect(await stored(kennel)).to.deep.equal(before)
    })

    it(`succeeds in ${name} if the caller has every permission of the role, or if the call is not limited`, async () => {
      for (const [role, within] of [
        ['editor', 'caller'],
        ['helpdesk', 'caller'],
        ['billing', undefined],
      ] as const) {
        const { kennel, caller } = await opened(role)
        await attempt(kennel, { caller, ...(within && { within }) }, { email: ADMIN, role })
      }
    })
  }

  it('is refused while the login does not meet the condition of one of these permissions', async () => {
    for (const [age, code] of [
      [60_000, undefined],
      [60_001, 'fresh-login-required'],
    ] as const) {
      const { kennel, caller } = await opened('billing', CAREFUL)
      kennel.clock.now += age
      const before = await stored(kennel)
      const call = async () => await kennel.useCases.disableUser({ caller, within: 'caller', email: ADMIN })
      if (code === undefined) await call()
      else expect((await refusalOf(call())).code).to.equal(code)
      if (code !== undefined) expect(await stored(kennel)).to.deep.equal(before)
    }
  })

  it('is refused if the caller is an API key that has a required permission only with a condition', async () => {
    const { kennel } = await opened('billing', CAREFUL)
    const { key } = await kennel.useCases.createApiKey({ caller: OPERATOR, name: 'job', roles: ['helpdesk'] })
    const caller = await kennel.useCases.authenticatePetClient({ apiKey: key })
    const call = { caller, within: 'caller', name: 'key', roles: ['auditor'] } as const
    const { messages } = await refusalOf(kennel.useCases.createApiKey(call))
    expect(messages[0]?.message).to.include('"audit: list (without a condition)"')
  })

  it('cannot remove a role that has permissions that the caller lacks', async () => {
    const { kennel, caller } = await opened('billing')
    const call = { caller, within: 'caller', email: ADMIN, role: 'billing', remove: true } as const
    expect((await refusalOf(kennel.useCases.assignRole(call))).code).to.equal('forbidden')
    expect((await kennel.store.accounts.findByEmail(ADMIN as Email))?.roles).to.have.length(1)
  })
})
