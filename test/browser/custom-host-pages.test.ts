import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { createListener } from '../../src/adapters/node/index.js'
import { createHandler } from '../../src/adapters/web/index.js'
import { createPages } from '../../src/http/pages/create-pages.js'
import { openKennel, OPERATOR } from '../../src/index.js'
import { SILENT_LOG } from '../../src/ports/log.js'
import { goodOptions } from '../embedding/opening.js'
import { describeInChromium } from './chromium.js'
import { userPage } from './pages.js'

const EMAIL = 'ada@example.com'
const PASSWORD = 'a long walk in the park'

describeInChromium('the pages for users in a custom host', (chromium) => {
  it('log in and out below one path, with the HTTP interface below a different path', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
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
