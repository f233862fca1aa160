import { expect } from 'chai'
import sinon from 'sinon'
import { composeUseCases, presentedBy } from '../../support/use-cases.js'

describe('get identity', () => {
  it("returns the login's identity with a single store read", async () => {
    const kennel = await composeUseCases()
    const id = await kennel.account('ada@example.com')
    const issued = await kennel.login('ada@example.com')
    const { sessions, accounts, revocations } = kennel.store
    const spies = [sessions, accounts, revocations].flatMap((port) =>
      Object.keys(port).map((name) => sinon.spy(port, name as never)),
    ) as sinon.SinonSpy[]
    expect(await kennel.useCases.getIdentity(presentedBy(issued))).to.deep.equal(issued.identity)
    expect(spies.reduce((calls, { callCount }) => calls + callCount, 0)).to.equal(1)
    expect(issued.identity.accountId).to.equal(id)
  })
})
