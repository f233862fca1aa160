import { factorStatus } from '../../../../src/application/identity/second-factor/read-second-factor.js'
import { ADA } from '../../../support/logins.js'
import { fakedParts } from '../faked-parts.js'
import { expect } from 'chai'
import type { RoleKey } from '../../../../src/domain/access/role.js'
import { factorHolder } from '../../../support/factor.js'
import { composeUseCases, presentedBy } from '../../../support/use-cases.js'

describe('the status of a second factor', () => {
  it('shows whether and since when the factor is active, and how many recovery codes are left', async () => {
    const kennel = await composeUseCases()
    const { issued } = await factorHolder(kennel, 'ada@example.com')
    expect(await kennel.useCases.readSecondFactor(presentedBy(issued))).to.deep.equal({
      ...{ active: true, since: kennel.clock.now, recoveryCodesLeft: 10, required: false },
    })
  })

  it('shows whether a role requires a factor, even if the role has no effect without the factor', async () => {
    const kennel = await composeUseCases({ factorRoles: new Set(['admin' as RoleKey]) })
    await kennel.account('ada@example.com', ['admin'])
    const issued = await kennel.login('ada@example.com')
    expect(issued.identity.roles).to.deep.equal([])
    const status = await kennel.useCases.readSecondFactor(presentedBy(issued))
    expect(status).to.deep.equal({ active: false, recoveryCodesLeft: 0, required: true })
  })
})

describe('a second factor that no role requires', () => {
  it('is reported as not required, even for an account with roles', async () => {
    const { parts } = fakedParts()
    expect(await factorStatus(parts, ADA)).to.deep.equal({
      active: false,
      recoveryCodesLeft: 0,
      required: false,
    })
  })
})
