import { expect } from 'chai'
import type { Email } from '../../../src/domain/identity/email.js'
import { fragmentOf, linkIn, tokenIn } from '../../support/mail/postbox.js'
import type { Reply } from '../../support/http/client.js'
import { PASSWORD, RESET_URL, START } from '../../support/http/service.js'
import { createBrowser, freshEmail, newcomer, setCookies } from '../../support/http/browser.js'
import { expectInvalidToken, loggedOut, LOGIN_FAILED } from '../../support/http/expected.js'
import {
  NEW_PASSWORD,
  RESET_PASSWORD,
  resettingsOfTests,
  type Resetting,
} from '../../support/http/resetting.js'
import { STORES, storesOfTests } from '../../support/stores.js'

for (const { name, open } of STORES) {
  describe(`a password reset on the ${name} store`, () => {
    const serve = resettingsOfTests()
    const opened = storesOfTests()
    let resets: Resetting
    let email: string
    let id: number
    beforeEach(async () => {
      resets = await serve({ store: (await opened(open)).store })
      email = freshEmail()
      id = await resets.service.account(email)
    })

    it('begins with a mail to the account, and nothing in the reply', async () => {
      const reply = await resets.ask(email)
      expect(reply.status).to.equal(200)
      expect(reply.json).to.deep.equal(loggedOut(200))
      expect(setCookies(reply)).to.deep.equal([])
      expect(resets.postbox.tried).to.deep.equal([])
      expect(await resets.sendMails()).to.equal(1)
      expect(resets.postbox.arrived.map(({ to }) => to)).to.deep.equal([email])
      expect(await resets.sendMails()).to.equal(0)
    })

    it('mails a link to the page of the application, with email and a token of 256 bit in its fragment', async () => {
      await resets.mailedToken(email)
      const link = linkIn(resets.postbox.arrived[0])
      expect(link.split('#')[0]).to.equal(RESET_URL)
      const { resetToken, ...rest } = fragmentOf(link)
      expect(rest).to.deep.equal({ email })
      expect(resetToken).to.match(/^[A-Za-z0-9_-]{43}$/)
      expect(resets.postbox.arrived[0]?.html).to.include(String(resetToken))
    })

    for (const header of ['Host', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'Forwarded', 'X-Original-Host']) {
      it(`mails the same link whatever ${header} says`, async () => {
        await resets.ask(email, { [header]: header === 'Forwarded' ? 'host=evil.example' : 'evil.example' })
        await resets.sendMails()
        expect(linkIn(resets.postbox.arrived[0]).split('#')[0]).to.equal(RESET_URL)
        expect(JSON.stringify(resets.postbox.arrived)).to.not.include('evil')
      })
    }

    for (const odd of ['ada+kennel@example.com', 'grüße@bücher.example', 'a&resettoken=x#y%41@example.com']) {
      it(`comes to its end for ${odd}`, async () => {
        await resets.service.account(odd)
        const token = await resets.mailedToken(odd)
        const link = linkIn(resets.postbox.arrived[0])
        expect(link).to.match(/#email=[A-Za-z0-9%_.*-]+&resetToken=[A-Za-z0-9_-]{43}$/)
        expect(fragmentOf(link)).to.deep.equal({ email: odd, resetToken: token })
        expect((await resets.consume(odd, token)).status).to.equal(200)
        expect((await createBrowser(resets.service, odd).login(NEW_PASSWORD)).status).to.equal(200)
      })
    }

    it('knows the account however its email is written', async () => {
      const token = await resets.mailedToken(` ${email.toUpperCase()} `)
      expect(resets.postbox.arrived.map(({ to }) => to)).to.deep.equal([email])
      expect((await resets.consume(email.toUpperCase(), token)).status).to.equal(200)
    })

    it('sets the password: the old one is wrong and the new one right', async () => {
      const reply = await resets.consume(email, await resets.mailedToken(email))
      expect(reply.status).to.equal(200)
      expect(reply.json).to.deep.equal(loggedOut(200))
      expect(setCookies(reply)).to.deep.equal([])
      const browser = createBrowser(resets.service, email)
      expect((await browser.login(PASSWORD)).json).to.deep.equal(LOGIN_FAILED)
      expect((await browser.login(NEW_PASSWORD)).status).to.equal(200)
    })

    it('ends every login of the account at once, and no other’s', async () => {
      const { service } = resets
      const [one, two] = [createBrowser(service, email), createBrowser(service, email)]
      const other = await newcomer(service)
      for (const browser of [one, two]) expect((await browser.login()).status).to.equal(200)
      const token = await resets.mailedToken(email)
      expect((await one.getIdentity()).status).to.equal(200)
      expect((await resets.consume(email, token)).status).to.equal(200)
      for (const browser of [one, two]) {
        expectInvalidToken(await browser.getIdentity())
        expectInvalidToken(await browser.refresh())
      }
      expect((await other.getIdentity()).status).to.equal(200)
      expect(await service.store.sessions.endAllOf(id as never)).to.equal(0)
    })

    it('opens no session and touches no cookie, also where it comes from who is logged in', async () => {
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

    it('is followed by a notice without link or token', async () => {
      const token = await resets.mailedToken(email)
      await resets.consume(email, token)
      expect(await resets.sendMails()).to.equal(1)
      const notice = resets.postbox.arrived[1]
      expect(notice?.to).to.equal(email)
      expect(notice?.subject).to.equal('Your password was changed')
      expect(`${notice?.text ?? ''} ${notice?.html ?? ''}`).to.not.match(/https?:/)
      expect(JSON.stringify(notice)).to.not.include(token)
    })

    it('gives a password to an account that has none', async () => {
      const without = freshEmail()
      await resets.service.store.accounts.insert({ email: without as Email, createdAt: 0 })
      const token = await resets.mailedToken(without)
      expect((await resets.consume(without, token)).status).to.equal(200)
      expect((await createBrowser(resets.service, without).login(NEW_PASSWORD)).status).to.equal(200)
    })

    it('is audited when it is requested and when it is done, with the account and the client', async () => {
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
}

describe('the time of a reset token', () => {
  const serve = resettingsOfTests()

  it('is what was configured, and the mail says so', async () => {
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
