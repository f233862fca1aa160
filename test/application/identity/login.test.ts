import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import { refusalOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy, type Composed } from '../../support/use-cases.js'

const email = 'ada@example.com'
const client = { address: '192.0.2.1' }
const { everyone } = DEFAULT_PERMISSIONS.roles

describe('login', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases({ loginLimit: { count: 2, window: 60_000 } })
    await kennel.account(email)
    await kennel.audited()
  })

  type Ask = { readonly email?: unknown; readonly password?: unknown; readonly accessToken?: string }
  const login = ({ accessToken, ...ask }: Ask = {}) =>
    kennel.useCases.login({
      email,
      password: PASSWORD,
      ...ask,
      presented: { client, ...(accessToken !== undefined && { accessToken }) },
    })
  const told = async (ask: Ask) => {
    const { code, messages } = await refusalOf(login(ask))
    return [code, ...messages.map(({ field, type }) => [field, type].join(' '))]
  }

  it('opens a login of its own each time, and is audited', async () => {
    const [one, other] = [await login(), await login()]
    expect(one.identity.sessionId).to.not.equal(other.identity.sessionId)
    expect(await kennel.audited()).to.deep.equal(
      [1, 2].map(() => 'login account:1 account:1 success from 192.0.2.1'),
    )
  })

  it('says what is missing or no email, and that a text is none', async () => {
    expect(await told({ email: '', password: undefined })).to.deep.equal([
      'login-failed',
      'email Required',
      'password Required',
    ])
    expect(await told({ email: 'ada' })).to.deep.equal(['login-failed', 'email Format'])
    expect((await told({ email: 7 }))[0]).to.equal('malformed')
    expect((await told({ password: {} }))[0]).to.equal('malformed')
    expect(await kennel.audited()).to.deep.equal([])
  })

  it('fails in the same words for a wrong password, an unknown email and a disabled account', async () => {
    const wrong = await told({ password: 'a wrong password' })
    expect(wrong).to.deep.equal(['login-failed', 'email LoginFailed'])
    expect(await told({ email: 'bob@example.com' })).to.deep.equal(wrong)
    await kennel.useCases.disableUser({ caller: OPERATOR, email })
    expect(await told({})).to.deep.equal(wrong)
    const failures = (await kennel.audited()).filter((entry) => entry.startsWith('login'))
    expect(failures).to.deep.equal([
      'login anonymous account:1 failure from 192.0.2.1',
      'login anonymous - failure from 192.0.2.1',
      'login anonymous account:1 failure from 192.0.2.1',
    ])
  })

  it('is refused beyond the limit, also with the right password; what succeeded did not count', async () => {
    for (let call = 0; call < 3; call += 1) await login()
    for (let guess = 0; guess < 2; guess += 1) await told({ password: 'a wrong password' })
    expect((await told({}))[0]).to.equal('too-many-attempts')
    kennel.clock.now += 60_000
    expect((await login()).identity.email).to.equal(email)
  })

  it('looks at a token that came along before anything else, which need not be of a login that goes on', async () => {
    expect((await told({ accessToken: 'no token', email: 7 }))[0]).to.equal('invalid-token')
    const issued = await login()
    await kennel.useCases.logout(presentedBy(issued))
    expect((await login({ accessToken: issued.accessToken })).identity.email).to.equal(email)
  })

  it('is refused where everyone may not log in or be found, before the email is judged', async () => {
    for (const components of [{ auth: ['login'] }, { auth: ['logout'], user: ['find'] }]) {
      const roles = { ...DEFAULT_PERMISSIONS.roles, everyone: { ...everyone, components } }
      kennel = await composeUseCases({ permissions: { roles } })
      expect((await told({ email: 'ada' }))[0]).to.equal('unauthenticated')
    }
  })
})
