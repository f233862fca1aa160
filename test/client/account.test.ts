import { expect } from 'chai'
import { createAccount } from '../../src/client/account.js'
import type { KennelClient } from '../../src/client/index.js'
import { DEFAULT_PERMISSIONS } from '../../src/index.js'
import { servicesOfTests, sharedService, PASSWORD } from '../support/http/service.js'
import { sessionIdOf } from '../support/http/browser.js'
import { STEP } from '../support/http/factor.js'
import { oneTimeCode } from '../support/one-time-code.js'
import { clientOf, failureOf, newcomer } from './clients.js'

const NEW_PASSWORD = 'a quiet river at dusk'
const DELETE_ACCOUNT = '/api/auth/delete-account'
const MINUTE = 60_000
const CHANGE = { password: PASSWORD, newPassword: NEW_PASSWORD }

const sessionOf = (client: KennelClient) => sessionIdOf(client.tokens()?.accessToken)

describe('the account methods of a client', () => {
  const service = sharedService()

  /** Another session of the account, on another device. */
  async function elsewhere(email: string): Promise<KennelClient> {
    const { client } = clientOf(service)
    await client.login(email, PASSWORD)
    return client
  }

  it('change the password, which renews the tokens of this session and ends all other sessions', async () => {
    const { client, email, told } = await newcomer(service)
    const other = await elsewhere(email)
    const before = client.tokens()
    await createAccount(client).changePassword(CHANGE)
    expect(client.tokens()).to.not.deep.equal(before)
    expect(client.identity()?.user?.email).to.equal(email)
    expect((await client.refresh()).user?.email).to.equal(email)
    expect((await failureOf(other.getIdentity())).status).to.equal(401)
    expect((await clientOf(service).client.login(email, NEW_PASSWORD)).user?.email).to.equal(email)
    expect(told()).to.equal(0)
  })

  it('end another session of the same account by ID, but no session of another account', async () => {
    const { client, email } = await newcomer(service)
    const other = await elsewhere(email)
    const stranger = await newcomer(service)
    const { endSession } = createAccount(client)
    await endSession(sessionOf(other))
    expect((await failureOf(other.getIdentity())).status).to.equal(401)
    const failed = await failureOf(endSession(sessionOf(stranger.client)))
    expect([failed.status, failed.code]).to.deep.equal([404, 'NotFound'])
    expect((await client.getIdentity()).user?.email).to.equal(email)
    expect((await stranger.client.getIdentity()).user?.email).to.equal(stranger.email)
  })

  it('log out if they end the current session', async () => {
    const { client, told } = await newcomer(service)
    const mine = sessionOf(client)
    await createAccount(client).endSession(mine)
    expect([client.tokens(), client.identity(), told()]).to.deep.equal([undefined, undefined, 0])
  })

  it('end all sessions except the current session', async () => {
    const { client, email } = await newcomer(service)
    const others = [await elsewhere(email), await elsewhere(email)]
    expect(await createAccount(client).endOtherSessions()).to.equal(2)
    for (const one of others) expect((await failureOf(one.getIdentity())).status).to.equal(401)
    expect((await client.getIdentity()).user?.email).to.equal(email)
  })

  it('list the sessions page by page, and mark the current session', async () => {
    const { client, email } = await newcomer(service)
    const others = [await elsewhere(email), await elsewhere(email)]
    const { sessions, sessionPages } = createAccount(client)
    const all = (await sessions()).sessions
    expect(all.map(({ id }) => id)).to.have.members([client, ...others].map(sessionOf))
    expect(all.filter(({ current }) => current).map(({ id }) => id)).to.deep.equal([sessionOf(client)])
    const paged: string[] = []
    for await (const page of sessionPages({ limit: 1 })) paged.push(...page.sessions.map(({ id }) => id))
    expect(paged).to.deep.equal(all.map(({ id }) => id))
  })

  it('set up a second factor, log in with the factor, and remove the factor', async () => {
    const { client, email, told } = await newcomer(service)
    const { secondFactor, setUpSecondFactor, confirmSecondFactor, ...account } = createAccount(client)
    const { removeSecondFactor, renewRecoveryCodes } = account
    expect((await secondFactor()).active).to.equal(false)
    expect((await failureOf(setUpSecondFactor('not mine'))).messages[0]?.field).to.equal('password')
    const { secret, uri, qrCode } = await setUpSecondFactor(PASSWORD)
    expect([uri.startsWith('otpauth://'), qrCode.startsWith('<svg')]).to.deep.equal([true, true])
    expect((await failureOf(confirmSecondFactor('000'))).messages[0]?.field).to.equal('code')
    const before = client.tokens()
    const codes = await confirmSecondFactor(oneTimeCode(secret, service.clock.now))
    expect(codes).to.have.length(10)
    expect(client.tokens()).to.not.deep.equal(before)
    expect(client.identity()).to.not.have.property('recoveryCodes')
    expect((await client.getIdentity()).user?.email).to.equal(email)
    expect(await secondFactor()).to.include({ active: true, recoveryCodesLeft: 10 })

    const again = clientOf(service).client
    const missing = await failureOf(again.login(email, PASSWORD))
    expect(missing).to.include({ status: 401, code: 'Required' })
    expect(missing.messages[0]?.field).to.equal('code')
    const code = oneTimeCode(secret, service.clock.now + STEP)
    expect((await again.login(email, PASSWORD, { code })).user?.email).to.equal(email)

    // A login without the code leaves the previous session unchanged in all tabs.
    const other = await newcomer(service)
    const held = other.client.tokens()
    expect((await failureOf(other.client.login(email, PASSWORD))).code).to.equal('Required')
    expect(other.client.tokens()).to.deep.equal(held)
    expect((await other.client.getIdentity()).user?.email).to.equal(other.email)

    const renewed = await renewRecoveryCodes({ password: PASSWORD, code: codes[0] ?? '' })
    expect(renewed).to.have.length(10)
    const old = removeSecondFactor({ password: PASSWORD, code: codes[1] ?? '' })
    expect((await failureOf(old)).messages[0]?.field).to.equal('code')
    expect((await removeSecondFactor({ password: PASSWORD, code: renewed[0] ?? '' })).active).to.equal(false)
    expect((await clientOf(service).client.login(email, PASSWORD)).loggedIn).to.equal(true)
    expect(told()).to.equal(0)
  })
})

describe("deleting one's own account", () => {
  const { user, ...others } = DEFAULT_PERMISSIONS.roles
  const components = { ...user.components, auth: ['delete-account', 'export-account'] }
  const start = servicesOfTests()

  it('is rejected with a wrong password, and logs out with the correct password', async () => {
    const service = await start({ permissions: { roles: { ...others, user: { components } } } })
    const { client, email, told } = await newcomer(service)
    const { deleteAccount } = createAccount(client)
    expect((await failureOf(deleteAccount({ password: 'not mine' }))).messages[0]?.field).to.equal('password')
    expect(client.identity()?.user?.email).to.equal(email)
    await deleteAccount({ password: PASSWORD })
    expect([client.tokens(), client.identity(), told()]).to.deep.equal([undefined, undefined, 0])
    expect((await failureOf(clientOf(service).client.login(email, PASSWORD))).code).to.equal('LoginFailed')
  })

  it('is possible after a confirmation, if the last proof was too old', async () => {
    const auth = ['get-identity', 'confirm', { 'delete-account': { fresh: MINUTE } }]
    const service = await start({ permissions: { roles: { ...others, user: { components: { auth } } } } })
    const { client, email, sent } = await newcomer(service)
    const { confirm, deleteAccount } = createAccount(client)
    service.clock.now += 2 * MINUTE
    const [missing] = (await failureOf(deleteAccount({ password: PASSWORD }))).messages
    expect(missing).to.include({ field: 'password', message: 'fresh-login-required' })
    expect(sent.map(({ path }) => path)).to.deep.equal([DELETE_ACCOUNT])
    expect((await failureOf(confirm({ password: 'not mine' }))).messages[0]?.field).to.equal('password')
    await confirm({ password: PASSWORD })
    expect((await client.getIdentity()).user?.email).to.equal(email)
    await deleteAccount({ password: PASSWORD })
  })

  it('is repeated without a refresh if the login was confirmed while the request was running', async () => {
    const auth = ['get-identity', 'confirm', { 'delete-account': { fresh: MINUTE } }]
    const service = await start({ permissions: { roles: { ...others, user: { components: { auth } } } } })
    let isFirst = true
    const { client, sent } = await newcomer(service, {
      around: async (path, send) => {
        const response = await send()
        if (path === DELETE_ACCOUNT && isFirst) {
          isFirst = false
          await createAccount(client).confirm({ password: PASSWORD })
        }
        return response
      },
    })
    service.clock.now += 2 * MINUTE
    await createAccount(client).deleteAccount({ password: PASSWORD })
    const statuses = sent.map(({ path, status }) => [path, status])
    expect(statuses.slice(0, 3)).to.deep.equal([
      [DELETE_ACCOUNT, 401],
      ['/api/auth/confirm', 200],
      [DELETE_ACCOUNT, 200],
    ])
  })

  it('is possible after an export of the account, which also needs the password', async () => {
    const service = await start({ permissions: { roles: { ...others, user: { components } } } })
    const { client, email } = await newcomer(service)
    const { exportAccount } = createAccount(client)
    expect((await failureOf(exportAccount({ password: 'not mine' }))).messages[0]?.field).to.equal('password')
    const { account, auditRecords } = await exportAccount({ password: PASSWORD })
    expect(account).to.include({ email, hasPassword: true })
    expect((auditRecords as readonly object[]).at(-1)).to.include({
      event: 'account.export',
      outcome: 'success',
    })
  })
})
