import { expect } from 'chai'
import type { Presented } from '../../../src/application/identity/presented.js'
import { refusalOf } from '../../support/refusal-of.js'
import { composeUseCases, presentedBy, START, type Composed } from '../../support/use-cases.js'

describe('logout', () => {
  let kennel: Composed
  let ada: Presented
  let bob: Presented

  beforeEach(async () => {
    kennel = await composeUseCases()
    for (const email of ['ada@example.com', 'bob@example.com']) await kennel.account(email)
    ada = presentedBy(await kennel.login('ada@example.com'))
    bob = presentedBy(await kennel.login('bob@example.com'))
    await kennel.audited()
  })

  const logout = (presented: Presented) => kennel.useCases.logout(presented)
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code
  const isIn = async (presented: Presented) =>
    await kennel.useCases.getIdentity(presented).then(
      () => true,
      () => false,
    )

  it('ends the one login that cookie and token name', async () => {
    const other = presentedBy(await kennel.login('ada@example.com'))
    await kennel.audited()
    await logout(ada)
    expect([await isIn(ada), await isIn(other), await isIn(bob)]).to.deep.equal([false, true, true])
    expect(await kennel.audited()).to.deep.equal(['logout account:1 account:1 success'])
  })

  it('is harmless once more, and where nothing came, and is not audited then', async () => {
    await logout(ada)
    await kennel.audited()
    await logout(ada)
    await logout({})
    expect(await kennel.audited()).to.deep.equal([])
  })

  it('is done by an authentic token that has expired', async () => {
    kennel.clock.now = START + 3_600_000
    await logout(ada)
    expect(await kennel.audited()).to.deep.equal(['logout account:1 account:1 success'])
  })

  it('is refused with half of the credentials, or with those of two logins, which end neither', async () => {
    const wrong = [
      { accessToken: ada.accessToken },
      { sessionKey: ada.sessionKey },
      { ...ada, accessToken: 'no token' },
      { ...ada, sessionKey: bob.sessionKey },
      { ...ada, sessionKey: 'no key' },
    ]
    for (const presented of wrong) expect(await codeOf(logout(presented))).to.equal('invalid-token')
    expect([await isIn(ada), await isIn(bob)]).to.deep.equal([true, true])
    expect(await kennel.audited()).to.deep.equal(['binding.mismatch anonymous account:2 failure'])
  })
})
