import { expect } from 'chai'
import {
  answersAtOnce,
  OPERATION_TABLE,
  permissionOf,
  USE_CASE_TABLES,
} from '../../src/application/use-cases.js'
import { composeUseCases, presentedBy } from '../support/use-cases.js'

describe('what is known of a use case by its name', () => {
  it('is the permission that it needs, if it needs one', () => {
    expect(permissionOf('createPet')).to.deep.equal(['pets', 'create'])
    expect(permissionOf('assignRole')).to.deep.equal(['user-task', 'role'])
    for (const name of ['login', 'toString', 'none', '']) expect(permissionOf(name), name).to.equal(undefined)
  })

  it('is whether it answers at once', () => {
    expect(answersAtOnce('importUsers')).to.equal(true)
    for (const name of ['createPet', 'login', 'toString', 'none', ''])
      expect(answersAtOnce(name), name).to.equal(false)
  })
})

describe('the tables of use cases', () => {
  it('have the same for callers in each mode, so that a login is one in each', async () => {
    for (const { rows } of Object.values(USE_CASE_TABLES))
      expect(rows).to.include.keys('login', 'refresh', 'logout', 'getIdentity', 'createPet', 'setPassword')
    for (const mode of ['stateful', 'stateless-revocable', 'stateless'] as const) {
      const kennel = await composeUseCases({ mode })
      await kennel.account('ada@example.com')
      const presented = presentedBy(await kennel.login('ada@example.com'))
      expect((await kennel.useCases.getIdentity(presented)).email, mode).to.equal('ada@example.com')
    }
  })

  it('have for operators what needs no credentials, and the copy of a store', () => {
    const names = Object.keys(OPERATION_TABLE.rows)
    expect(names).to.include.members(['createUser', 'createRole', 'listAudit', 'purgeStore', 'copyStore'])
    for (const name of ['login', 'refresh', 'authenticate']) expect(names).to.not.include(name)
  })
})
