import { expect } from 'chai'
import { createBrowser, LOGIN, LOGOUT } from '../../support/http/browser.js'
import { collectingLog } from '../../support/log-collector.js'
import { openWire, requestText } from '../../support/http/wire.js'
import { sharedService } from '../../support/http/services.js'

/** More than the 2,000 headers that Node keeps by default. */
const MANY = 'a:\r\n'.repeat(3_000)
const EMAIL = 'ada@example.com'

describe('a request with thousands of headers', () => {
  const collected = collectingLog()
  const service = sharedService({ log: collected.log })
  before(async () => {
    await service.account(EMAIL)
  })

  const repliesTo = async (line: string, headers: Readonly<Record<string, string>>, body: string) => {
    const wire = await openWire(service.origin)
    wire.send(requestText(`${line}\r\nHost: x\r\n${MANY}Connection: close`, headers, body))
    return await wire.closed()
  }

  it('is parsed completely, including the last header', async () => {
    const body = JSON.stringify({ email: EMAIL, password: 'wrong' })
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }
    const [reply] = await repliesTo(`POST ${LOGIN} HTTP/1.1`, headers, body)
    expect(reply?.status).to.equal(401)
    expect(reply?.text).to.contain('Login Failed')
  })

  it('does not end the session if the request body is incomplete', async () => {
    const browser = createBrowser(service, EMAIL)
    await browser.login()
    const { cookie = '', accessToken = '' } = browser.held()
    const body = { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' }
    const headers = { Cookie: cookie, 'X-Authorization': `Bearer ${accessToken}`, ...body }
    const replies = await repliesTo(`POST ${LOGOUT} HTTP/1.1`, headers, '2\r\n{}x')
    expect(replies.map(({ status }) => status)).to.deep.equal([400])
    expect((await browser.getIdentity()).status).to.equal(200)
    expect(collected.lines.filter(({ level }) => level === 'error')).to.deep.equal([])
  })
})
