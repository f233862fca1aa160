import { createHash } from 'node:crypto'
import { expect } from 'chai'
import ts from 'typescript'
import {
  serveExample,
  type ServedExample,
  openExample,
  type ExampleTab,
  EMAIL,
  exampleServicesOfTests,
  logIn,
  visitsOfExample,
} from './example-page.js'
import { PASSWORD } from '../support/http/service.js'
import { describeInChromium, withPreferences } from './chromium.js'

const SERVICE = 'https://pets.example'
const MAPPED: Readonly<Record<string, string>> = {
  'kennel-id/account': '/kennel-client/account.js',
  'kennel-id/client': '/kennel-client/index.js',
}

describe('the server of the browser example', () => {
  let example: ServedExample
  before(async () => {
    example = await serveExample(`${SERVICE}/`)
  })
  after(() => example.close())

  const get = (path: string) => fetch(example.origin + path)

  it('allows its own scripts, the unchanged import map and the service in its content security policy', async () => {
    const reply = await get('/')
    const page = await reply.text()
    const [, map = ''] = /<script type="importmap">([^]*?)<\/script>/.exec(page) ?? []
    const hash = createHash('sha256').update(map).digest('base64')
    expect(reply.headers.get('content-security-policy')?.split('; ')).to.deep.equal([
      "default-src 'none'",
      `script-src 'self' 'sha256-${hash}'`,
      "style-src 'self'",
      'img-src data:',
      `connect-src ${SERVICE}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
    ])
    expect(page).to.contain(`<meta name="kennel-url" content="${SERVICE}" />`)
    const imports = Object.fromEntries(Object.entries(MAPPED).map(([name, path]) => [name, `.${path}`]))
    expect(JSON.parse(map)).to.deep.equal({ imports })
  })

  it('serves every module that the page loads, with the correct content type', async () => {
    const waiting = ['/app.js']
    const seen = new Set(waiting)
    for (const path of waiting) {
      const reply = await get(path)
      const type = reply.headers.get('content-type')
      expect([reply.status, type], path).to.deep.equal([200, 'text/javascript; charset=utf-8'])
      const imports = ts.preProcessFile(await reply.text()).importedFiles
      for (const { fileName } of imports) {
        const next = MAPPED[fileName] ?? resolved(path, fileName)
        if (!seen.has(next)) waiting.push(next)
        seen.add(next)
      }
    }
    expect([...seen]).to.include.members(['/failures.js', '/kennel-client/login-state.js'])
  })

  it('serves no other files, and rejects other methods', async () => {
    const elsewhere = ['/server.js', '/package.json', '/index.html', '/%2e%2e/server.js', '//', '/__proto__']
    for (const path of elsewhere) expect((await get(path)).status, path).to.equal(404)
    const posted = await fetch(`${example.origin}/`, { method: 'POST', body: 'email=ada' })
    expect([posted.status, posted.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD'])
  })
})

function resolved(from: string, to: string): string {
  return new URL(to, `http://page.example${from}`).pathname
}

const COOKIE_MISSING = 'but this browser did not keep its session cookie.'

describeInChromium('the example in a browser explains', (chromium) => {
  const serve = exampleServicesOfTests()
  const visit = visitsOfExample(chromium)

  /** The message after a failed login. */
  async function refusal(tab: ExampleTab, beginning: string, password = PASSWORD): Promise<string> {
    await tab.logIn(EMAIL, password)
    const sentence = await tab.said(beginning)
    expect(await tab.shown()).to.equal(undefined)
    return sentence
  }

  it('that the service is unavailable, and the user stays logged in', async () => {
    const { origin, leave, tab } = await visit()
    await logIn(tab)
    await leave()
    await tab.press('Refresh')
    const away = `${origin} does not respond. Is the service running there, and are you online?`
    expect(await tab.said('http')).to.equal(away)
    expect(await tab.shown()).to.equal(EMAIL)
  })

  it('that the service does not list the origin of the page', async () => {
    const { ada, origin, pageOrigin, sessionsOf, visitor, tab } = await visit({ listed: false })
    const sentence = await refusal(tab, 'http')
    expect(sentence).to.contain(`${origin} responds, but not to this page.`)
    expect(sentence).to.contain(`CORS_ORIGINS=${pageOrigin} `)
    expect([await visitor.context.cookies(), await sessionsOf(ada)]).to.deep.equal([[], 0])
  })

  it('that the cookie is missing because the page is on another site', async () => {
    const { origin, visitor, tab } = await visit({ pageHost: 'localhost' })
    const sentence = await refusal(tab, origin)
    expect(sentence).to.contain(COOKIE_MISSING)
    expect(sentence).to.contain('Open this page by the host name of the service, 127.0.0.1;')
    expect(await visitor.context.cookies()).to.deep.equal([])
  })

  it('that the browser keeps no cookies', async () => {
    const { origin, pageOrigin, account } = await serve()
    await account(EMAIL)
    await withPreferences({ profile: { default_content_setting_values: { cookies: 2 } } }, async (page) => {
      const sentence = await refusal(await openExample(page, pageOrigin), origin)
      expect(sentence).to.contain(COOKIE_MISSING)
      expect(sentence).to.contain('Also allow cookies for this page.')
    })
  })
})
