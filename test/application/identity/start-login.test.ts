import { expect } from 'chai'
import { refusalOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../support/use-cases.js'

const email = 'ada@example.com'

describe('the start of a login', () => {
  it('ends the login whose cookie came along, and no other', async () => {
    const kennel = await composeUseCases()
    await kennel.account(email)
    const [other, before] = [await kennel.login(email), await kennel.login(email)]
    const after = await kennel.useCases.login({
      email,
      password: PASSWORD,
      presented: { sessionKey: before.sessionKey },
    })
    const identity = (issued: typeof before) => kennel.useCases.getIdentity(presentedBy(issued))
    expect((await refusalOf(identity(before))).code).to.equal('invalid-token')
    expect([(await identity(after)).email, (await identity(other)).email]).to.deep.equal([email, email])
  })

  it('begins whatever the cookie is', async () => {
    const kennel = await composeUseCases()
    await kennel.account(email)
    const presented = { sessionKey: 'no key' }
    expect((await kennel.useCases.login({ email, password: PASSWORD, presented })).identity.email).to.equal(
      email,
    )
  })
})
