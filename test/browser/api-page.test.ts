import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { DEFAULT_PERMISSIONS } from '../../src/domain/access/permission-rules.js'
import { PASSWORD } from '../support/http/service.js'
import { oneTimeCode } from '../support/one-time-code.js'
import { authorize, EMAIL, logIn, notices, open, visitsOfApiPage } from './api-page.js'
import { describeInChromium } from './chromium.js'

describeInChromium('the page at /docs', (chromium) => {
  const visit = visitsOfApiPage(chromium)

  it('keeps no token after the logout', async () => {
    const { page, failedReplies, errors, service } = await visit()
    const refresh = await open(page, 'identity-refresh')
    const example = await refresh.body()
    await logIn(page)
    expect(await refresh.body()).to.not.equal(example)
    const sent: (string | undefined)[] = []
    page.on('request', (request) => {
      if (request.url().includes('/api/')) sent.push(request.headers()['x-authorization'])
    })
    await (await open(page, 'identity-logout')).execute()
    expect(await refresh.body()).to.equal(example)
    expect((await (await open(page, 'identity-getIdentity')).execute()).status).to.equal(401)
    expect(sent.map((header) => header?.slice(0, 7))).to.deep.equal(['Bearer ', undefined])
    expect(failedReplies).to.deep.equal([`${service.origin}/api/auth/get-identity`])
    expect([errors, await notices(page)]).to.deep.equal([[], []])
  })

  it('keeps the login after a password change and with a second factor, until the account is deleted', async () => {
    const everyone = { components: { auth: ['*'], user: ['find'] } }
    const permissions = { roles: { ...DEFAULT_PERMISSIONS.roles, everyone } }
    const { page, errors, service } = await visit({ mode: 'stateful', permissions })
    const done = async (id: string, body?: object) => {
      const operation = await open(page, `identity-${id}`)
      if (body) await operation.fillBody(body)
      const { status, text } = await operation.execute()
      expect(status, text).to.equal(200)
      return text
    }
    await logIn(page)
    expect(await done('listSessions')).to.include('"current": true')
    const password = 'a quiet river at dusk'
    await done('changePassword', { password: PASSWORD, newPassword: password })
    const [, secret = ''] = /"secret": "(\w+)"/.exec(await done('setUpSecondFactor', { password })) ?? []
    const confirmed = await done('confirmSecondFactor', { code: oneTimeCode(secret, service.clock.now) })
    expect(await done('readSecondFactor')).to.include('"active": true')
    const [, code] = /"recoveryCodes": \[\s*"([A-Z0-9-]+)"/.exec(confirmed) ?? []
    await done('deleteAccount', { password, code })
    expect((await (await open(page, 'identity-getIdentity')).execute()).status).to.equal(401)
    expect([errors, await notices(page)]).to.deep.equal([[], []])
  })

  it('uses the new tokens after the start and after the end of an impersonation', async () => {
    const { page, expectQuiet, service } = await visit()
    const userId = await service.account('bob@example.com')
    await logIn(page)
    const identity = await open(page, 'identity-getIdentity')
    const loginAs = await open(page, 'identity-loginAs')
    await loginAs.fillBody({ userId })
    expect((await loginAs.execute()).status).to.equal(200)
    expect((await identity.execute()).text)
      .to.include('"email": "bob@example.com"')
      .and.include('"loggedInAs": true')
    expect((await (await open(page, 'identity-logoutAs')).execute()).status).to.equal(200)
    expect((await identity.execute()).text)
      .to.include(`"email": "${EMAIL}"`)
      .and.include('"loggedInAs": false')
    expectQuiet()
  })

  it('cannot read the cookie, and stores nothing', async () => {
    const { page, context } = await visit()
    await logIn(page)
    const [cookie] = await context.cookies()
    expect(cookie).to.include({ name: 'sid', httpOnly: true, sameSite: 'Strict' })
    const seen = 'JSON.stringify([document.cookie, localStorage.length, sessionStorage.length])'
    expect(await page.evaluate(seen)).to.equal('["",0,0]')
  })

  it('lets a user read and change pets with an email and password', async () => {
    const { page, expectQuiet } = await visit()
    await authorize(page, 'BasicAuth', { Username: EMAIL, Password: PASSWORD })
    await createAndList(page)
    expectQuiet()
  })

  it('gives access to the pets with an API key in the configured header, and removes a pet if permitted', async () => {
    const settings = { petsApiKeyHeader: 'X-Kennel-Key' }
    const permissions = { roles: { ...DEFAULT_PERMISSIONS.roles, user: { components: { pets: ['*'] } } } }
    const { page, expectQuiet, service } = await visit({ mode: 'stateful', permissions, settings })
    await authorize(page, 'ApiKeyAuth', { Value: await service.apiKey() })
    await createAndList(page)
    const remove = await open(page, 'pets-removePet')
    await remove.fillParameter('petId', '1')
    expect((await remove.execute()).status).to.equal(204)
    expectQuiet()
  })

  async function createAndList(page: Page): Promise<void> {
    const create = await open(page, 'pets-createPet')
    await create.fillBody({ name: 'Rex' })
    expect((await create.execute()).status).to.equal(201)
    const list = await (await open(page, 'pets-listPets')).execute()
    expect(list.status).to.equal(200)
    expect(list.text).to.include('"name": "Rex"')
    const read = await open(page, 'pets-readPet')
    await read.fillParameter('petId', '1')
    expect((await read.execute()).text).to.include('"name": "Rex"')
  }

  it("shows a 401 from the pets API without the browser's password prompt", async () => {
    const { page, errors } = await visit()
    expect((await (await open(page, 'pets-listPets')).execute()).status).to.equal(401)
    const read = await open(page, 'pets-readPet')
    await read.fillParameter('petId', '1')
    expect((await read.execute()).status).to.equal(401)
    expect(errors).to.deep.equal([])
  })
})
