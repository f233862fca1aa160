import { expect } from 'chai'
import { refusalOf } from '../../support/refusal-of.js'
import { composeUseCases, START, type Composed } from '../../support/use-cases.js'

describe('check access token', () => {
  let kennel: Composed
  let accessToken: string
  let refreshToken: string

  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.account('ada@example.com')
    ;({ accessToken, refreshToken } = await kennel.login('ada@example.com'))
  })

  const check = (token: string | undefined, options?: { expired: 'refused' | 'accepted' }) =>
    kennel.useCases.checkAccessToken(token, options)
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code

  it('passes one that is authentic, and no token at all', async () => {
    await check(accessToken)
    expect(await check(undefined)).to.equal(undefined)
  })

  it('refuses one that has expired, unless that is said', async () => {
    kennel.clock.now = START + 3_600_000
    expect(await codeOf(check(accessToken))).to.equal('invalid-token')
    expect(await codeOf(check(accessToken, { expired: 'refused' }))).to.equal('invalid-token')
    await check(accessToken, { expired: 'accepted' })
  })

  it('refuses what is no access token, however old it may be', async () => {
    for (const token of ['', 'no token', refreshToken, `${accessToken}a`])
      expect(await codeOf(check(token, { expired: 'accepted' })), token).to.equal('invalid-token')
  })
})
