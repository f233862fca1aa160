import { expect } from 'chai'
import { isAccessToken, isVerifiedBy } from '../../../src/application/identity/check-access-token.js'
import { checkRefreshTokens } from '../../../src/application/identity/check-refresh-tokens.js'
import { operations, statelessOperations } from '../../../src/application/index.js'
import { wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, START, type Composed } from '../../support/use-cases.js'

describe('checking an access token', () => {
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

  it('accepts an authentic token and a missing token', async () => {
    await check(accessToken)
    expect(await check(undefined)).to.equal(undefined)
  })

  it('rejects an expired token unless the caller accepts expired tokens', async () => {
    kennel.clock.now = START + 3_600_000
    for (const options of [undefined, { expired: 'refused' }] as const)
      expect(await wordsOf(check(accessToken, options))).to.match(
        /^invalid-token .*\(the access token has expired\)$/,
      )
    await check(accessToken, { expired: 'accepted' })
  })

  it('rejects invalid tokens and refresh tokens, even if expired tokens are accepted', async () => {
    for (const token of ['', 'no token', refreshToken, `${accessToken}a`])
      expect(await wordsOf(check(token, { expired: 'accepted' })), token)
        .to.match(/^invalid-token .*\(.+\)$/)
        .and.not.match(/expired/)
  })

  it('recognizes the tokens that it has checked, and the signer that verified them', async () => {
    const made = (await check(accessToken)) ?? expect.fail('there is no token')
    expect(isAccessToken(made)).to.equal(true)
    expect(made).to.be.frozen
    for (const other of [accessToken, null, undefined, {}, { claims: made.claims }, () => made])
      expect(isAccessToken(other)).to.equal(false)
    const { tokens } = kennel.credentials
    expect(isVerifiedBy(tokens, made)).to.equal(true)
    expect(isVerifiedBy({ ...tokens }, made)).to.equal(false)
  })

  it('returns the only objects that operations accept as checked tokens', async () => {
    const checked = await check(accessToken)
    const parts = { clock: () => START } as never
    const login = { email: 'ada@example.com', roles: [], epoch: 1, endsAt: START }
    const alike = { claims: { ...checked?.claims, login } }
    for (const unchecked of [null, alike, Object.create(checked ?? null) as unknown]) {
      const presented = { accessToken: unchecked as never }
      for (const answer of [
        statelessOperations.authenticate.factory(parts)(presented),
        statelessOperations.logout.factory(parts)(presented),
        operations.logout.factory(parts)(presented),
        checkRefreshTokens(parts, { refreshToken, presented }),
      ])
        expect(await wordsOf(answer)).to.match(/^invalid-token .*\(the access token was not checked\)$/)
    }
  })
})
