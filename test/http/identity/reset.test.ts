import { expect } from 'chai'
import { fragmentOf, linkIn, tokenIn } from '../../support/mail/postbox.js'
import type { Reply } from '../../support/http/client.js'
import { PASSWORD, RESET_URL, START } from '../../support/http/service.js'
import { createBrowser, freshEmail, setCookies } from '../../support/http/browser.js'
import { expectInvalidToken, loggedOut, LOGIN_FAILED } from '../../support/http/expected.js'
import {
  NEW_PASSWORD,
  RESET_PASSWORD,
  resettingsOfTests,
  type Resetting,
} from '../../support/http/resetting.js'

describe('a password reset', () => {
  const serve = resettingsOfTests()
  let resets: Resetting
  let email: string
  let id: number
  beforeEach(async () => {
    resets = await serve()
    email = freshEmail()
    id = await resets.service.account(email)
  })

  it('begins with a mail to the account, and the reply reveals nothing', async () => {
    const reply = await resets.ask(email)
    expect(reply.status).to.equal(200)
    expect(reply.json).to.deep.equal(loggedOut(200))
    expect(setCookies(reply)).to.deep.equal([])
    expect(resets.postbox.tried).to.deep.equal([])
    expect(await resets.sendMails()).to.equal(1)
    expect(resets.postbox.arrived.map(({ to }) => to)).to.deep.equal([email])
    expect(await resets.sendMails()).to.equal(0)
  })

  it('mails a link to the application page, with the email and a 256-bit token in its fragment', async () => {
    await resets.mailedToken(email)
    const link = linkIn(resets.postbox.arrived[0])
    expect(link.split('#')[0]).to.equal(RESET_URL)
    const { resetToken, ...rest } = fragmentOf(link)
    expect(rest).to.deep.equal({ email })
    expect(resetToken).to.match(/^[A-Za-z0-9_-]{43}$/)
    expect(resets.postbox.arrived[0]?.html).to.include(String(resetToken))
  })

  for (const header of ['Host', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'Forwarded', 'X-Original-Host']) {
    it(`mails the same link for any value of ${header}`, async () => {
      await resets.ask(email, { [header]: header === 'Forwarded' ? 'host=evil.example' : 'evil.example' })
      await resets.sendMails()
      expect(linkIn(resets.postbox.arrived[0]).split('#')[0]).to.equal(RESET_URL)
      expect(JSON.stringify(resets.postbox.arrived)).to.not.include('evil')
    })
  }

  it('sets the password: the old password is rejected and the new one accepted', async () => {
    const reply = await resets.consume(email, await resets.mailedToken(email))
    expect(reply.status).to.equal(200)
    expect(reply.json).to.deep.equal(loggedOut(200))
    expect(setCookies(reply)).to.deep.equal([])
    const browser = createBrowser(resets.service, email)
    expect((await browser.login(PASSWORD)).json).to.deep.equal(LOGIN_FAILED)
    expect((await browser.login(NEW_PASSWORD)).status).to.equal(200)
  })

  it('opens no session and changes no cookie, even for a logged-in browser', async () => {
    const browser = createBrowser(resets.service, email)
    await browser.login()
    const before = browser.held()
    const resetToken = await resets.mailedToken(email)
    const json = { email, resetToken, password: NEW_PASSWORD }
    const reply = await browser.send('POST', RESET_PASSWORD, { json })
    expect(reply.json).to.deep.equal(loggedOut(200))
    expect(setCookies(reply)).to.deep.equal([])
    expect(browser.held()).to.deep.equal(before)
    expectInvalidToken(await browser.getIdentity())
  })

  it('is audited at the request and at the consumption, with the account and the client', async () => {
    const asked = await resets.ask(email)
    await resets.sendMails()
    const done = await resets.consume(email, tokenIn(resets.postbox.arrived[0]))
    const entry = {
      at: START,
      actor: 'anonymous',
      subject: `account:${id}`,
      outcome: 'success',
      accounts: [id],
    }
    const from = ({ headers }: Reply) => ({ address: '127.0.0.1', requestId: headers['x-request-id'] })
    expect(await resets.onRecord()).to.deep.equal([
      { event: 'reset.ask', ...entry, ...from(asked) },
      { event: 'reset.done', ...entry, ...from(done) },
    ])
  })
})

describe('the lifetime of a reset token', () => {
  const serve = resettingsOfTests()

  it('is the configured lifetime, and the mail names it', async () => {
    const resets = await serve({ resetTokenTtl: 120_000 })
    const email = freshEmail()
    await resets.service.account(email)
    const token = await resets.mailedToken(email)
    const { text = '', html = '' } = resets.postbox.arrived[0] ?? {}
    for (const body of [text, html])
      expect(body.replaceAll(/\s+/g, ' ')).to.include('expires 2 minutes after')
    resets.service.clock.now += 120_000
    expect((await resets.consume(email, token)).status).to.equal(400)
    const another = await resets.mailedToken(email)
    resets.service.clock.now += 119_999
    expect((await resets.consume(email, another)).status).to.equal(200)
  })
})
