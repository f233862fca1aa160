import { expect } from 'chai'
import { createAccount } from '../../src/client/account.js'
import { freshEmail } from '../support/http/browser.js'
import { oneTimeCode } from '../support/one-time-code.js'
import { proofIn } from '../support/http/proving.js'
import { resettingsOfTests } from '../support/http/resetting.js'
import { PASSWORD, type TestOptions } from '../support/http/service.js'
import { PROOFS_PERMITTED } from '../support/mail/composed-proofs.js'
import { clientOf, failureOf } from './clients.js'

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

  for (const mode of ['stateful', 'stateless'] as const)
    it(`signs up and logs in by email with the codes for this browser, in ${mode} mode`, async () => {
      const { service, mailed } = await serve({ mode })
      const email = freshEmail()
      const { client } = clientOf(service, { stateless: mode === 'stateless' })
      await client.signUp(email)
      const { code } = await mailed()
      const { client: other } = clientOf(service)
      expect((await failureOf(other.confirmSignUp({ code, password: PASSWORD }))).code).to.equal('NotValid')
      expect((await client.confirmSignUp({ code, password: PASSWORD }))?.user?.email).to.equal(email)
      expect(await client.getIdentity()).to.deep.equal(client.identity())
      await client.logout()

      await client.loginByMail(email)
      const login = await mailed()
      expect((await failureOf(other.confirmLoginByMail({ token: login.token }))).message).to.equal(
        'other-browser',
      )
      expect((await client.confirmLoginByMail({ code: login.code })).user?.email).to.equal(email)
      expect((await client.refresh()).loggedIn).to.equal(true)
    })

  it('needs the second factor for a login by email', async () => {
    const { service, mailed } = await serve()
    const email = freshEmail()
    await service.account(email)
    const { client } = clientOf(service)
    await client.login(email, PASSWORD)
    const { setUpSecondFactor, confirmSecondFactor } = createAccount(client)
    const { secret } = await setUpSecondFactor(PASSWORD)
    await confirmSecondFactor(oneTimeCode(secret, service.clock.now))
    await client.loginByMail(email)
    const { token } = await mailed()
    const failed = await failureOf(client.confirmLoginByMail({ token }))
    expect([failed.status, failed.messages[0]?.field]).to.deep.equal([401, 'secondFactor'])
    const secondFactor = oneTimeCode(secret, service.clock.now + 30_000)
    expect((await client.confirmLoginByMail({ token, secondFactor })).user?.email).to.equal(email)
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
    const wrong = await failureOf(account.changeEmail({ email: after, password: 'a wrong password' }))
    expect([wrong.status, wrong.messages[0]?.field]).to.deep.equal([400, 'password'])
    await account.changeEmail({ email: after, password: PASSWORD })
    await account.confirmEmailChange({ code: (await mailed()).code })
    expect((await failureOf(client.getIdentity())).status).to.equal(401)
    expect(told()).to.equal(1)
    expect((await client.login(after, PASSWORD)).user?.email).to.equal(after)
    await createAccount(clientOf(service).client).undoEmailChange((await mailed()).token)
    expect((await client.login(before, PASSWORD)).user?.email).to.equal(before)
  })
})
