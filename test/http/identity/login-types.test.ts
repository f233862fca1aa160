import { expect } from 'chai'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import { freshEmail, LOGIN, newcomer, REFRESH, setCookies } from '../../support/http/browser.js'
import { loggedOut } from '../../support/http/expected.js'
import { watching } from '../../support/watched-store.js'

const WRONG: readonly unknown[] = [
  null,
  0,
  1.5,
  true,
  [],
  ['ada@example.com'],
  {},
  { $gt: '' },
  { $ne: null },
  { toString: 'ada@example.com' },
]

describe('a member of the wrong type', () => {
  let service: TestService
  let calls: string[] = []
  before(async () => {
    const aroundStore = watching((name, run) => {
      calls.push(name)
      return run()
    })
    service = await startService({ aroundStore })
  })
  after(async () => {
    await service.close()
  })

  const malformed = (...fields: string[]) => (fields.length === 1 ? `of ${fields.join()}` : 'of both')

  for (const value of WRONG) {
    const shown = JSON.stringify(value)
    const bodies: readonly (readonly [string, string[], (email: string) => object])[] = [
      [LOGIN, ['email'], () => ({ email: value, password: PASSWORD })],
      [LOGIN, ['password'], (email) => ({ email, password: value })],
      [LOGIN, ['email', 'password'], () => ({ email: value, password: value })],
      [REFRESH, ['refreshToken'], () => ({ refreshToken: value })],
    ]
    for (const [path, fields, body] of bodies) {
      it(`is 400 without a store call: ${shown} ${malformed(...fields)} at ${path}`, async () => {
        const email = freshEmail()
        await service.account(email)
        calls = []
        const reply = await service.client.call('POST', path, { json: body(email) })
        const messages = (reply.json as { view: { messages: { message: string; field: string }[] } }).view
          .messages
        const shape = messages.map(({ message }, at) => ({
          message,
          field: fields[at] ?? 'one message too many',
          type: 'Format',
        }))
        expect(messages).to.have.length(fields.length)
        expect(reply.json).to.deep.equal(loggedOut(400, ...shape))
        expect(setCookies(reply)).to.deep.equal([])
        expect(calls).to.deep.equal([])
      })
    }
  }

  it('does not end the session of the request', async () => {
    const browser = await newcomer(service)
    const reply = await browser.send('POST', LOGIN, { json: { email: browser.email, password: [PASSWORD] } })
    expect(reply.status).to.equal(400)
    expect((await browser.getIdentity()).status).to.equal(200)
  })

  it('is the only difference: the same calls with strings reach the store', async () => {
    calls = []
    await service.client.call('POST', LOGIN, { json: { email: freshEmail(), password: PASSWORD } })
    expect(calls).to.deep.equal(['accounts.findByEmail', 'audit.append'])
  })
})
