import { expect } from 'chai'
import type { Claims } from '../../../src/domain/identity/claims.js'
import type { Revocations, StatelessLogin } from '../../../src/ports/sessions.js'
import {
  actorIn,
  currentFactor,
  hasEnded,
  identityIn,
  lastMoment,
  tokenLogin,
} from '../../../src/application/identity/token-login.js'
import { TOKEN_LEEWAY } from '../../../src/application/identity/token-signer.js'
import { ACTOR, ADA, AT, BOSS, CARRIED, CLAIMED_ACTOR, CLAIMS, SESSION_ID } from '../../support/logins.js'
import { wordsOfCall } from '../../support/refusal-of.js'

const { login: _, ...BARE } = CLAIMS
const IMPERSONATION: Claims = { ...CLAIMS, actor: CLAIMED_ACTOR }

describe('the login in a token', () => {
  it('is required: a token without a login is rejected', async () => {
    expect(tokenLogin(CLAIMS)).to.equal(CARRIED)
    expect(await wordsOfCall(() => tokenLogin(BARE))).to.equal(
      'invalid-token | InvalidToken: Invalid authentication token. | (the token does not contain a login)',
    )
  })

  it('identifies the account, and returns the same frozen object for the same claims', () => {
    const claims = { ...CLAIMS }
    const identity = identityIn(claims)
    expect(identity).to.deep.equal({
      kind: 'account',
      accountId: 1,
      email: 'ada@example.com',
      roles: ADA.roles,
      sessionId: SESSION_ID,
      epoch: 3,
      endsAt: AT + 3_600_000,
    })
    expect(Object.isFrozen(identity)).to.equal(true)
    expect(identityIn(claims)).to.equal(identity)
  })

  it('contains the second factor and the actor', () => {
    const claims: Claims = { ...IMPERSONATION, login: { ...CARRIED, factor: AT } }
    expect(identityIn(claims)).to.deep.equal({
      ...identityIn(CLAIMS),
      factor: true,
      factorSince: AT,
      actor: ACTOR,
    })
  })

  it('has either no actor or an actor that has a login', async () => {
    expect(actorIn(CLAIMS)).to.equal(undefined)
    expect(actorIn(IMPERSONATION)).to.deep.equal(ACTOR)
    const { login: _login, ...actor } = CLAIMED_ACTOR
    expect(await wordsOfCall(() => actorIn({ ...CLAIMS, actor }))).to.match(
      /\(the token does not contain the login of the actor\)$/,
    )
  })

  it('may appear in a valid token until the leeway after its end has passed', () => {
    expect(lastMoment(AT)).to.equal(AT + TOKEN_LEEWAY)
  })
})

describe('checking whether a stateless login has ended', () => {
  const asked: StatelessLogin[] = []
  const revoking = (revoked: number): Revocations => ({
    isRevoked: async (login, at) => {
      expect(at).to.equal(AT)
      asked.push(login)
      return login.accountId === revoked
    },
    rotate: () => expect.fail(),
    revoke: () => expect.fail(),
    purge: () => expect.fail(),
  })
  beforeEach(() => asked.splice(0))

  const own = { sessionId: SESSION_ID, accountId: ADA.id, epoch: ADA.epoch }
  const actors = { sessionId: SESSION_ID, accountId: BOSS.id, epoch: BOSS.epoch }

  it('checks the account, and checks an actor only during an impersonation', async () => {
    expect(await hasEnded(revoking(1), IMPERSONATION, AT)).to.equal(true)
    expect(asked).to.deep.equal([own])
    expect(await hasEnded(revoking(2), CLAIMS, AT)).to.equal(false)
    expect(asked).to.deep.equal([own, own])
  })

  it('also checks the account of the actor', async () => {
    expect(await hasEnded(revoking(2), IMPERSONATION, AT)).to.equal(true)
    expect(asked).to.deep.equal([own, actors])
    expect(await hasEnded(revoking(3), IMPERSONATION, AT)).to.equal(false)
  })
})

describe('the second factor of a login', () => {
  const current = (proved: number | undefined, activeSince?: number) => {
    const find = async (id: number) => (id === ADA.id ? { begunAt: AT, activeSince } : undefined)
    return currentFactor({ secondFactors: { find } as never }, ADA.id, proved)
  }

  it('is valid while the factor is active', async () => {
    for (const since of [AT, AT - 1, 1]) expect(await current(since, since)).to.equal(since)
  })

  it('is invalid once the factor is removed or replaced', async () => {
    for (const since of [undefined, AT - 1, AT + 1, AT + 86_400_000])
      expect(await current(AT, since)).to.equal(undefined)
  })

  it('is absent for a login without a factor, or if second factors are not available', async () => {
    expect(await current(undefined, AT)).to.equal(undefined)
    expect(await currentFactor({}, ADA.id, AT)).to.equal(undefined)
  })
})
