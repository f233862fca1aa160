import { expect } from 'chai'
import { startService, type TestService } from '../../support/http/service.js'
import { actingAs, impersonation } from '../../support/http/acting.js'
import { CREATE_PROJECT, payloadOf, PROJECT } from '../../support/http/browser.js'

describe('acting as another account', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  after(() => service.close())

  it('acts in the name of the target, with the permissions of the target', async () => {
    const { browser, target } = await impersonation(service, ['project-editor'])
    const reply = await browser.send('POST', CREATE_PROJECT, { json: PROJECT })
    expect(reply.status).to.equal(201)
    expect(reply.json).to.have.nested.property('view.data.createdBy', target.id)
  })

  it('survives a refresh, with `act` and both users', async () => {
    const { browser, admin, target } = await impersonation(service)
    const { act, sid } = payloadOf(browser.held().accessToken)
    service.clock.now += 1000
    const reply = await browser.refresh()
    const { accessToken, refreshToken } = browser.held()
    const expected = actingAs(target, admin)
    const view = { ...expected.view, jwt: accessToken, refreshToken, refreshed: true }
    expect(reply.json).to.deep.equal({ ...expected, view })
    for (const token of [accessToken, refreshToken]) expect(payloadOf(token)).to.deep.include({ act, sid })
    expect((await browser.getIdentity()).json).to.deep.equal(expected)
  })
})
