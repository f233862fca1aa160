import { expect } from 'chai'
import { freshEmail, LOGIN } from '../../support/http/browser.js'
import { itWithSessions } from '../../support/http/modes.js'
import { PASSWORD } from '../../support/http/service.js'
import { servicesOfTests } from '../../support/http/services.js'
import { createPostbox, ownTemplates } from '../../support/mail/postbox.js'

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0'
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15'

describe('mail notices', () => {
  const serve = servicesOfTests()

  itWithSessions('report a login with a new kind of client and name the client', async () => {
    const postbox = createPostbox()
    const mail = { mailer: postbox.mailer, templates: ownTemplates() }
    const service = await serve({ mail, notices: ['new-client'], settings: { trustProxy: 1 } })
    const email = freshEmail()
    await service.account(email)
    /** Returns the texts of the emails that a login causes. */
    const login = async (userAgent?: string) => {
      // Logins at the same instant have no defined order.
      service.clock.now += 1
      const before = postbox.arrived.length
      const headers = {
        'X-Forwarded-For': '192.0.2.7',
        ...(userAgent !== undefined && { 'User-Agent': userAgent }),
      }
      await service.client.call('POST', LOGIN, { json: { email, password: PASSWORD }, headers })
      await service.mails().sendMails()
      return postbox.arrived.slice(before).map(({ to, text }) => `${to}: ${text}`)
    }
    const [first, ...others] = await login(FIREFOX)
    expect(others).to.deep.equal([])
    for (const said of [`${email}: `, 'Firefox 130 on Linux', '192.0.2.7', '2026-01-02 03:04 UTC'])
      expect(first).to.include(said)
    expect(await login(FIREFOX.replaceAll('130', '131'))).to.deep.equal([])
    expect((await login(SAFARI)).map((text) => text.includes('Safari 18 on macOS'))).to.deep.equal([true])
    expect((await login()).map((text) => text.includes('an unknown client'))).to.deep.equal([true])
  })
})
