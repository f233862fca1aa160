import { expect } from 'chai'
import { countedRoles, provenFactor } from '../../../src/application/identity/factor-roles.js'
import { anActor, aRole, aNewAccount } from '../../../src/contracts/samples.js'
import type { RoleKey } from '../../../src/domain/access/role.js'

describe('the roles that count in a login', () => {
  const roles = [aRole('admin'), aRole('editor')]
  const factorRoles = new Set(['admin' as RoleKey])

  it('are all with a second factor, and where no role needs one', () => {
    expect(countedRoles(roles, true, factorRoles)).to.equal(roles)
    expect(countedRoles(roles, undefined, undefined)).to.equal(roles)
  })

  it('are those that need none, without one', () => {
    expect(countedRoles(roles, undefined, factorRoles)).to.deep.equal([aRole('editor')])
  })
})

describe('the second factor of a login', () => {
  const factor = { factor: true } as const
  const active = { secondFactor: true } as const

  it('counts while the account has it', () => {
    expect(provenFactor(factor, active)).to.equal(true)
    expect(provenFactor(factor, {})).to.equal(undefined)
    expect(provenFactor({}, active)).to.equal(undefined)
  })

  it('is that of the actor while one account acts as another', () => {
    const actor = anActor({ ...aNewAccount('bob'), id: 2 as never, epoch: 1 as never, roles: [] })
    expect(provenFactor({ ...factor, actor }, {})).to.equal(true)
    expect(provenFactor({ actor }, active)).to.equal(undefined)
  })
})
