import { expect } from 'chai'
import { OPERATION_TABLE, USE_CASE_TABLES } from '../../src/application/wiring.js'
import { composeUseCases, presentedBy } from '../support/use-cases.js'

describe('the tables of use cases', () => {
  it('have the same operations for callers in each mode, so that a login works in each mode', async () => {
    for (const { rows } of Object.values(USE_CASE_TABLES))
      expect(rows).to.include.keys('login', 'refresh', 'logout', 'getIdentity', 'createPet', 'setPassword')
    for (const mode of ['stateful', 'stateless-revocable', 'stateless'] as const) {
      const kennel = await composeUseCases({ mode })
      await kennel.account('ada@example.com')
      const presented = presentedBy(await kennel.login('ada@example.com'))
      expect((await kennel.useCases.getIdentity(presented)).email, mode).to.equal('ada@example.com')
    }
  })

  it('have the operations without credentials and the copy of a store for operators', () => {
    const names = Object.keys(OPERATION_TABLE.rows)
    expect(names).to.include.members(['createUser', 'createRole', 'listAudit', 'purgeStore', 'copyStore'])
    for (const name of ['login', 'refresh', 'authenticate']) expect(names).to.not.include(name)
  })
})
