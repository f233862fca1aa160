import { expect } from 'chai'
import { createCheckAccessToken } from '../../../src/application/identity/check-access-token.js'
import { checkRefreshTokens } from '../../../src/application/identity/check-refresh-tokens.js'
import type { Claims } from '../../../src/domain/identity/claims.js'
import type { SessionId } from '../../../src/domain/identity/session.js'
import type { TokenSigner, Verification } from '../../../src/ports/tokens.js'
import { AT, CLAIMS } from '../../support/logins.js'
import { wordsOf } from '../../support/refusal-of.js'

const REFRESH: Claims = { ...CLAIMS, kind: 'refresh', tokenId: 'pair.refresh' }
const OTHERS: Claims = { ...CLAIMS, sessionId: 'another' as SessionId }

function signer(judged: Verification): TokenSigner {
  return { currentKid: 'kid', sign: () => expect.fail(), verify: async () => judged }
}

describe('the tokens of a refresh request', () => {
  const check = async (judged: Verification, { access, at = AT }: { access?: Claims; at?: number } = {}) => {
    const checkAccess = createCheckAccessToken({
      tokens: signer({ kind: 'valid', claims: access ?? CLAIMS }),
      clock: () => AT,
    })
    const accessToken = access && (await checkAccess('access'))
    const parts = { tokens: signer(judged), clock: () => at }
    return await checkRefreshTokens(parts, { refreshToken: 'token', presented: { accessToken } })
  }
  const valid = { kind: 'valid', claims: REFRESH } as const

  it('return the claims of the refresh token, even alongside an expired access token of the same login', async () => {
    expect(await check(valid)).to.deep.equal({ claims: REFRESH, at: AT })
    const at = AT + 86_400_000
    expect(await check(valid, { access: CLAIMS, at })).to.deep.equal({ claims: REFRESH, at })
  })

  it('report why the refresh token is rejected', async () => {
    const words = 'invalid-token | InvalidToken: Invalid authentication token. | '
    expect(await wordsOf(check({ kind: 'invalid', detail: 'not signed' }))).to.equal(`${words}(not signed)`)
    expect(await wordsOf(check({ kind: 'expired', claims: REFRESH }))).to.equal(
      `${words}(the refresh token has expired)`,
    )
  })

  it('must include a refresh token, which is verified as a refresh token', async () => {
    const judgedAs: unknown[] = []
    const tokens: TokenSigner = {
      ...signer(valid),
      verify: async (...args) => {
        judgedAs.push(args)
        return valid
      },
    }
    const checking = (refreshToken: string | undefined) =>
      checkRefreshTokens({ tokens, clock: () => AT }, { refreshToken, presented: {} })
    for (const none of [undefined, ''])
      expect(await wordsOf(checking(none))).to.equal('invalid-token | refreshToken Required: required')
    await checking('token')
    expect(judgedAs).to.deep.equal([['refresh', 'token', AT]])
  })

  it('must belong to the same login; an expired access token is rejected before that check', async () => {
    expect(await wordsOf(check(valid, { access: OTHERS }))).to.match(
      /\(the access token and the refresh token belong to different sessions\)$/,
    )
    expect(await wordsOf(check(valid, { access: OTHERS, at: AT + 86_400_000 }))).to.match(
      /\(the access token has expired\)$/,
    )
  })
})
