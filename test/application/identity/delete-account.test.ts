import { expect } from 'chai'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../../src/domain/access/permissions.js'
import { factorHolder } from '../../support/factor.js'
import { refused } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../support/use-cases.js'

const PERMITTED: PermissionRules = {
  roles: {
    ...DEFAULT_PERMISSIONS.roles,
    user: { components: { auth: ['second-factor', 'delete-account'] } },
  },
}

describe('deleting the own account with a second factor', () => {
  it('needs the password and a code that was not used', async () => {
    const kennel = await composeUseCases({ permissions: PERMITTED })
    const { id, issued, code } = await factorHolder(kennel, 'ada@example.com')
    const presented = presentedBy(issued)
    const remove = (password: unknown, given?: unknown) =>
      kennel.useCases.deleteAccount({ password, code: given, presented })
    expect(await refused(remove('wrong', code(1)))).to.deep.equal(['invalid', 'password', 'NotValid'])
    for (const none of [undefined, ''])
      expect(await refused(remove(PASSWORD, none))).to.deep.equal(['invalid', 'code', 'Required'])
    expect(await refused(remove(PASSWORD, 492_039))).to.deep.equal(['malformed', 'code', 'Format'])
    for (const bad of ['000000', 'no code', code(0)])
      expect(await refused(remove(PASSWORD, bad)), bad).to.deep.equal(['invalid', 'code', 'NotValid'])
    expect((await kennel.store.accounts.find(id))?.secondFactor).to.equal(true)
    await remove(PASSWORD, code(1))
    expect(await kennel.store.accounts.find(id)).to.equal(undefined)
    expect(await kennel.store.secondFactors.find(id)).to.equal(undefined)
  })

  it('goes with a recovery code too', async () => {
    const kennel = await composeUseCases({ permissions: PERMITTED })
    const { id, issued, recoveryCodes } = await factorHolder(kennel, 'ada@example.com')
    await kennel.useCases.deleteAccount({
      password: PASSWORD,
      code: recoveryCodes[3],
      presented: presentedBy(issued),
    })
    expect(await kennel.store.accounts.find(id)).to.equal(undefined)
  })
})
