import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { PASSWORD } from '../support/http/service.js'
import { expectAccessible } from './admin-page.js'
import { describeInChromium } from './chromium.js'
import { servedPages, type UserPage, userPage } from './pages.js'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createListener } from '../../src/adapters/node/index.js'
import { createHandler } from '../../src/adapters/web/index.js'
import { createPages } from '../../src/http/pages/create-pages.js'
import { openKennel, OPERATOR } from '../../src/index.js'
import { listening } from '../support/listening.js'
import { SILENT_LOG } from '../../src/ports/log.js'
import { goodOptions } from '../embedding/opening.js'

const EMAIL = 'ada@example.com'
const SPENT = 'This link has expired, or was used already. Request a new email.'
const WRONG_CODE = 'This code is wrong, or has expired. You can try a code from an email five times.'

const fragment = (values: Readonly<Record<string, string>>) => new URLSearchParams(values).toString()

describeInChromium('the pages for users, if an email is no longer valid,', (chromium) => {
  const serve = servedPages(chromium)

  /** The page shows the message, and a link to the form that requests a new email. */
  async function expectWayOn({ page, isAt }: UserPage, message: string, heading: string): Promise<void> {
    await page.getByText(message).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Request a new email' }).click()
    await isAt(heading)
  }

  it('say that a link has expired, and offer a new email that works', async () => {
    const { service, visit, mailed } = await serve()
    await service.account(EMAIL)
    const user = await visit()
    await user.open('reset-password', 'Reset your password')
    await user.send({ Email: EMAIL })
    await user.says(`The email is on its way to ${EMAIL}.`)
    const link = await mailed()
    service.clock.now += 3_600_000
    await user.open(`reset-password#${fragment(link)}`, 'Choose a new password')
    await user.send({ 'New password': PASSWORD })
    await expectWayOn(user, SPENT, 'Reset your password')
    await user.send({ Email: EMAIL })
    await user.says(`The email is on its way to ${EMAIL}.`)
    await user.open(`reset-password#${fragment(await mailed())}`, 'Choose a new password')
    await user.send({ 'New password': PASSWORD })
    await user.isAt('Log in')
    await user.says('Your password was changed.')
  })

  it('say that a link has already been used, and offer a new email', async () => {
    const { service, visit, mailed } = await serve()
    await service.client.call('POST', '/api/auth/sign-up', { json: { email: EMAIL } })
    const link = fragment(await mailed())
    const user = await visit()
    await user.open(`confirm#${link}`, 'Create your account')
    await user.send({ 'New password': PASSWORD })
    await user.isAt(EMAIL)
    await user.open(`confirm#${link}`, 'Create your account')
    await user.send({ 'New password': PASSWORD })
    await expectWayOn(user, SPENT, 'Create an account')
  })

  it('reject the correct code after five wrong codes, but accept the code in a new email', async () => {
    const { service, visit, mailed } = await serve()
    await service.account(EMAIL)
    const user = await visit()
    const request = async () => {
      await user.send({ Email: EMAIL })
      await user.page.getByLabel('Code from the email').waitFor()
      return (await mailed())['code'] ?? ''
    }
    await user.open('login#by=mail', 'Log in')
    const code = await request()
    for (const wrong of ['WRONG222', 'WRONG333', 'WRONG444', 'WRONG555', 'WRONG666', code]) {
      const reply = user.page.waitForResponse('**/login-by-mail/confirm')
      await user.send({ 'Code from the email': wrong })
      expect((await reply).status(), wrong).to.be.within(400, 499)
    }
    await expectWayOn(user, WRONG_CODE, 'Log in')
    // An address receives at most one email per minute.
    service.clock.now += 60_000
    await user.send({ 'Code from the email': await request() })
    await user.isAt(EMAIL)
  })

  for (const [language, path] of [
    ['en', 'templates/pages/en.json'],
    ['de', 'docs/operate/files/pages.de.json'],
  ] as const)
    it(`say what to do if scripts are disabled (${language})`, async () => {
      const pageTexts = JSON.parse(readFileSync(path, 'utf8')) as Readonly<Record<string, string>>
      const { service, visit } = await serve({ settings: { pageTexts } })
      const { page, visitor } = await visit({ javaScriptEnabled: false })
      for (const address of ['login', 'sign-up', 'reset-password', 'confirm', 'account']) {
        await page.goto(`${service.origin}/${address}#purpose=sign-up&token=a`)
        expect(await page.locator('main').innerText()).to.equal(pageTexts['noScript'])
      }
      visitor.expectQuiet()
    })
})

describeInChromium('the pages for users, if the browser blocks cookies,', (chromium) => {
  const serve = servedPages(chromium)

  it('say so before the user logs in', async () => {
    const { visit } = await serve()
    const { page, visitor, open } = await visit()
    await visitor.context.addInitScript(
      "Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set: () => {} })",
    )
    await open('login', 'Log in')
    await page.getByRole('alert').filter({ hasText: 'Your browser blocks cookies on this page.' }).waitFor()
    await expectAccessible(page)
  })
})

describeInChromium('the pages for users in a custom host', (chromium) => {
  it('support login and logout if they and the HTTP interface have different paths', async () => {
    const server = createServer()
    const origin = await listening(server)
    const kennel = await openKennel(
      goodOptions({ publicUrl: origin, production: false, parts: { log: SILENT_LOG } }),
    )
    await kennel.createUser({ caller: OPERATOR, email: EMAIL, password: PASSWORD })
    const listener = createListener(createHandler(kennel, { prefix: '/kennel' }))
    const pages = createPages(kennel, { api: '/kennel' })
    const answer = async (request: IncomingMessage, response: ServerResponse) => {
      const { pathname } = new URL(request.url ?? '', origin)
      const page = await pages(pathname.replace(/^\/me/, ''), request.headers['accept-encoding'])
      if (page) response.writeHead(page.status, page.headers).end(page.body)
      else listener(request, response)
    }
    server.on('request', (request, response) => void answer(request, response))
    try {
      const { page, visitor, ...user } = userPage(await chromium.visit({ origins: [origin] }), origin)
      await user.open('me/account', 'Log in')
      await page.waitForURL(`${origin}/me/login#`)
      await user.send({ Email: EMAIL, Password: PASSWORD })
      await user.isAt(EMAIL)
      await page.waitForURL(`${origin}/me/account`)
      await user.press('Log out')
      await user.isAt('Log in')
      expect([visitor.errors, visitor.foreign]).to.deep.equal([[], []])
    } finally {
      server.closeAllConnections()
      server.close()
      await kennel.close()
    }
  })
})
