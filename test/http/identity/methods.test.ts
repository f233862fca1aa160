import { expect } from 'chai'
import { ENDPOINTS } from '../../../src/http/endpoints.js'
import type { PublicKey } from '../../../src/ports/tokens.js'
import { PASSWORD, STATELESS, TOKEN_USE, sharedService } from '../../support/http/service.js'
import { newcomer, setCookies, type Browser } from '../../support/http/browser.js'
import { refusedAt } from '../../support/http/protected-routes.js'
import { httpSettings } from '../../support/http/settings.js'

const OFFERED = ENDPOINTS.filter(({ isOffered = () => true }) => {
  const publicKeys = TOKEN_USE === 'HS512' ? [] : [{} as PublicKey]
  return isOffered(httpSettings({ docs: true, stateless: STATELESS, publicKeys }))
}).map(({ method, path }) => ({ method, path: path.replace(/:\w+/, '1') }))
const ALLOWED = [...new Set(OFFERED.map(({ path }) => path))].map((path) => {
  const methods = OFFERED.filter((one) => one.path === path).map(({ method }) => method)
  return [path, methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))] as const
})
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'LINK']
const MESSAGE = {
  message: 'This method is not allowed here; see the Allow header.',
  field: '',
  type: 'Format',
}

const listed = (allow: string | undefined) => (allow ?? '').split(', ').sort()

describe('the method guard', () => {
  const service = sharedService()
  let browser: Browser
  before(async () => {
    browser = await newcomer(service, ['admin'])
  })

  for (const [path, allow] of ALLOWED) {
    it(`responds to unsupported methods on ${path} with 405, and to OPTIONS with the allowed methods`, async () => {
      const { refreshToken } = browser.held()
      const json = { email: browser.email, password: PASSWORD, refreshToken }
      for (const method of METHODS.filter((one) => !allow.includes(one))) {
        const reply = await browser.send(method, path, method === 'HEAD' ? {} : { json })
        expect(reply.status, method).to.equal(405)
        expect(listed(reply.headers.allow), method).to.deep.equal([...allow].sort())
        if (method === 'HEAD') expect(reply.text).to.equal('')
        else expect(reply.json, method).to.deep.equal(refusedAt(path, 405, MESSAGE))
        expect(setCookies(reply), method).to.deep.equal([])
      }
      const options = await browser.send('OPTIONS', path)
      expect([options.status, options.text]).to.deep.equal([200, ''])
      expect(listed(options.headers.allow)).to.deep.equal([...allow].sort())
      expect((await browser.getIdentity()).status).to.equal(200)
    })
  }
})
