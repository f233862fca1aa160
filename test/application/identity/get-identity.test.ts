import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import { refusalOf } from '../../support/refusal-of.js'
import { composeUseCases, presentedBy } from '../../support/use-cases.js'

const { everyone } = DEFAULT_PERMISSIONS.roles
const WITHOUT = {
  roles: {
    ...DEFAULT_PERMISSIONS.roles,
    everyone: { ...everyone, components: { auth: ['login'], user: ['find'] } },
  },
}

describe('get identity', () => {
  it('says who is logged in', async () => {
    const kennel = await composeUseCases()
    const id = await kennel.account('ada@example.com')
    const issued = await kennel.login('ada@example.com')
    expect(await kennel.useCases.getIdentity(presentedBy(issued))).to.deep.equal(issued.identity)
    expect(issued.identity.accountId).to.equal(id)
  })

  it('is refused without the permission, but wrong credentials are told first', async () => {
    const kennel = await composeUseCases({ permissions: WITHOUT })
    await kennel.account('ada@example.com')
    const presented = presentedBy(await kennel.login('ada@example.com'))
    const codeOf = async (one: typeof presented) => (await refusalOf(kennel.useCases.getIdentity(one))).code
    expect(await codeOf(presented)).to.equal('forbidden')
    expect(await codeOf({})).to.equal('unauthenticated')
    expect(await codeOf({ ...presented, sessionKey: 'none' })).to.equal('invalid-token')
  })
})
