import { expect } from 'chai'
import { missingFor } from '../../src/application/table.js'
import { OPERATION_TABLE, USE_CASE_TABLES } from '../../src/application/wiring.js'
import type { OptionalPort } from '../../src/ports/store.js'
import { composeUseCases, presentedBy } from '../support/use-cases.js'

/**
 * The operations that need each optional port of a store. Without `revocations` the mode `stateless-revocable` is refused
 * as a whole.
 */
const NEED: Readonly<Record<Exclude<OptionalPort, 'revocations'>, string>> = {
  pets: 'createPet listPets patchPet readPet readPets removePet',
  projects: 'closeProject createProject listProjects readProject',
  roles: 'assignRole createRole deleteRole listRoles',
  apiKeys: 'createApiKey listApiKeys revokeApiKey',
  audit: 'listAudit',
  mailQueue: 'consumeResetToken requestPasswordReset',
  secondFactors:
    'confirmSecondFactor readSecondFactor readUserFactor removeSecondFactor removeUserFactor renewRecoveryCodes setUpSecondFactor',
  copyableRecords: 'copyStore',
}

/** The operations of all tables that cannot be made without a part. */
function absentWithout(part: string): string {
  const absent = [OPERATION_TABLE, ...Object.values(USE_CASE_TABLES)].flatMap(({ rows }) => {
    const isGiven = (name: string) => !Object.hasOwn(rows, name) && name !== part
    return Object.keys(rows).filter(
      (name) => 'input' in (rows[name] ?? {}) && missingFor(name, rows, isGiven).length > 0,
    )
  })
  return [...new Set(absent)].sort().join(' ')
}

describe('the tables of use cases', () => {
  for (const [port, names] of Object.entries(NEED))
    it(`lack only the operations of the port ${port} if a store does not have it`, () => {
      expect(absentWithout(port === 'audit' ? 'auditLog' : port)).to.equal(names)
    })

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
