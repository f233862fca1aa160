import { expect } from 'chai'
import { fragmentOf, linkIn } from '../../support/mail/postbox.js'
import { RESET_URL } from '../../support/http/service.js'
import { freshEmail, setCookies } from '../../support/http/browser.js'
import { loggedOut } from '../../support/http/expected.js'
import { resettingsOfTests, type Resetting } from '../../support/http/resetting.js'

describe('a password reset', () => {
  const serve = resettingsOfTests()
  let resets: Resetting
  let email: string
  beforeEach(async () => {
    resets = await serve()
    email = freshEmail()
    await resets.service.account(email)
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
})
