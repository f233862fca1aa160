import { expect } from 'chai'
import type { Reply } from '../../support/http/client.js'
import { freshEmail, setCookies } from '../../support/http/browser.js'
import { INVALID_TOKEN, loggedOut, type ExpectedMessage } from '../../support/http/expected.js'
import { NEW_PASSWORD, RESET_PASSWORD, startResetting, type Resetting } from '../../support/http/resetting.js'
import { watching } from '../../support/watched-store.js'
const OTHER_SITE = {
  message: 'Requests from another site are not accepted, unless CORS_ORIGINS lists its origin.',
  field: '',
  type: 'Forbidden',
}
const otherOrigin = (named: string) => ({
  message: `Requests from ${named} are not accepted: PUBLIC_URL is another one, and CORS_ORIGINS does not list it.`,
  field: '',
  type: 'Forbidden',
})
const BAD_TOKEN = { 'X-Authorization': 'Bearer rubbish' }

describe('a rejected reset', () => {
  let resets: Resetting
  let calls: string[] = []
  let email: string
  let token: string
  before(async () => {
    const aroundStore = watching((name, run) => {
      calls.push(name)
      return run()
    })
    resets = await startResetting({ aroundStore })
  })
  after(() => resets.service.close())
  beforeEach(async () => {
    email = freshEmail()
    await resets.service.account(email)
    token = await resets.mailedToken(email)
    calls = []
  })

  afterEach('the token still works', async () => {
    expect((await resets.consume(email, token)).status).to.equal(200)
  })

  /** Both forms: the request, and the consumption with all its fields. */
  const forms = () => [{ email }, { email, resetToken: token, password: NEW_PASSWORD }]

  /** Exactly this reply, no cookie and no store call, and the token still works. */
  async function expectRefused(reply: Reply, code: number, ...messages: ExpectedMessage[]): Promise<void> {
    expect(reply.json).to.deep.equal(loggedOut(code, ...messages))
    expect(reply.status).to.equal(code)
    expect(setCookies(reply)).to.deep.equal([])
    expect(calls).to.deep.equal([])
  }
  const send = (json: unknown, headers: Record<string, string> = {}, service = resets.service) =>
    service.client.call('POST', RESET_PASSWORD, { json, headers })

  it('is 401 before any other check if the request has an invalid access token', async () => {
    for (const json of [...forms(), {}, { email: 1 }]) {
      const reply = await send(json, { ...BAD_TOKEN, Origin: 'https://evil.example' })
      await expectRefused(reply, 401, ...INVALID_TOKEN.view.messages)
    }
    const plain = { ...BAD_TOKEN, 'Content-Type': 'text/plain' }
    const reply = await resets.service.client.call('POST', RESET_PASSWORD, { headers: plain, body: '{' })
    await expectRefused(reply, 401, ...INVALID_TOKEN.view.messages)
  })

  for (const [headers, message] of [
    [{ Origin: 'https://evil.example' }, otherOrigin('the origin https://evil.example')],
    [{ Origin: 'null' }, otherOrigin('this origin')],
    [{ 'Sec-Fetch-Site': 'cross-site' }, OTHER_SITE],
  ] as const) {
    it(`is 403 with ${JSON.stringify(headers)}`, async () => {
      for (const json of forms()) await expectRefused(await send(json, { ...headers }), 403, message)
    })
  }
})
