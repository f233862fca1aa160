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

  it('list the sessions page by page, and end one session, all other sessions, or the current session, which logs out', async () => {
    const { client, email, told } = await newcomer(service)
    const others = [await elsewhere(email), await elsewhere(email)]
    const { sessions, sessionPages, endSession, endOtherSessions } = createAccount(client)
    const all = (await sessions()).sessions
    expect(all.map(({ id }) => id)).to.have.members([client, ...others].map(sessionOf))
    const paged: string[] = []
    for await (const page of sessionPages({ limit: 1 })) paged.push(...page.sessions.map(({ id }) => id))
    expect(paged).to.deep.equal(all.map(({ id }) => id))
    await endSession(sessionOf(others[0]!))
    expect(await endOtherSessions()).to.equal(1)
    for (const one of others) expect((await failureOf(one.getIdentity())).status).to.equal(401)
    expect((await client.getIdentity()).user?.email).to.equal(email)
    await endSession(sessionOf(client))
    expect([client.tokens(), client.identity(), told()]).to.deep.equal([undefined, undefined, 0])
  })

  it('set up a second factor, log in with the factor, and remove the factor', async () => {
    const { client, email, told } = await newcomer(service)
    const { secondFactor, setUpSecondFactor, confirmSecondFactor, ...account } = createAccount(client)
    const { removeSecondFactor, renewRecoveryCodes } = account
    expect((await secondFactor()).active).to.equal(false)
    const { secret, uri, qrCode } = await setUpSecondFactor(PASSWORD)
    expect([uri.startsWith('otpauth://'), qrCode.startsWith('<svg')]).to.deep.equal([true, true])
    const before = client.tokens()
    const codes = await confirmSecondFactor(oneTimeCode(secret, service.clock.now))
    expect(codes).to.have.length(10)
    expect(client.tokens()).to.not.deep.equal(before)
    expect(client.identity()).to.not.have.property('recoveryCodes')
    expect((await client.getIdentity()).user?.email).to.equal(email)
    expect(await secondFactor()).to.include({ active: true, recoveryCodesLeft: 10 })

    const again = clientOf(service).client
    expect(await failureOf(again.login(email, PASSWORD))).to.include({ status: 401, code: 'Required' })
    const code = oneTimeCode(secret, service.clock.now + STEP)
    expect((await again.login(email, PASSWORD, { code })).user?.email).to.equal(email)

    const renewed = await renewRecoveryCodes({ password: PASSWORD, code: codes[0] ?? '' })
    expect(renewed).to.have.length(10)
    expect((await removeSecondFactor({ password: PASSWORD, code: renewed[0] ?? '' })).active).to.equal(false)
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
    const { deleteAccount, exportAccount } = createAccount(client)
    expect((await exportAccount({ password: PASSWORD }))['account']).to.include({ email, hasPassword: true })
    expect((await failureOf(deleteAccount({ password: 'not mine' }))).messages[0]?.field).to.equal('password')
    expect(client.identity()?.user?.email).to.equal(email)
    await deleteAccount({ password: PASSWORD })
    expect([client.tokens(), client.identity(), told()]).to.deep.equal([undefined, undefined, 0])
  })

  it('is possible after a confirmation, if the last proof was too old', async () => {
    const auth = ['get-identity', 'confirm', { 'delete-account': { fresh: MINUTE } }]
    const service = await start({ permissions: { roles: { ...others, user: { components: { auth } } } } })
    const { client, sent } = await newcomer(service)
    const { confirm, deleteAccount } = createAccount(client)
    service.clock.now += 2 * MINUTE
    const [missing] = (await failureOf(deleteAccount({ password: PASSWORD }))).messages
    expect(missing).to.include({ field: 'password', message: 'fresh-login-required' })
    expect(sent.map(({ path }) => path)).to.deep.equal([DELETE_ACCOUNT])
    await confirm({ password: PASSWORD })
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
})
