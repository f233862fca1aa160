import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { workplaceOfTests } from '../cli/app.js'
import { open, openApiPage } from './api-page.js'
import { describeInChromium } from './chromium.js'

/** The command of the README that creates an account. */
const ACCOUNT =
  /^echo '(?<password>[^']+)' \| bin\/app\.js user create (?<email>\S+) --password-stdin(?: \|\| true)?$/m

describeInChromium('a newcomer with the README', (chromium) => {
  const place = workplaceOfTests()

  for (const name of ['127.0.0.1', 'localhost'])
    it(`starts the service, creates an account, and logs in on the page at http://${name}/docs`, async () => {
      const readme = readFileSync('README.md', 'utf8')
      expect(readme).to.include('npm ci && npm start').and.to.include('/docs')
      const { password = '', email = '' } = ACCOUNT.exec(readme)?.groups ?? {}
      const origin = (await place.serve()).origin.replace('127.0.0.1', name)
      const { code } = await place.app(['user', 'create', email, '--password-stdin'], {
        input: `${password}\n`,
      })
      expect(code).to.equal(0)
      const { page, expectQuiet } = await chromium.visit({ origins: [origin] })
      await openApiPage(page, `${origin}/docs`)
      const login = await open(page, 'identity-login')
      await login.fillBody({ email, password })
      expect(await login.execute()).to.have.property('status', 200)
      const identity = await (await open(page, 'identity-getIdentity')).execute()
      expect(identity.status).to.equal(200)
      expect(identity.text).to.include('"loggedIn": true').and.to.include(email)
      expectQuiet()
    })
})
