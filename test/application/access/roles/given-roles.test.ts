import { expect } from 'chai'
import type { OPERATIONS } from '../../../../src/application/operations.js'
import { OPERATOR as caller } from '../../../../src/domain/access/caller.js'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../../../src/domain/access/permission-rules.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import { permitting } from '../../../support/permissions.js'
import { refusalOf } from '../../../support/refusal-of.js'
import { composeUseCases, PASSWORD, type Composed } from '../../../support/use-cases.js'

type Operations = typeof OPERATIONS
type Asked<Name extends keyof Operations> = Parameters<ReturnType<Operations[Name]['factory']>>[0]
/** Operations whose input has `roles`. */
type GivesRoles = {
  [Name in keyof Operations]: 'roles' extends keyof Asked<Name> ? Name : never
}[keyof Operations]

const email = 'ada@example.com'

/** Calls that assign roles. The compiler reports an operation with roles that is missing here. */
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
/** The built-in permissions, with sign-up, which invitations need. */
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

    it(`allows ${name} to assign roles, and is not required if no roles are given`, async () => {
      const kennel = await composed()
      await give(kennel, ['author', 'editor'])
      expect(await rolesIn(kennel)).to.have.members(['author', 'editor'])
      await give(await composed(WITHOUT_ROLES), [])
    })
  }
})
