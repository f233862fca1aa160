import { expect } from 'chai'
import type { Revocations } from '../../../src/ports/revocations.js'
import { startService, type TestService } from '../../support/http/service.js'
import { createBrowser, freshEmail, newcomer } from '../../support/http/browser.js'
import { UNAVAILABLE } from '../../support/http/expected.js'
import { unavailable } from '../../../src/domain/refusal.js'
import { watching } from '../../support/watched-store.js'
import { servicesOfTests } from '../../support/http/services.js'

describe('stateless mode with revocations', () => {
  let service: TestService
  let calls: string[] = []
  before(async () => {
    const aroundStore = watching((call, run) => {
      calls.push(call)
      return run()
    })
    service = await startService({ mode: 'stateless-revocable', aroundStore })
  })
  after(() => service.close())

  it('costs one store call for every request', async () => {
    const browser = await newcomer(service)
    calls = []
    expect((await browser.getIdentity()).status).to.equal(200)
    expect(calls).to.deep.equal(['revocations.isRevoked'])
  })
})

describe('custom revocations of an embedder', () => {
  const serve = servicesOfTests()

  it('cause a 503 if they cannot be reached', async () => {
    const away = async () => {
      throw unavailable('away')
    }
    const revocations: Revocations = { isRevoked: away, rotate: away, revoke: away, purge: async () => 0 }
    const service = await serve({
      mode: 'stateless-revocable',
      aroundStore: (store) => ({ ...store, revocations }),
    })
    const email = freshEmail()
    await service.account(email)
    const browser = createBrowser(service, email)
    await browser.login()
    for (const reply of [await browser.getIdentity(), await browser.refresh(), await browser.logout()]) {
      expect([reply.status, reply.json]).to.deep.equal([503, UNAVAILABLE])
    }
  })
})
