import { expect } from 'chai'
import { ANONYMOUS } from '../../../src/domain/access/caller.js'
import type { Claims } from '../../../src/domain/identity/claims.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { LoginRotation, LoginRotationRequest } from '../../../src/domain/identity/rotation.js'
import type { Actor } from '../../../src/domain/identity/session.js'
import { tooManyRoles } from '../../../src/domain/refusal.js'
import type { Issued } from '../../../src/application/identity/issue.js'
import { createRotatePair } from '../../../src/application/identity/renew-login.js'
import { TOKEN_LEEWAY } from '../../../src/application/identity/token-signer.js'
import { ACTOR, ADA, AT, CLAIMS, SESSION_ID } from '../../support/logins.js'
import { permitting } from '../../support/permissions.js'
import { codeOf, wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, presentedBy } from '../../support/use-cases.js'
import { CLIENT, fakedParts, type FakedParts } from './faked-parts.js'

const ADDRESS = 'ada@example.com'
const permissions = permitting({
  user: { components: { auth: ['confirm', { 'export-account': { fresh: 60_000 } }] } },
})

describe('confirming a login that has a session', () => {
  it('returns the same new pair to concurrent calls with the same credentials', async () => {
    const kennel = await composeUseCases({ mode: 'stateful', permissions })
    await kennel.account(ADDRESS)
    const presented = presentedBy(await kennel.login(ADDRESS))
    const call = () => kennel.useCases.confirmLogin({ password: PASSWORD, presented })
    const all = await Promise.all(Array.from({ length: 16 }, call))
    expect(new Set(all.map(({ accessToken }) => accessToken)).size).to.equal(1)
    expect(new Set(all.map(({ sessionKey }) => sessionKey)).size).to.equal(1)
  })

  it('returns a new pair for each confirmation, even if the clock of another process was ahead', async () => {
    const kennel = await composeUseCases({ mode: 'stateful', permissions })
    await kennel.account(ADDRESS)
    const confirm = (issued: Issued) =>
      kennel.useCases.confirmLogin({ password: PASSWORD, presented: presentedBy(issued) })
    const login = await kennel.login(ADDRESS)
    kennel.clock.now += 20_000
    const ahead = await confirm(login)
    kennel.clock.now -= 20_000
    expect((await confirm(ahead)).sessionKey).to.not.equal(ahead.sessionKey)
  })

  it('is refused if the password is changed while the old password is verified', async () => {
    let onVerified = async () => {}
    const kennel = await composeUseCases({
      mode: 'stateful',
      permissions,
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: async (...args) => {
          const isRight = await hasher.verify(...args)
          await onVerified()
          return isRight
        },
      }),
    })
    await kennel.account(ADDRESS)
    const presented = presentedBy(await kennel.login(ADDRESS))
    onVerified = async () => {
      onVerified = async () => {}
      const account = await kennel.store.accounts.findByEmail(ADDRESS as Email)
      if (account) await kennel.store.accounts.setPassword(account.id, account.passwordHash as never)
    }
    expect(await codeOf(kennel.useCases.confirmLogin({ password: PASSWORD, presented }))).to.equal(
      'invalid-token',
    )
  })
})

describe('confirming a login in stateless mode', () => {
  it('replaces the previous tokens, and only one of several concurrent calls gets the new tokens', async () => {
    const kennel = await composeUseCases({ mode: 'stateless-revocable', permissions })
    await kennel.account(ADDRESS)
    const { accessToken, refreshToken } = await kennel.login(ADDRESS)
    const presented = { accessToken }
    const confirm = () => kennel.useCases.confirmLogin({ password: PASSWORD, presented })
    const answers = await Promise.allSettled(Array.from({ length: 16 }, confirm))
    expect(answers.filter(({ status }) => status === 'fulfilled')).to.have.lengthOf(1)
    expect(await codeOf(kennel.useCases.getIdentity(presented))).to.equal('invalid-token')
    expect(await codeOf(kennel.useCases.refresh({ refreshToken, presented: {} }))).to.equal('invalid-token')
  })
})

const LIFETIMES = { accessToken: 900_000, refreshToken: 86_400_000, session: 1, refreshGrace: 7 }
const REFRESH: Claims = { ...CLAIMS, kind: 'refresh', tokenId: 'pair-1.refresh' }
const ENDS_AT = AT + 3_600_000

describe('the next token pair of a login', () => {
  let requests: LoginRotationRequest[]
  let faked: FakedParts
  beforeEach(() => {
    requests = []
    faked = fakedParts()
  })

  const renew = async (
    rotation: LoginRotation,
    { actor, told = true, fits = true }: { actor?: Actor; told?: boolean; fits?: boolean } = {},
  ) => {
    const renewPair = createRotatePair({
      tokens: {
        currentKid: 'key',
        sign: async (claims, kid) => {
          if (!fits) throw tooManyRoles('too long')
          return `${claims.tokenId} ${kid}`
        },
        verify: () => expect.fail(),
      },
      lifetimes: LIFETIMES,
      randomness: { base64url: () => 'pair-2', uuid: () => expect.fail() },
      revocations: {
        rotate: async (request) => {
          requests.push(request)
          return rotation
        },
        isRevoked: () => expect.fail(),
        revoke: () => expect.fail(),
        purge: () => expect.fail(),
      },
      audit: faked.parts.audit,
      ...(told && { notices: faked.parts.notices }),
    })
    const login = { sessionId: SESSION_ID, endsAt: ENDS_AT, actor }
    return await renewPair({ account: ADA, login, claims: REFRESH, client: CLIENT, at: AT })
  }

  it('is the pair that the rotation returns', async () => {
    const current = { pairId: 'pair-9', kid: 'other', issuedAt: AT } as LoginRotationRequest['next']
    const pairs = { current, previous: { pairId: current.pairId, until: AT } }
    const { refreshToken } = await renew({ kind: 'superseded', pairs })
    expect(refreshToken).to.equal('pair-9.refresh other')
    expect(requests).to.deep.equal([
      {
        sessionId: SESSION_ID,
        from: 'pair-1',
        next: { pairId: 'pair-2', kid: 'key', issuedAt: AT },
        at: AT,
        grace: 7,
        until: ENDS_AT + TOKEN_LEEWAY,
      },
    ])
    expect(faked.entries).to.deep.equal([])
  })

  it('is refused before the rotation if the roles do not fit into a token, so the refresh token stays usable', async () => {
    expect(await wordsOf(renew({ kind: 'replayed' }, { fits: false }))).to.match(/^forbidden .*\(too long\)$/)
    expect([...requests, ...faked.entries]).to.deep.equal([])
  })

  it('is refused if a token is reused; this is audited, and the account is notified', async () => {
    expect(await wordsOf(renew({ kind: 'replayed' }))).to.match(/^invalid-token .* \(refresh: replayed\)$/)
    const subject = ADA.id
    expect(faked.entries).to.deep.equal([
      { event: 'refresh.reuse', caller: ANONYMOUS, outcome: 'failure', subject, client: CLIENT },
    ])
    expect(faked.notices).to.deep.equal([['refresh-reuse', { email: 'ada@example.com', client: CLIENT }]])
  })

  it('is refused if a token is reused during an impersonation, and the actor is notified', async () => {
    await wordsOf(renew({ kind: 'replayed' }, { actor: ACTOR }))
    expect(faked.notices).to.deep.equal([['refresh-reuse', { email: 'boss@example.com', client: CLIENT }]])
  })

  it('is refused if a token is reused, even if notices are disabled', async () => {
    expect(await wordsOf(renew({ kind: 'replayed' }, { told: false }))).to.match(/\(refresh: replayed\)$/)
  })

  it('is refused for a revoked login, without an audit record', async () => {
    expect(await wordsOf(renew({ kind: 'revoked' }))).to.match(/\(refresh: revoked\)$/)
    expect([...faked.entries, ...faked.notices]).to.deep.equal([])
  })
})
