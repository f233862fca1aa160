import { expect } from 'chai'
import { LOGIN, newcomer, setCookies } from '../../support/http/browser.js'
import type { Reply } from '../../support/http/client.js'
import { loggedOut, type ExpectedMessage } from '../../support/http/expected.js'
import { CONFIRM, guarded, RECOVERY_CODES, REMOVE, SET_UP, setUp } from '../../support/http/factor.js'
import { PASSWORD, startService, START, type TestService } from '../../support/http/service.js'

const required = (field: string) => ({ message: 'required', field, type: 'Required' })
const mustBeString = (field: string) => ({ message: 'must be a string', field, type: 'Format' })
const conflict = (message: string) => ({ message, field: '', type: 'Conflict' })

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

  it('set up no second factor next to an active one, and confirm none twice', async () => {
    const account = await guarded(service)
    expectRefusal(await setUp(account), 409, conflict('A second factor is active: remove it first.'))
    const json = { code: account.code(1) }
    expectRefusal(
      await account.send('POST', CONFIRM, { json }),
      409,
      conflict('A second factor is active already.'),
    )
  })

  it('reject a login code that is not a string', async () => {
    const account = await guarded(service)
    for (const code of [123456, null, ['123456'], { $gt: '' }]) {
      const json = { email: account.email, password: PASSWORD, code }
      const reply = await service.client.call('POST', LOGIN, { json })
      expectRefusal(reply, 400, mustBeString('code'))
    }
  })
})
