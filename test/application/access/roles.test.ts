import { expect } from 'chai'
import { OPERATOR as caller } from '../../../src/domain/access/caller.js'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../../src/domain/access/permission-rules.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { OPERATIONS } from '../../../src/application/operations.js'
import type { Mode } from '../../../src/application/wiring.js'
import { permitting } from '../../support/permissions.js'
import { refusalOf, wordsOf, wordsOfCall } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, START, type Composed } from '../../support/use-cases.js'

describe('roles', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
  })

  const create = (key: string, label = 'Label') => kennel.useCases.createRole({ caller, key, label })

  it('are created with a new ID and listed in the order of their keys', async () => {
    const editor = await create('editor', '  Éditeur ')
    expect(editor).to.deep.equal({ uuid: editor.uuid, key: 'editor', label: 'Éditeur' })
    expect(editor.uuid).to.match(/^[0-9a-f-]{36}$/)
    const author = await create('author')
    expect(await kennel.useCases.listRoles({ caller })).to.deep.equal([author, editor])
  })

  it('are not deleted if the key is unknown or invalid', async () => {
    await create('editor')
    const wordsOf = (key: string) => wordsOfCall(() => kennel.useCases.deleteRole({ caller, key }))
    for (const key of ['Editor', 'none'])
      expect(await wordsOf(key)).to.equal(`not-found | key NotFound: There is no role "${key}".`)
    for (const key of ['a b', '']) expect(await wordsOf(key)).to.match(/^invalid \| key/)
    expect(await kennel.useCases.listRoles({ caller })).to.have.lengthOf(1)
  })

  it('are not deleted while an account or a valid API key has the role', async () => {
    const { useCases, account } = kennel
    await create('editor')
    await account('ada@example.com')
    const remove = () => useCases.deleteRole({ caller, key: 'editor' })
    const give = (remove: boolean) =>
      useCases.assignRole({ caller, email: 'ada@example.com', role: 'editor', remove })
    const assertHeld = async () => {
      const { code, messages } = await refusalOf(remove())
      expect([code, messages[0]?.field, messages[0]?.type]).to.deep.equal(['conflict', 'key', 'Conflict'])
      expect(messages[0]?.message).to.contain('`user list --role KEY` and `apikey list`')
    }
    await give(false)
    await assertHeld()
    await give(true)
    const expiresAt = START + 1000
    await useCases.createApiKey({ caller, name: 'ends', roles: ['editor'], expiresAt })
    await assertHeld()
    await useCases.revokeApiKey({ caller, id: '1' })
    await useCases.createApiKey({ caller, name: 'ends', roles: ['editor'], expiresAt })
    await assertHeld()
    kennel.clock.now += 1000
    await remove()
    expect(await useCases.listRoles({ caller })).to.deep.equal([])
  })
})

describe('the roles of an account', () => {
  const email = 'ada@example.com'
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.account(email)
    await kennel.useCases.createRole({ caller, key: 'editor', label: 'Editor' })
    await kennel.audited()
  })

  const change = (remove?: boolean) => kennel.useCases.assignRole({ caller, email, role: 'editor', remove })

  it('are assigned and unassigned with effect from the next request', async () => {
    const presented = presentedBy(await kennel.login(email))
    const roles = async () => (await kennel.useCases.getIdentity(presented)).roles.map(({ key }) => key)
    await change()
    expect(await roles()).to.deep.equal(['editor'])
    await change(true)
    expect(await roles()).to.deep.equal([])
    expect((await kennel.audited()).slice(1)).to.deep.equal([
      'role.assign cli:tester account:1 role:editor success',
      'role.remove cli:tester account:1 role:editor success',
    ])
  })
})

describe('roles that do not fit into a token', () => {
  const email = 'ada@example.com'
  const keys = Array.from({ length: 60 }, (_, index) => `role-${index}-`.padEnd(100, 'x'))
  const NO_ROOM =
    'invalid | role NotValid: The roles of this account do not fit into a token: remove another role first.'

  const kennelIn = async (mode: Mode) => {
    const kennel = await composeUseCases({ mode })
    for (const key of keys) await kennel.useCases.createRole({ caller, key, label: key })
    return kennel
  }
  const heldBy = async ({ caller }: Composed) => (await caller(email)).roles.map(({ key }) => String(key))

  it('are not assigned in stateless mode until another role is removed, and each login still succeeds', async () => {
    const kennel = await kennelIn('stateless')
    await kennel.account(email)
    const assign = (role = '', remove?: boolean) =>
      kennel.useCases.assignRole({ caller, email, role, remove })
    let given = 0
    while ((await wordsOfAny(assign(keys[given]))) === 'done') given += 1
    expect(given).to.be.within(15, 30)
    expect(await wordsOfAny(assign(keys[given]))).to.equal(NO_ROOM)
    expect(await heldBy(kennel)).to.have.members(keys.slice(0, given))
    await kennel.login(email)
    // Assigning a role that the account already has needs no space, and roles can still be removed.
    await assign(keys[0])
    await assign(keys[0], true)
    await assign(keys[given])
    await kennel.login(email)
  })

  it('are not assigned to a new or imported account', async () => {
    const { useCases, store } = await kennelIn('stateless-revocable')
    const user = { email, roles: keys }
    const importUser = useCases.importUsers({ caller })
    expect(await wordsOf(importUser(user))).to.equal(NO_ROOM)
    expect(await wordsOf(useCases.createUser({ caller, password: PASSWORD, ...user }))).to.equal(NO_ROOM)
    expect(await store.accounts.page(undefined, 10)).to.deep.equal([])
    const both = [importUser(user), importUser({ email, roles: keys.slice(0, 5) })]
    expect((await Promise.allSettled(both)).map(({ status }) => status)).to.deep.equal([
      'rejected',
      'fulfilled',
    ])
    expect(await importUser(user)).to.equal('unchanged')
  })
})

async function wordsOfAny(call: Promise<void>): Promise<string> {
  return await call.then(
    () => 'done',
    () => wordsOf(call),
  )
}

type Operations = typeof OPERATIONS
type Asked<Name extends keyof Operations> = Parameters<ReturnType<Operations[Name]['factory']>>[0]
/** Operations whose input has `roles`. */
type GivesRoles = {
  [Name in keyof Operations]: 'roles' extends keyof Asked<Name> ? Name : never
}[keyof Operations]

const email = 'ada@example.com'

/** Calls that assign roles. If an operation that assigns roles is missing here, compilation fails. */
type Give = (kennel: Composed, roles: readonly string[]) => Promise<unknown>
const GIVING: Readonly<Record<GivesRoles | 'assignRole' | 'importUsers', Give>> = {
  createUser: ({ useCases }, roles) => useCases.createUser({ caller, email, password: PASSWORD, roles }),
  inviteUser: ({ useCases }, roles) => useCases.inviteUser({ caller, email, roles }),
  createApiKey: ({ useCases }, roles) => useCases.createApiKey({ caller, name: 'billing', roles }),
  importUsers: ({ useCases }, roles) => useCases.importUsers({ caller })({ email, roles }),
  assignRole: async (kennel, roles) => {
    await kennel.account(email)
    for (const role of roles) await kennel.useCases.assignRole({ caller, email, role })
  },
}

const { everyone, cli } = DEFAULT_PERMISSIONS.roles
/** The built-in permissions plus `sign-up`, because invitations need it. */
const PERMITTED = permitting({
  everyone: { components: { ...everyone.components, auth: [...everyone.components.auth, 'sign-up'] } },
})
/** The built-in permissions with sign-up, except that the command line may not assign roles. */
const WITHOUT_ROLES = {
  roles: {
    ...PERMITTED.roles,
    cli: { components: { ...cli.components, 'user-task': ['create', 'password'] } },
  },
}

async function composed(permissions: PermissionRules = PERMITTED): Promise<Composed> {
  const kennel = await composeUseCases({ permissions })
  for (const key of ['editor', 'author']) await kennel.useCases.createRole({ caller, key, label: key })
  return kennel
}

/** Returns the roles of all accounts, API keys and invitations. */
async function rolesIn({ store }: Composed): Promise<readonly string[]> {
  const account = await store.accounts.findByEmail(email as Email)
  const keys = await store.apiKeys.page(undefined, 10)
  const invitations = await store.proofs.page('invitation', undefined, 10)
  const held = [account ?? [], keys].flat().flatMap(({ roles }) => roles.map(({ key }) => key))
  return [...held, ...invitations.flatMap(({ roles = [] }) => roles)]
}

describe('the permission to assign roles', () => {
  for (const [name, give] of Object.entries(GIVING)) {
    it(`is required by ${name} for any role, before the role itself is checked`, async () => {
      for (const roles of [['editor'], ['author', 'editor'], ['none'], ['a b']]) {
        const kennel = await composed(WITHOUT_ROLES)
        const { code, detail } = await refusalOf(give(kennel, roles))
        expect([code, detail]).to.deep.equal(['forbidden', 'user-task: role is not permitted'])
        expect(await rolesIn(kennel)).to.deep.equal([])
      }
    })
  }
})
