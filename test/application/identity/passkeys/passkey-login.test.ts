import { expect } from 'chai'
import type { Issued } from '../../../../src/application/identity/issue.js'
import type { RoleKey } from '../../../../src/domain/access/role.js'
import { factorHolder } from '../../../support/factor.js'
import { createAuthenticator } from '../../../support/passkey-authenticator.js'
import { addPasskey, passkeyHolder, passkeyLogin } from '../../../support/passkeys.js'
import { recordingMetrics } from '../../../support/recording-metrics.js'
import { codeOf, refused } from '../../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type UseCaseOptions } from '../../../support/use-cases.js'
import { recordingStore } from '../../../support/watched-store.js'

const ADA = 'ada@example.com'
const EVE = 'eve@example.com'
const MINUTE = 60_000

const claimsIn = ({ accessToken }: Issued) =>
  JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

/** Creates an account with a second factor and a passkey. */
async function withFactor(options: UseCaseOptions = {}) {
  const kennel = await composeUseCases({ passkeys: true, ...options })
  const authenticator = createAuthenticator()
  const holder = await factorHolder(kennel, ADA, ['admin'])
  await addPasskey(kennel, presentedBy(holder.issued), authenticator)
  return { kennel, authenticator, ...holder }
}

describe('a login with a passkey', () => {
  it('needs no email, appears in the audit log and the metrics, and counts as a recent login', async () => {
    const { metrics, told } = recordingMetrics()
    const kennel = await composeUseCases({ passkeys: true, mode: 'stateless', metrics })
    const { authenticator } = await passkeyHolder(kennel, ADA)
    await kennel.audited()
    kennel.clock.now += MINUTE
    const issued = await passkeyLogin(kennel, authenticator)
    expect(await kennel.audited()).to.deep.equal(['login account:1 account:1 success'])
    expect(told.filter(([call]) => call === 'loginTried')).to.deep.equal(
      [1, 2].map(() => ['loginTried', 'success']),
    )
    const { identity } = issued
    expect(identity).to.include({ email: ADA, accountId: 1 }).and.not.have.property('factor')
    const { proved } = await kennel.useCases.getIdentity(presentedBy(issued))
    expect(Math.floor((proved?.at ?? 0) / 1000)).to.equal(Math.floor(kennel.clock.now / 1000))
    expect(await codeOf(passkeyLogin(kennel, authenticator, { isVerified: false }))).to.equal('login-failed')
    expect(told.at(-1)).to.deep.equal(['loginTried', 'login-failed'])
  })

  it("also proves the account's second factor, so that all roles apply", async () => {
    const factorRoles = new Set(['admin' as RoleKey])
    const { kennel, authenticator } = await withFactor({ factorRoles })
    const { identity } = await passkeyLogin(kennel, authenticator)
    expect(identity).to.include({ factor: true })
    expect(identity.roles.map(({ key }) => key)).to.deep.equal(['admin'])
    const { authenticator: other } = await passkeyHolder(kennel, EVE)
    expect((await passkeyLogin(kennel, other)).identity).to.not.have.property('factor')
  })

  it('adds `amr` to stateless tokens; a refresh keeps `amr`, and a confirmation with the password removes it', async () => {
    const kennel = await composeUseCases({ passkeys: true, mode: 'stateless-revocable', tokenUse: 'HS512' })
    const { authenticator } = await passkeyHolder(kennel, ADA)
    const issued = await passkeyLogin(kennel, authenticator)
    const told = { amr: ['pop', 'mfa'], auth_time: Math.floor(kennel.clock.now / 1000) }
    expect(claimsIn(issued)).to.deep.include(told)
    kennel.clock.now += MINUTE
    const { refreshToken } = issued
    const refreshed = await kennel.useCases.refresh({ refreshToken, presented: {} })
    expect(claimsIn(refreshed)).to.deep.include(told)
    const presented = presentedBy(refreshed)
    const byPassword = await kennel.useCases.confirmLogin({ password: PASSWORD, presented })
    expect(claimsIn(byPassword)).to.not.have.property('amr')
    const options = await kennel.useCases.beginPasskeyConfirmation(presentedBy(byPassword))
    const confirmed = await kennel.useCases.confirmLogin({
      passkey: authenticator.get(options),
      presented: presentedBy(byPassword),
    })
    expect(claimsIn(confirmed)).to.deep.include({ amr: told.amr })
  })

  it('adds no `amr` if passkeys are off and the password confirms the login', async () => {
    const kennel = await composeUseCases({ mode: 'stateless-revocable', tokenUse: 'HS512' })
    await kennel.account(ADA)
    const presented = presentedBy(await kennel.login(ADA))
    const passkey = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: { clientDataJSON: 'AAAA' } }
    const confirmed = await kennel.useCases.confirmLogin({ password: PASSWORD, passkey, presented })
    expect(claimsIn(confirmed)).to.not.have.property('amr')
  })

  it('permits several challenges in one browser, and replaces a malformed browser secret', async () => {
    const kennel = await composeUseCases({ passkeys: true })
    const { authenticator } = await passkeyHolder(kennel, ADA)
    const begin = (browserSecret?: string) =>
      kennel.useCases.beginPasskeyLogin({ browserSecret, presented: {} })
    const first = await begin()
    const second = await begin(first.browserSecret)
    expect(second.browserSecret).to.equal(first.browserSecret)
    for (const { options, browserSecret } of [first, second]) {
      const credential = authenticator.get(options)
      await kennel.useCases.loginWithPasskey({ credential, browserSecret, presented: {} })
    }
    for (const text of ['', 'short', `${first.browserSecret} `])
      expect((await begin(text)).browserSecret)
        .to.match(/^[\w-]{43}$/)
        .and.not.equal(text)
    expect(first.options['allowCredentials']).to.deep.equal([])
  })

  it('stores nothing for a visitor who begins a login, or presents a response that is refused', async () => {
    const { store, calls } = recordingStore()
    const kennel = await composeUseCases({ passkeys: true, store })
    const { authenticator } = await passkeyHolder(kennel, ADA)
    calls.length = 0
    await kennel.useCases.beginPasskeyLogin({ presented: {} })
    expect(calls).to.deep.equal([])
    expect(await codeOf(passkeyLogin(kennel, authenticator, { isVerified: false }))).to.equal('login-failed')
    expect(calls).to.deep.equal(['passkeys.find', 'accounts.find', 'audit.append'])
  })

  it('is not available if passkeys are off, and a passkey then does not replace the second factor', async () => {
    const { useCases } = await composeUseCases()
    expect(useCases).to.not.have.any.keys(
      'beginPasskey',
      'beginPasskeyLogin',
      'loginWithPasskey',
      'listPasskeys',
    )
    const off = await composeUseCases({ store: (await withFactor()).kennel.store })
    const credential = { id: 'AQ', rawId: 'AQ', type: 'public-key', response: { clientDataJSON: 'AQ' } }
    const login = off.useCases.login({ email: ADA, password: PASSWORD, passkey: credential, presented: {} })
    expect(await codeOf(login)).to.equal('second-factor-required')
  })
})

describe('a passkey as the second factor of a login', () => {
  it('replaces the code, but only if it belongs to the same account', async () => {
    const { kennel, authenticator } = await withFactor()
    const { authenticator: eve } = await passkeyHolder(kennel, EVE)
    const login = async (by: typeof eve, password = PASSWORD) => {
      const { options, browserSecret } = await kennel.useCases.beginPasskeyLogin({ presented: {} })
      const passkey = by.get(options)
      return await kennel.useCases.login({ email: ADA, password, passkey, browserSecret, presented: {} })
    }
    expect((await login(authenticator)).identity).to.include({ factor: true })
    expect(await refused(login(eve))).to.deep.equal(['login-failed', 'passkey', 'LoginFailed'])
    expect(await refused(login(authenticator, 'wrong'))).to.deep.equal([
      'login-failed',
      'email',
      'LoginFailed',
    ])
    for (let attempt = 0; attempt < 4; attempt += 1) await refused(login(eve))
    expect(await codeOf(login(authenticator))).to.equal('too-many-attempts')
  })
})
