import { expect } from 'chai'
import { createCookieJar } from '../../src/client/index.js'
import { GET_IDENTITY, LOGIN, LOGOUT, PROJECT, REFRESH } from '../support/http/browser.js'
import { resettingsOfTests, NEW_PASSWORD } from '../support/http/resetting.js'
import { PASSWORD, servicesOfTests, sharedService } from '../support/http/service.js'
import { clientOf, failureOf, newcomer } from './clients.js'

describe('a client', () => {
  const service = sharedService()

  it('logs in, reads the identity, refreshes and logs out', async () => {
    const id = await service.account('ada@example.com', ['project-editor'])
    const cookieJar = createCookieJar()
    const { client } = clientOf(service, { cookieJar })
    const identity = await client.login('ada@example.com', PASSWORD)
    expect(identity.user).to.deep.equal({ id, email: 'ada@example.com' })
    expect(Object.keys(identity.roleList)).to.deep.equal(['project-editor'])
    expect(identity).to.not.have.any.keys('jwt', 'refreshToken')
    expect(await client.getIdentity()).to.deep.equal(identity)
    const [tokens, cookie] = [client.tokens(), cookieJar.get()]
    expect(cookie).to.match(/^sid=\S{43}$/)
    expect(await client.refresh()).to.deep.equal({ ...identity, refreshed: true })
    expect(client.tokens()).to.not.deep.equal(tokens)
    expect(cookieJar.get())
      .to.match(/^sid=\S{43}$/)
      .and.to.not.equal(cookie)
    expect(await client.getIdentity()).to.deep.equal(identity)
    await client.logout()
    expect([client.tokens(), cookieJar.get()]).to.deep.equal([undefined, ''])
    expect((await failureOf(client.getIdentity())).status).to.equal(401)
  })

  it('sends no access token in a login or a refresh', async () => {
    const { client, email, sent } = await newcomer(service)
    await client.login(email, PASSWORD)
    await client.refresh()
    await client.getIdentity()
    const bearing = sent.map(({ path, headers }) => [path, headers.has('X-Authorization')])
    expect(bearing).to.deep.equal([
      [LOGIN, false],
      [REFRESH, false],
      [GET_IDENTITY, true],
    ])
  })

  it('keeps the current session if the login to another account fails', async () => {
    const { client, email, told } = await newcomer(service)
    const error = await failureOf(client.login('nobody@example.com', PASSWORD))
    expect(error).to.include({ status: 401, code: 'LoginFailed', message: 'Login Failed' })
    const message = { message: 'Login Failed', field: 'email', type: 'LoginFailed', code: 401 }
    expect(error.messages).to.deep.equal([message])
    expect((await client.getIdentity()).user?.email).to.equal(email)
    expect(told()).to.equal(0)
  })

  it('delays calls until a pending login is complete', async () => {
    const email = 'waiting@example.com'
    await service.account(email)
    const { client } = clientOf(service)
    const login = client.login(email, PASSWORD)
    expect((await client.getIdentity()).user?.email).to.equal(email)
    await login
  })

  it('can log out twice, even with an expired token', async () => {
    const { client, sent, told } = await newcomer(service)
    service.clock.now += 900_001
    await client.logout()
    await client.logout()
    expect(sent.map(({ path }) => path)).to.deep.equal([LOGOUT, LOGOUT])
    expect(told()).to.equal(0)
  })

  it('stays logged in if the logout request did not reach the service', async () => {
    let cut = true
    const { client, email } = await newcomer(service, {
      around: (path, send) => (cut && path === LOGOUT ? fetch('http://127.0.0.1:9') : send()),
    })
    expect((await failureOf(client.logout())).code).to.equal('network')
    expect((await client.getIdentity()).user?.email).to.equal(email)
    cut = false
    await client.logout()
    expect(client.tokens()).to.equal(undefined)
  })

  it('creates projects, and reports each invalid field', async () => {
    const { client, id } = await newcomer(service, { roles: ['project-editor'] })
    const project = await client.createProject(PROJECT)
    expect(project).to.include({ ...PROJECT, createdBy: id })
    const invalid = await failureOf(client.createProject({ ...PROJECT, label: '', budget: -1 }))
    expect(invalid.status).to.equal(422)
    expect(invalid.messages.map(({ field }) => field)).to.deep.equal(['label', 'budget'])
  })
})

describe('a client of a service', () => {
  const resets = resettingsOfTests()
  const serve = servicesOfTests()

  it('requests a password reset and sets a new password', async () => {
    const { service, sendMails, postbox } = await resets()
    await service.account('ada@example.com')
    const { client } = clientOf(service)
    await client.resetPassword.request('ada@example.com')
    await sendMails()
    const resetToken = /resetToken=(\S{43})/.exec(postbox.arrived[0]?.text ?? '')?.[1] ?? ''
    const redemption = { email: 'ada@example.com', resetToken, password: NEW_PASSWORD }
    await client.resetPassword.consume(redemption)
    expect((await client.login('ada@example.com', NEW_PASSWORD)).loggedIn).to.equal(true)
  })

  it('knows when PASETO tokens expire', async () => {
    const service = await serve({ tokenUse: 'v4.public' })
    const { client, sent } = await newcomer(service)
    service.clock.now += 899_999
    await client.getIdentity()
    service.clock.now += 1
    await client.getIdentity()
    expect(sent.map(({ path }) => path)).to.deep.equal([GET_IDENTITY, REFRESH, GET_IDENTITY])
  })

  it('sends the token in the Authorization header if the service expects it there', async () => {
    const service = await serve({ settings: { authorizationHeader: 'Authorization' } })
    const { client, sent } = await newcomer(service, { authorizationHeader: 'Authorization' })
    await client.getIdentity()
    expect(sent[0]?.headers.get('Authorization')).to.equal(`Bearer ${client.tokens()?.accessToken ?? ''}`)
    expect(sent[0]?.headers.has('X-Authorization')).to.equal(false)
  })

  it('needs no cookie if the service is stateless', async () => {
    const service = await serve({ mode: 'stateless' })
    const jar = createCookieJar()
    jar.set('sid=left-over')
    const { client, sent } = await newcomer(service, { stateless: true, cookieJar: jar })
    service.clock.now += 900_001
    const identity = await client.getIdentity()
    await client.logout()
    expect(identity.loggedIn).to.equal(true)
    expect(sent.map(({ path }) => path)).to.deep.equal([REFRESH, GET_IDENTITY, LOGOUT])
    expect(sent.filter(({ headers }) => headers.has('Cookie'))).to.deep.equal([])
    expect([client.tokens(), jar.get()]).to.deep.equal([undefined, 'sid=left-over'])
  })
})
