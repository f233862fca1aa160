import { expect } from 'chai'
import { createCookieJar } from '../../src/client/index.js'
import { GET_IDENTITY, freshEmail } from '../support/http/browser.js'
import { createGate } from '../support/watched-store.js'
import { PASSWORD, type TestOptions, sharedService } from '../support/http/service.js'
import { clientOf, newcomer, failureOf } from './clients.js'
import { createAccount } from '../../src/client/account.js'
import { proofIn, resettingsOfTests } from '../support/http/resetting.js'
import { PROOFS_PERMITTED } from '../support/mail/composed-proofs.js'

describe('the identity of a client', () => {
  const service = sharedService()

  it('is undefined before the login and after the logout, and each change notifies the subscribers', async () => {
    const { email } = await newcomer(service)
    const { client } = clientOf(service)
    const seen: (string | undefined)[] = []
    const end = client.subscribe(() => seen.push(client.identity()?.user?.email))
    expect(client.identity()).to.equal(undefined)
    await client.login(email, PASSWORD)
    await client.logout()
    end()
    await client.login(email, PASSWORD)
    expect(seen).to.deep.equal([email, undefined])
  })

  it('is the same object until the identity changes', async () => {
    const { client } = await newcomer(service)
    const known = client.identity()
    let changes = 0
    client.subscribe(() => (changes += 1))
    expect(await client.getIdentity()).to.deep.equal(known)
    expect([client.identity() === known, changes]).to.deep.equal([true, 0])
    await client.refresh()
    expect([client.identity() === known, changes]).to.deep.equal([true, 1])
  })

  it('is undefined after adopting a token pair, until the service confirms the pair', async () => {
    const cookieJar = createCookieJar()
    const { client: earlier } = await newcomer(service, { cookieJar })
    const { client } = clientOf(service, { cookieJar })
    client.adopt(earlier.tokens())
    expect(client.identity()).to.equal(undefined)
    const identity = await client.getIdentity()
    expect(client.identity()).to.deep.equal(identity)
  })

  it('is not set by a late response to a call from an earlier session', async () => {
    const gate = createGate()
    let late = false
    const { client } = await newcomer(service, {
      around: async (path, send) => {
        const response = await send()
        if (late && path === GET_IDENTITY) await gate.pass()
        return response
      },
    })
    const other = await newcomer(service)
    late = true
    const earlier = client.getIdentity()
    await gate.reached
    client.adopt(other.client.tokens())
    gate.release()
    expect((await earlier).loggedIn).to.equal(true)
    expect(client.identity()).to.equal(undefined)
  })

  it('notifies a listener only once if it subscribes again during the notification', async () => {
    const { client } = await newcomer(service)
    let changes = 0
    let end = () => {}
    const listen = () => {
      changes += 1
      end()
      if (changes < 5) end = client.subscribe(listen)
    }
    end = client.subscribe(listen)
    await client.logout()
    expect(changes).to.equal(1)
  })
})

describe('a client that uses email proofs', () => {
  const start = resettingsOfTests()

  async function serve(options: Omit<TestOptions, 'mail'> = {}) {
    const { service, postbox, sendMails } = await start({ permissions: PROOFS_PERMITTED, ...options })
    const mailed = async () => {
      await sendMails()
      return proofIn(postbox)
    }
    return { service, mailed }
  }

  it('signs up and logs in with codes for this browser, even without session cookies', async () => {
    const { service, mailed } = await serve({ mode: 'stateless' })
    const email = freshEmail()
    const { client } = clientOf(service, { stateless: true })
    await client.signUp(email)
    const { code } = await mailed()
    expect((await client.confirmSignUp({ code, password: PASSWORD }))?.user?.email).to.equal(email)
    expect(await client.getIdentity()).to.deep.equal(client.identity())
    await client.logout()
    await client.loginByMail(email)
    const login = await mailed()
    expect((await client.confirmLoginByMail({ code: login.code })).user?.email).to.equal(email)
  })

  it('stays logged out while a new account waits for approval', async () => {
    const { service, mailed } = await serve({ signUp: { mode: 'approval' } })
    const { client } = clientOf(service)
    await client.signUp(freshEmail(), 'solved')
    const { token } = await mailed()
    expect(await client.confirmSignUp({ token, password: PASSWORD })).to.equal(undefined)
    expect([client.identity(), client.tokens()]).to.deep.equal([undefined, undefined])
  })

  it('changes the email of the account and undoes the change', async () => {
    const { service, mailed } = await serve()
    const [before, after] = [freshEmail(), freshEmail()]
    await service.account(before)
    const { client, told } = clientOf(service)
    const account = createAccount(client)
    await client.login(before, PASSWORD)
    await account.changeEmail({ email: after, password: PASSWORD })
    await account.confirmEmailChange({ code: (await mailed()).code })
    expect((await failureOf(client.getIdentity())).status).to.equal(401)
    expect(told()).to.equal(1)
    expect((await client.login(after, PASSWORD)).user?.email).to.equal(after)
    await createAccount(clientOf(service).client).undoEmailChange((await mailed()).token)
    expect((await client.login(before, PASSWORD)).user?.email).to.equal(before)
  })
})
