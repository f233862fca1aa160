import { expect } from 'chai'
import type { Reply } from '../../support/http/client.js'
import { PASSWORD } from '../../support/http/service.js'
import { createBrowser, credentials, freshEmail, newcomer, setCookies } from '../../support/http/browser.js'
import { INVALID_TOKEN, loggedOut, UNAVAILABLE, type ExpectedMessage } from '../../support/http/expected.js'
import { impersonation, logoutAs } from '../../support/http/acting.js'
import { itWithSessions } from '../../support/http/modes.js'
import { collectingLog } from '../../support/log-collector.js'
import {
  NEW_PASSWORD,
  RESET_PASSWORD,
  resettingsOfTests,
  startResetting,
  type Resetting,
} from '../../support/http/resetting.js'
import { servicesOfTests } from '../../support/http/services.js'
import { watching } from '../../support/watched-store.js'

const NEEDS_IDENTITY = { message: 'Authentication is required.', field: '', type: 'Forbidden' }
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
const IMPERSONATING = {
  message: 'This is not possible while you act as somebody else.',
  field: '',
  type: 'Forbidden',
}
const QUEUE_FULL = {
  message: 'Too many mails are waiting, try again later.',
  field: '',
  type: 'Unavailable',
}
const required = (field: string) => ({ message: 'required', field, type: 'Required' })
const notAnEmail = { message: 'email-not-valid', field: 'email', type: 'Format' }
const BAD_TOKEN = { 'X-Authorization': 'Bearer rubbish' }
const WRONG = [null, 0, true, [], ['a@example.com'], {}, { $ne: null }]

describe('a reset that is refused', () => {
  const serveOther = servicesOfTests()
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

  /** Both forms: requesting, and consuming with all that it needs. */
  const forms = () => [{ email }, { email, resetToken: token, password: NEW_PASSWORD }]

  /** Exactly this reply, no cookie, no store asked, and the token still works. */
  async function expectRefused(reply: Reply, code: number, ...messages: ExpectedMessage[]): Promise<void> {
    expect(reply.json).to.deep.equal(loggedOut(code, ...messages))
    expect(reply.status).to.equal(code)
    expect(setCookies(reply)).to.deep.equal([])
    expect(calls).to.deep.equal([])
  }
  const send = (json: unknown, headers: Record<string, string> = {}, service = resets.service) =>
    service.client.call('POST', RESET_PASSWORD, { json, headers })

  it('is 401 where it is not permitted to everyone, also for who is permitted everything else', async () => {
    const closed = await serveOther()
    const browser = await newcomer(closed, ['admin'])
    for (const json of [...forms(), {}]) {
      await expectRefused(await send(json, {}, closed), 401, NEEDS_IDENTITY)
      const reply = await browser.send('POST', RESET_PASSWORD, { json })
      await expectRefused(reply, 401, NEEDS_IDENTITY)
    }
    expect(await closed.store.mailQueue.claim(Infinity, Infinity)).to.equal(undefined)
  })

  it('is 401 before anything else where an access token is presented that is not good', async () => {
    for (const json of [...forms(), {}, { email: 1 }]) {
      const reply = await send(json, { ...BAD_TOKEN, Origin: 'https://evil.example' })
      await expectRefused(reply, 401, ...INVALID_TOKEN.view.messages)
    }
    const plain = { ...BAD_TOKEN, 'Content-Type': 'text/plain' }
    const reply = await resets.service.client.call('POST', RESET_PASSWORD, { headers: plain, body: '{' })
    await expectRefused(reply, 401, ...INVALID_TOKEN.view.messages)
  })

  it('is 401 where the access token has expired', async () => {
    const browser = createBrowser(resets.service, email)
    await browser.login()
    const { accessToken } = browser.held()
    resets.service.clock.now += 906_000
    calls = []
    for (const json of forms()) {
      const reply = await send(json, credentials({ accessToken }))
      await expectRefused(reply, 401, ...INVALID_TOKEN.view.messages)
    }
  })

  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    it(`is 415 as ${type}`, async () => {
      for (const json of forms()) {
        const reply = await send(json, { 'Content-Type': type })
        await expectRefused(reply, 415, {
          message: 'The body must be application/json in UTF-8.',
          field: '',
          type: 'Format',
        })
      }
    })
  }

  for (const [headers, message] of [
    [{ Origin: 'https://evil.example' }, otherOrigin('the origin https://evil.example')],
    [{ Origin: 'null' }, otherOrigin('this origin')],
    [{ 'Sec-Fetch-Site': 'cross-site' }, OTHER_SITE],
  ] as const) {
    it(`is 403 with ${JSON.stringify(headers)}`, async () => {
      for (const json of forms()) await expectRefused(await send(json, { ...headers }), 403, message)
    })
  }

  for (const field of ['email', 'resetToken', 'password']) {
    it(`is 400 where ${field} is no text`, async () => {
      for (const value of WRONG) {
        const reply = await send({ email, resetToken: token, password: NEW_PASSWORD, [field]: value })
        const [message] = (reply.json as ReturnType<typeof loggedOut>).view.messages
        const told = { message: message?.message ?? '', field, type: 'Format' }
        await expectRefused(reply, 400, told)
      }
    })
  }

  for (const body of ['', '{', '[]', 'null', '"text"', '{"email":']) {
    it(`is 400 with the body ${JSON.stringify(body)}`, async () => {
      const headers = { 'Content-Type': 'application/json' }
      const reply = await resets.service.client.call('POST', RESET_PASSWORD, { headers, body })
      expect(reply.status).to.equal(400)
      expect(setCookies(reply)).to.deep.equal([])
      expect(calls).to.deep.equal([])
    })
  }

  const password = NEW_PASSWORD
  const resetToken = 'something'
  const missing: readonly (readonly [json: object, messages: readonly ExpectedMessage[]])[] = [
    [{}, [required('email')]],
    [{ email: '' }, [required('email')]],
    [{ email: 'nobody' }, [notAnEmail]],
    [{ email: 'a@b@c' }, [notAnEmail]],
    [{ email: 'a@b\r\nBcc: c@d' }, [notAnEmail]],
    [{ email: `${'a'.repeat(255)}@b` }, [notAnEmail]],
    [{ email: 'ada@example.com', password }, [required('resetToken')]],
    [{ email: 'ada@example.com', resetToken }, [required('password')]],
    [{ email: 'ada@example.com', resetToken, password: '' }, [required('password')]],
    [{ email: 'ada@example.com', resetToken: '', password }, [required('resetToken')]],
    [{ email: 'ada@example.com', resetToken: '' }, [required('resetToken'), required('password')]],
    [{ resetToken, password }, [required('email')]],
    [{ email: 'nobody', resetToken, password }, [notAnEmail]],
    [{ password: '' }, [required('email'), required('resetToken'), required('password')]],
  ]
  for (const [json, messages] of missing) {
    it(`is 400 with every rule that is broken: ${JSON.stringify(json).slice(0, 60)}`, async () => {
      await expectRefused(await send(json), 400, ...messages)
    })
  }

  it('is 403 for who acts as another account, in both forms, until they do no more', async () => {
    const { browser, target } = await impersonation(resets.service)
    for (const of of [email, browser.email, target.email]) {
      for (const json of [{ email: of }, { email: of, resetToken: token, password }]) {
        const reply = await browser.send('POST', RESET_PASSWORD, { json })
        expect(reply.json).to.deep.equal(loggedOut(403, IMPERSONATING))
        expect(setCookies(reply)).to.deep.equal([])
      }
    }
    expect(await resets.sendMails()).to.equal(0)
    expect((await logoutAs(browser)).status).to.equal(200)
    expect((await browser.send('POST', RESET_PASSWORD, { json: { email } })).status).to.equal(200)
  })

  itWithSessions('is 403 for who acts as another account with either half of the credentials', async () => {
    const { browser } = await impersonation(resets.service)
    const { cookie, accessToken } = browser.held()
    for (const json of forms()) {
      for (const half of [{ cookie }, { accessToken }]) {
        expect((await send(json, credentials(half))).json).to.deep.equal(loggedOut(403, IMPERSONATING))
      }
    }
  })
})

describe('a reset while something is out of order', () => {
  const serve = resettingsOfTests()

  it('is 503 with Retry-After where the queue of mails is full', async () => {
    const aroundStore = watching((name, run) =>
      name === 'mailQueue.enqueue' ? Promise.resolve('full') : run(),
    )
    const { ask } = await serve({ aroundStore })
    const reply = await ask(freshEmail())
    expect(reply.json).to.deep.equal(loggedOut(503, QUEUE_FULL))
    expect(reply.headers['retry-after']).to.match(/^[1-9][0-9]*$/)
  })

  it('is 503 while the store is away, in both forms', async () => {
    const { service, ask, consume } = await serve()
    await service.store.close()
    for (const reply of [await ask('ada@example.com'), await consume('ada@example.com', 'x')])
      expect(reply.json).to.deep.equal(UNAVAILABLE)
  })

  it('is done all the same where its notice cannot be queued, which the log is told', async () => {
    let full = false
    const collected = collectingLog()
    const aroundStore = watching((name, run) =>
      full && name === 'mailQueue.enqueue' ? Promise.resolve('full') : run(),
    )
    const resets = await serve({ aroundStore, log: collected.log })
    const email = freshEmail()
    await resets.service.account(email)
    const token = await resets.mailedToken(email)
    full = true
    expect((await resets.consume(email, token)).status).to.equal(200)
    const told = collected.lines.filter(({ level }) => level === 'error').map(({ event }) => event)
    expect(told).to.deep.equal(['a password was reset, but not all that follows was done'])
    expect((await createBrowser(resets.service, email).login(PASSWORD)).status).to.equal(401)
  })
})
