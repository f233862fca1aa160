import { expect } from 'chai'
import { STATELESS } from '../../support/http/service.js'
import { impersonation } from '../../support/http/acting.js'
import { servicesOfTests } from '../../support/http/services.js'
import { watching } from '../../support/watched-store.js'

describe('get-identity during an impersonation', () => {
  const serve = servicesOfTests()

  it('costs one store call with sessions, and otherwise one for the revocation and one per account', async () => {
    const calls: string[] = []
    const aroundStore = watching(async (call, run) => {
      calls.push(call)
      return await run()
    })
    const service = await serve({ aroundStore })
    const { browser } = await impersonation(service)
    calls.length = 0
    expect((await browser.getIdentity()).status).to.equal(200)
    const without = ['revocations.isRevoked', 'accounts.find', 'accounts.find']
    expect(calls).to.deep.equal(STATELESS ? without : ['sessions.find'])
  })
})
