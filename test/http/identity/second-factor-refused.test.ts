import { expect } from 'chai'
import { newcomer, setCookies } from '../../support/http/browser.js'
import type { Reply } from '../../support/http/client.js'
import { loggedOut, type ExpectedMessage } from '../../support/http/expected.js'
import { CONFIRM, RECOVERY_CODES, REMOVE, SET_UP } from '../../support/http/factor.js'
import { startService, START, type TestService } from '../../support/http/service.js'

const required = (field: string) => ({ message: 'required', field, type: 'Required' })
const mustBeString = (field: string) => ({ message: 'must be a string', field, type: 'Format' })

/** The one reply, and no cookie. */
function expectRefusal(reply: Reply, status: number, ...messages: readonly ExpectedMessage[]): void {
  expect(reply.json).to.deep.equal(loggedOut(status, ...messages))
  expect(reply.status).to.equal(status)
  expect(setCookies(reply)).to.deep.equal([])
}

describe('the routes of a second factor', () => {
  let service: TestService
  before(async () => {
    service = await startService()
  })
  beforeEach(() => {
    service.clock.now = START
  })
  after(() => service.close())

  for (const [path, fields] of [
    [SET_UP, ['password']],
    [CONFIRM, ['code']],
    [REMOVE, ['password', 'code']],
    [RECOVERY_CODES, ['password', 'code']],
  ] as const) {
    it(`POST ${path} names every field that is missing or has a wrong type`, async () => {
      const browser = await newcomer(service)
      expectRefusal(await browser.send('POST', path, { json: {} }), 400, ...fields.map(required))
      const empty = Object.fromEntries(fields.map((field) => [field, '']))
      expectRefusal(await browser.send('POST', path, { json: empty }), 400, ...fields.map(required))
      for (const wrong of [1, null, ['123456'], { $ne: '' }]) {
        const json = Object.fromEntries(fields.map((field) => [field, wrong]))
        expectRefusal(await browser.send('POST', path, { json }), 400, ...fields.map(mustBeString))
      }
    })
  }
})
