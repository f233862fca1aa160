import { createServer } from 'node:http'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { PASSWORD } from '../support/http/service.js'
import { listening } from '../support/listening.js'
import { describeInChromium } from './chromium.js'
import { openExample, EMAIL, exampleServicesOfTests, logIn } from './example-page.js'

const CREDENTIALS = { email: EMAIL, password: PASSWORD }
const JSON_TYPE = 'application/json'
/** A text/plain form sends this field as JSON, with the equals sign in a separate member. */
const FORGED = { name: JSON.stringify(CREDENTIALS).replace(/}$/, ',"x":"'), value: '"}' }

/** Hosts of a page on another origin, by their relation to a service on 127.0.0.1; CORS_ORIGINS lists none of these origins. */
const FOREIGNERS = { 'on the same site': '127.0.0.1', 'on another site': 'localhost' }

for (const [where, host] of Object.entries(FOREIGNERS)) {
  describeInChromium(`a foreign page ${where}`, (chromium) => {
    const serve = exampleServicesOfTests()
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<link rel="icon" href="data:,">')
    })
    let foreign: string
    before(async () => {
      foreign = (await listening(server)).replace('127.0.0.1', host)
    })
    after(() => {
      server.closeAllConnections()
      server.close()
    })

    it('cannot log in', async () => {
      const { origin, pageOrigin, account, sessionsOf } = await serve()
      const ada = await account(EMAIL)
      const { page, context } = await chromium.visit({ origins: [origin, pageOrigin, foreign] })
      await page.goto(foreign)
      const login = `${origin}/api/auth/login`
      const form = new URLSearchParams(CREDENTIALS).toString()
      const json = JSON.stringify(CREDENTIALS)
      expect(await send(page, login, { type: JSON_TYPE, body: json })).to.equal('TypeError')
      for (const body of [json, form]) {
        for (const type of ['text/plain', 'application/x-www-form-urlencoded', JSON_TYPE]) {
          expect(await send(page, login, { type, body, mode: 'no-cors' })).to.equal('opaque')
          if (type !== JSON_TYPE) expect(await send(page, login, { type, body })).to.equal('TypeError')
        }
      }
      expect([await context.cookies(), await sessionsOf(ada)]).to.deep.equal([[], 0])
    })

    it('cannot log in with a form of any type', async () => {
      const { origin, pageOrigin, account, sessionsOf } = await serve()
      const ada = await account(EMAIL)
      const { page, context } = await chromium.visit({ origins: [origin, pageOrigin, foreign] })
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
        await page.goto(foreign)
        const replied = page.waitForResponse(`${origin}/api/auth/login`)
        await page.evaluate(submitting(`${origin}/api/auth/login`, type))
        expect((await replied).status(), type).to.equal(403)
        await page.waitForURL(`${origin}/api/auth/login`)
      }
      expect([await context.cookies(), await sessionsOf(ada)]).to.deep.equal([[], 0])
    })

    it('cannot read the identity, and cannot log out', async () => {
      const { origin, pageOrigin, account } = await serve()
      await account(EMAIL)
      const visitor = await chromium.visit({ origins: [origin, pageOrigin, foreign] })
      const tab = await openExample(visitor.page, pageOrigin)
      await logIn(tab)
      const page = await visitor.tab()
      await page.goto(foreign)
      const identity = `${origin}/api/auth/get-identity`
      expect(await send(page, identity, {})).to.equal('TypeError')
      expect(await send(page, identity, { mode: 'no-cors' })).to.equal('opaque')
      const logout = `${origin}/api/auth/logout`
      expect(await send(page, logout, { type: JSON_TYPE, body: '{}' })).to.equal('TypeError')
      expect(await send(page, logout, { type: 'text/plain', body: '{}', mode: 'no-cors' })).to.equal('opaque')
      const cookies = await visitor.context.cookies()
      expect(cookies.map(({ name }) => name)).to.deep.equal(['sid'])
      await tab.press('Who am I?')
      await tab.said('The service knows you.')
    })
  })
}

type Sent = { readonly type?: string; readonly body?: string; readonly mode?: 'no-cors' }

/** Sends a request from the page; returns the type and the body of the reply, or the name of the error. */
function send(page: Page, address: string, { type, body, mode }: Sent): Promise<string> {
  const init = {
    credentials: 'include',
    ...(mode && { mode }),
    ...(body !== undefined && { method: 'POST', body }),
    ...(type !== undefined && { headers: { 'Content-Type': type } }),
  }
  return page.evaluate(`fetch(${JSON.stringify(address)}, ${JSON.stringify(init)}).then(
    async (reply) => reply.type + await reply.text(),
    (error) => error.name,
  )`)
}

/** A form with the forged field or with the fields of a login form, submitted immediately. */
function submitting(address: string, type: string): string {
  const fields =
    type === 'text/plain' ? [FORGED] : Object.entries(CREDENTIALS).map(([name, value]) => ({ name, value }))
  return `{
    const form = document.createElement('form')
    Object.assign(form, ${JSON.stringify({ method: 'post', action: address, enctype: type })})
    for (const field of ${JSON.stringify(fields)})
      form.append(Object.assign(document.createElement('input'), field))
    document.body.append(form)
    form.submit()
  }`
}
