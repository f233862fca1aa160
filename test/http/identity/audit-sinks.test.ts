import { expect } from 'chai'
import { createBrowser, freshEmail } from '../../support/http/browser.js'
import { servicesOfTests } from '../../support/http/services.js'
import { createGate } from '../../support/watched-store.js'

describe('an audit sink', () => {
  const serve = servicesOfTests()

  it('gets the record before the reply is sent', async () => {
    const gate = createGate()
    const service = await serve({ auditSinks: () => [{ append: () => gate.pass() }] })
    let answered = false
    const login = createBrowser(service, freshEmail())
      .login()
      .then(({ status }) => {
        answered = true
        return status
      })
    await gate.reached
    await service.client.call('GET', '/health/live')
    const early = answered
    gate.release()
    expect([early, await login]).to.deep.equal([false, 401])
  })
})
