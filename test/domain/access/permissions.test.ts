import { expect } from 'chai'
import fc from 'fast-check'
import type { RoleKey } from '../../../src/domain/access/role.js'
import { ANONYMOUS, OPERATOR, type Caller } from '../../../src/domain/access/caller.js'
import { ACTIONS, type Component } from '../../../src/domain/access/components.js'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../../src/domain/access/permission-rules.js'
import {
  compilePermissions,
  type Permissions,
  type GrantedTo,
} from '../../../src/domain/access/permissions.js'

const EVERYTHING = Object.entries(ACTIONS).flatMap(([component, actions]) =>
  actions.map((action): [Component, never] => [component as Component, action as never]),
)

function callerWith(...keys: string[]): Caller {
  const roles = keys.map((key) => ({ uuid: key, key, label: key }))
  return { kind: 'account', accountId: 1, email: 'ada@example.com', roles } as unknown as Caller
}

function compiled(roles: PermissionRules['roles']): Permissions {
  const result = compilePermissions({ roles })
  if (!result.ok) throw new Error(JSON.stringify(result.errors))
  return result.permissions
}

function permissionsOf(permissions: Permissions, caller: Caller): string[] {
  return EVERYTHING.filter(([component, action]) => permissions.allows(caller, component, action)).map(
    (one) => one.join(':'),
  )
}

const PETS = ['pets:list', 'pets:read', 'pets:create', 'pets:update']
const OWN_ACCOUNT = [
  ...['change-password', 'list-sessions', 'end-sessions', 'second-factor', 'passkey', 'confirm'],
].map((action) => `auth:${action}`)
const EVERYBODY = ['auth:login', 'auth:get-identity', 'auth:refresh', 'auth:logout', 'user:find']
const USER = [...EVERYBODY, ...PETS, ...OWN_ACCOUNT]

describe('the built-in permissions', () => {
  const permissions = compiled(DEFAULT_PERMISSIONS.roles)

  it('list the roles of accounts, without the implicit roles', () => {
    expect(permissions.roles).to.deep.equal(['project-editor', 'admin'])
    expect(compiled({ 'no key': {}, guest: {}, editor: {} }).roles).to.deep.equal(['editor'])
  })

  // `test/handbook/references.test.ts` checks the permissions of every role, including those of the operator.
  it('permit each caller exactly the expected actions', () => {
    for (const [caller, permitted] of [
      [ANONYMOUS, EVERYBODY],
      [callerWith(), USER],
      [callerWith('project-editor'), [...USER, 'project:create']],
      [callerWith('admin'), [...USER, 'project:create', 'auth:login-as', 'auth:logout-as']],
      [callerWith('no-such-role', 'cli', 'guest'), USER],
    ] as const)
      expect(permissionsOf(permissions, caller)).to.have.members(permitted)
  })
})

describe('compiling permissions', () => {
  it('accepts a role that is inherited twice', () => {
    const permissions = compiled({
      base: { components: { pets: ['list'] } },
      left: { inherit: ['base'] },
      right: { inherit: ['base'] },
      top: { inherit: ['left', 'right'], components: { pets: ['read'] } },
    })
    expect(permissionsOf(permissions, callerWith('top'))).to.have.members(['pets:list', 'pets:read'])
    expect(permissionsOf(permissions, callerWith('base'))).to.deep.equal(['pets:list'])
  })

  it('distinguishes a guest without credentials from a user', () => {
    const permissions = compiled({ guest: { components: { pets: ['list'] } } })
    expect(permissionsOf(permissions, ANONYMOUS)).to.deep.equal(['pets:list'])
    expect(permissionsOf(permissions, callerWith('admin'))).to.deep.equal([])
  })

  it('reports whether any role permits an action, and denies all actions that no role permits', () => {
    const permissions = compiled({ one: {}, two: { components: { pets: ['list'] } } })
    expect(EVERYTHING.filter((one) => permissions.isPermitted(...one))).to.deep.equal([['pets', 'list']])
    for (const caller of [ANONYMOUS, OPERATOR, callerWith('admin', 'cli')])
      expect(permissionsOf(permissions, caller)).to.deep.equal([])
  })

  it('treats `*` as every action of the component', () => {
    const permissions = compiled({ one: { components: { pets: ['*'] } } })
    expect(permissionsOf(permissions, callerWith('one'))).to.have.members([...PETS, 'pets:delete'])
  })

  it('compiles any set of rules or reports the errors in the rules', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'cli', 'user', '__proto__', 'constructor', 'pets', 'auth')
    const action = fc.constantFrom('list', '*', 'login', '__proto__', 'x')
    const role = fc.record(
      {
        components: fc.dictionary(name, fc.array(action, { maxLength: 3 })),
        inherit: fc.array(name, { maxLength: 3 }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.dictionary(name, role), callerKeys, (roles, keys) => {
        const result = compilePermissions({ roles })
        if (result.ok) permissionsOf(result.permissions, callerWith(...keys))
        else expect(result.errors).to.not.be.empty
      }),
    )
  })
})

const callerKeys = fc.array(fc.constantFrom('a', 'b', 'cli', 'guest', 'everyone', '__proto__', 'constructor'))

describe('permissions for custom components', () => {
  const own = { invoices: ['list', 'pay'] } as const
  const rules = {
    roles: {
      everyone: { components: { invoices: ['list'] } },
      clerk: { components: { invoices: ['*'], pets: ['read'] } },
      boss: { inherit: ['clerk'] },
    },
  }

  it('are assigned like built-in permissions, to a role and to all roles that inherit from that role', () => {
    const result = compilePermissions(rules, own)
    if (!result.ok) throw new Error(JSON.stringify(result.errors))
    const { permissions } = result
    for (const [caller, list, pay] of [
      [ANONYMOUS, true, false],
      [OPERATOR, false, false],
      [callerWith(), true, false],
      [callerWith('clerk'), true, true],
      [callerWith('boss'), true, true],
    ] as const) {
      expect(permissions.allows(caller, 'invoices', 'list')).to.equal(list)
      expect(permissions.allows(caller, 'invoices', 'pay')).to.equal(pay)
    }
    expect(permissions.allows(callerWith('boss'), 'pets', 'read')).to.equal(true)
    expect(permissions.grantedTo('invoices', 'pay')).to.equal('roles')
    expect(permissions.of(callerWith('boss'))).to.deep.equal({ pets: ['read'], invoices: ['list', 'pay'] })
    expect(permissions.of(ANONYMOUS)).to.deep.equal({ invoices: ['list'] })
    expect(permissions.ofRoles(['none', 'cli', 'boss'] as RoleKey[])).to.deep.equal([
      ['invoices', 'list'],
      ['invoices', 'pay'],
      ['pets', 'read'],
    ])
  })
})

describe('the stored roles of an account', () => {
  const permissions = compiled({
    everyone: { components: { auth: ['login'] } },
    guest: { components: { auth: ['refresh'] } },
    user: { components: { pets: ['list'] } },
    cli: { components: { store: ['*'], pets: ['*'], role: ['*'] } },
    a: { components: { pets: ['read'] } },
  })

  it('never give the permissions of a built-in role', () => {
    const plain = permissionsOf(permissions, callerWith())
    expect(plain).to.have.members(['auth:login', 'pets:list'])
    for (const key of ['everyone', 'guest', 'user', 'cli'])
      expect(permissionsOf(permissions, callerWith(key))).to.deep.equal(plain)
  })

  it('give exactly the permissions of the custom roles', () => {
    fc.assert(
      fc.property(callerKeys, (keys) => {
        const expected = ['auth:login', 'pets:list', ...(keys.includes('a') ? ['pets:read'] : [])]
        expect(permissionsOf(permissions, callerWith(...keys))).to.have.members(expected)
      }),
    )
  })

  it('do not give the permissions of `cli`', () => {
    const inheriting = compiled({
      cli: { components: { store: ['purge'] }, inherit: ['a'] },
      a: { components: { pets: ['read'] } },
    })
    expect(permissionsOf(inheriting, callerWith('cli'))).to.deep.equal([])
    expect(permissionsOf(inheriting, OPERATOR)).to.have.members(['store:purge', 'pets:read'])
  })
})

describe('the group of callers that have a permission', () => {
  const LOGIN = { components: { auth: ['login'] } }
  const CASES: readonly (readonly [PermissionRules['roles'], GrantedTo])[] = [
    [{ everyone: LOGIN }, 'everyone'],
    [{ everyone: { inherit: ['editor'] }, editor: LOGIN }, 'everyone'],
    [{ everyone: LOGIN, user: LOGIN, editor: LOGIN }, 'everyone'],
    [{ user: LOGIN }, 'user'],
    [{ user: LOGIN, editor: LOGIN }, 'user'],
    [{ user: { components: { auth: ['*'] } } }, 'user'],
    [{ editor: LOGIN }, 'roles'],
    [{ guest: LOGIN }, 'roles'],
    [{ cli: LOGIN }, 'nobody'],
    [{ editor: { components: { auth: ['logout'] } } }, 'nobody'],
    [{}, 'nobody'],
  ]
  it('is the widest group of callers that have the permission through a role', () => {
    for (const [roles, callers] of CASES)
      expect(compiled(roles).grantedTo('auth', 'login'), JSON.stringify(roles)).to.equal(callers)
  })

  it('contains exactly the kinds of caller that have the permission', () => {
    const permissions = compiled(DEFAULT_PERMISSIONS.roles)
    for (const [component, action] of EVERYTHING) {
      const callers = permissions.grantedTo(component, action)
      expect(permissions.allows(ANONYMOUS, component, action)).to.equal(callers === 'everyone')
      expect(permissions.allows(callerWith(), component, action)).to.equal(
        ['everyone', 'user'].includes(callers),
      )
      const admin = permissions.allows(callerWith('admin'), component, action)
      expect(admin, `${component}:${String(action)}`).to.equal(callers !== 'nobody')
    }
  })
})

describe('a permission with a condition', () => {
  const fresh = { fresh: 600_000 }
  const factor = { factor: true } as const
  const permissions = compiled({
    user: { components: { auth: ['confirm'] } },
    careful: { components: { pets: [{ delete: fresh, create: factor }, 'list'] } },
    strict: { components: { pets: [{ delete: factor }] }, inherit: ['careful'] },
    editor: { components: { pets: ['*'] } },
  })

  it("is listed among the role's permissions", () => {
    expect(permissions.hasConditions).to.equal(true)
    expect(permissions.allows(callerWith('careful'), 'pets', 'delete')).to.equal(true)
    expect(permissions.of(callerWith('careful'))['pets']).to.deep.equal(['list', 'create', 'delete'])
    expect(permissions.grantedTo('pets', 'create')).to.equal('roles')
  })

  it('requires the conditions of all roles of the caller, unless a role permits the action unconditionally', () => {
    const decide = (...roles: string[]) => permissions.decide(callerWith(...roles), 'pets', 'delete')
    expect(decide('careful')).to.deep.equal({ conditions: [fresh] })
    expect(decide('strict')).to.deep.equal({ conditions: [factor, fresh] })
    expect(decide('careful', 'editor')).to.deep.equal({ conditions: [] })
    expect(permissions.decide(callerWith('careful'), 'pets', 'list')).to.deep.equal({ conditions: [] })
    expect(compiled({ editor: { components: { pets: ['*'] } } }).hasConditions).to.equal(false)
  })
})
