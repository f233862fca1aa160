import { expect } from 'chai'
import { CREATE_PROJECT, newcomer, PROJECT } from '../../support/http/browser.js'
import { notSaved } from '../../support/http/expected.js'
import { watching } from '../../support/watched-store.js'
import { startService, type TestService } from '../../support/http/service.js'
const WRONG = { message: 'not-valid', type: 'NotValid' }

describe(`POST ${CREATE_PROJECT}`, () => {
  let service: TestService
  let inserts = 0
  before(async () => {
    const aroundStore = watching((name, run) => {
      if (name === 'projects.insert') inserts += 1
      return run()
    })
    service = await startService({ aroundStore })
  })
  after(() => service.close())
  beforeEach(() => {
    inserts = 0
  })

  it('rejects a budget that is too large for a number', async () => {
    const browser = await newcomer(service, ['project-editor'])
    const body = '{"label":"a","status":"b","budget":1e999}'
    const headers = { 'Content-Type': 'application/json' }
    const reply = await browser.send('POST', CREATE_PROJECT, { headers, body })
    expect(reply.json).to.deep.equal(notSaved(422, { field: 'budget', ...WRONG }))
  })

  it('ignores other members of the body', async () => {
    const browser = await newcomer(service, ['project-editor'])
    const json = { ...PROJECT, id: 4711, createdBy: 1, createdAt: '1999-01-01T00:00:00.000Z', role: 'admin' }
    const reply = await browser.send('POST', CREATE_PROJECT, { json })
    const { data } = (reply.json as { view: { data: Record<string, unknown> } }).view
    expect(data).to.have.keys('id', 'label', 'status', 'budget', 'createdBy', 'createdAt')
    expect(data['id']).to.not.equal(4711)
    expect(data['createdBy']).to.equal(browser.id)
    expect(data['createdAt']).to.equal(new Date(service.clock.now).toISOString())
  })
})
