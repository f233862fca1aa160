import { expect } from 'chai'
import { OPERATOR, type Caller } from '../../../../src/domain/access/caller.js'
import type { Account, AccountId } from '../../../../src/domain/identity/account.js'
import type { Claims } from '../../../../src/domain/identity/claims.js'
import type { SessionId } from '../../../../src/domain/identity/session.js'
import type { TokenSigner, Verification } from '../../../../src/ports/tokens.js'
import { createAuthorize } from '../../../../src/application/access/authorize.js'
import type { Issued } from '../../../../src/application/identity/issue.js'
import { createCheckAccessToken } from '../../../../src/application/identity/presented.js'
import { checkRefreshTokens } from '../../../../src/application/identity/refresh.js'
import type { RenewPair } from '../../../../src/application/identity/renew-login.js'
import { statelessOperations } from '../../../../src/application/index.js'
import {
  ACTOR,
  ADA,
  ADMIN,
  AT,
  BOSS,
  CARRIED,
  CLAIMED_ACTOR,
  CLAIMS,
  EDITOR,
  SESSION_ID,
} from '../../../support/logins.js'
import { wordsOf } from '../../../support/refusal-of.js'
import { composeUseCases, type Composed } from '../../../support/use-cases.js'

const email = 'ada@example.com'

describe('refresh in stateless mode', () => {
  let kennel: Composed
  let first: Issued

  beforeEach(async () => {
    kennel = await composeUseCases({ mode: 'stateless-revocable' })
    await kennel.account(email, ['editor'])
    first = await kennel.login(email)
  })

  const refresh = (refreshToken: unknown = first.refreshToken) =>
    kennel.useCases.refresh({ refreshToken, presented: {} })

  it('returns a new pair with the current roles, and repeats that pair within the grace window', async () => {
    await kennel.useCases.assignRole({ caller: OPERATOR, email, role: 'editor', remove: true })
    const one = await refresh()
    kennel.clock.now += 9_999
    const other = await refresh()
    expect([other.accessToken, other.refreshToken]).to.deep.equal([one.accessToken, one.refreshToken])
    expect(one).to.not.have.property('sessionKey')
    // Tokens contain the end time in whole seconds.
    expect(one.endsAt).to.equal(Math.floor(first.endsAt / 1000) * 1000)
    expect(one.identity).to.deep.include({ roles: [], sessionId: first.identity.sessionId })
  })

  it('returns a new pair for every call if revocations are disabled', async () => {
    const lax = await composeUseCases({ mode: 'stateless', store: kennel.store })
    const pairs = []
    for (const later of [0, 9_999, 86_400_000]) {
      lax.clock.now += later
      pairs.push(await lax.useCases.refresh({ refreshToken: first.refreshToken, presented: {} }))
    }
    expect(new Set(pairs.map(({ refreshToken }) => refreshToken)).size).to.equal(3)
    expect(await lax.audited()).to.deep.equal(await kennel.audited())
  })
})

describe('a refresh without sessions, with fakes', () => {
  const CARRIED_ON: Claims = { ...CLAIMS, kind: 'refresh', tokenId: 'pair.refresh' }
  type Renewal = Parameters<RenewPair>[0]

  /** Returns an authorized caller and the renewed login; stores nothing. */
  const judge = async ({
    claims = CARRIED_ON,
    account = ADA,
    at = AT,
    revoked = false,
    since = AT,
  }: {
    claims?: Claims
    account?: Account
    at?: number
    revoked?: boolean
    since?: number
  }) => {
    const callers: Caller[] = []
    const outcomes: string[] = []
    const renewals: Renewal[] = []
    const permissions = {
      decide: (caller: Caller) => {
        callers.push(caller)
        return { conditions: [] }
      },
    } as never
    const refresh = statelessOperations.refresh.factory({
      checkAccessToken: () => expect.fail(),
      authorize: createAuthorize(permissions),
      tokens: { currentKid: 'k', sign: () => expect.fail(), verify: async () => ({ kind: 'valid', claims }) },
      accounts: { find: async () => account } as never,
      secondFactors: {
        find: async (id: AccountId) =>
          id === (claims.actor?.accountId ?? account.id) ? { activeSince: since } : undefined,
      } as never,
      metrics: { refreshTried: (outcome: string) => outcomes.push(outcome) } as never,
      renewPair: async (renewal) => {
        renewals.push(renewal)
        return { endsAt: at } as Issued
      },
      refuseLapsed: () => Promise.resolve(),
      clock: () => at,
      revocations: { isRevoked: async () => revoked } as never,
      factorRoles: new Set([ADMIN.key]),
    })
    await refresh({ refreshToken: 'token', presented: {} })
    return { caller: callers[0], renewal: renewals[0], outcomes }
  }

  it('uses the account with its current roles, and does not change the login', async () => {
    const { caller, renewal, outcomes } = await judge({})
    expect(outcomes).to.deep.equal(['renewed'])
    expect(caller).to.deep.equal({
      kind: 'account',
      accountId: 1,
      email: 'ada@example.com',
      roles: [EDITOR],
      sessionId: SESSION_ID,
      epoch: 3,
      endsAt: AT + 3_600_000,
    })
    expect(renewal?.login).to.deep.equal({
      sessionId: SESSION_ID,
      endsAt: AT + 3_600_000,
      actor: undefined,
      factor: undefined,
      passkey: undefined,
      proved: undefined,
    })
  })

  it('keeps the second factor and the actor', async () => {
    const claims: Claims = { ...CARRIED_ON, login: { ...CARRIED, factor: AT }, actor: CLAIMED_ACTOR }
    const { caller, renewal } = await judge({ claims })
    expect(caller).to.deep.include({ actor: ACTOR, factor: true, roles: ADA.roles })
    expect(renewal?.login).to.deep.include({ actor: ACTOR, factor: AT })
  })

  it('keeps a second factor without an actor, and an actor without a second factor', async () => {
    const own = await judge({
      claims: { ...CARRIED_ON, login: { ...CARRIED, factor: AT } },
      account: { ...ADA, secondFactor: AT },
    })
    expect(own.caller).to.deep.include({ factor: true, roles: ADA.roles })
    const acting = await judge({ claims: { ...CARRIED_ON, actor: CLAIMED_ACTOR } })
    expect(acting.caller).to.deep.include({ actor: ACTOR, roles: [EDITOR] })
  })

  it('does not keep a second factor that was replaced', async () => {
    const claims: Claims = { ...CARRIED_ON, login: { ...CARRIED, factor: AT } }
    for (const since of [AT - 1, AT + 1, AT + 86_400_000]) {
      const { caller, renewal } = await judge({ claims, account: { ...ADA, secondFactor: AT }, since })
      expect(caller)
        .to.deep.include({ roles: [EDITOR] })
        .and.not.have.property('factor')
      expect(renewal?.login.factor).to.equal(undefined)
    }
  })

  it('is refused as soon as the login has ended', async () => {
    const end = AT + 3_600_000
    await judge({ at: end - 1 })
    expect(await wordsOf(judge({ at: end }))).to.match(/^invalid-token .*\(the login has ended\)$/)
  })

  it('is rejected if the account has changed or the login was revoked', async () => {
    for (const account of [
      { ...ADA, disabledAt: AT },
      { ...ADA, epoch: BOSS.epoch },
    ])
      expect(await wordsOf(judge({ account }))).to.match(
        /\(the account was removed or disabled, or its epoch has changed\)$/,
      )
    expect(await wordsOf(judge({ revoked: true }))).to.match(/\(the login was revoked\)$/)
  })
})

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

  it('are valid even if the access token of the same login has expired', async () => {
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
