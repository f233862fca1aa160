import { expect } from 'chai'
import { createIssue, pairOf } from '../../../src/application/identity/issue.js'
import type { Claims } from '../../../src/domain/identity/claims.js'
import {
  rememberedId,
  type KeyDigest,
  type PairId,
  type Session,
  type SessionKey,
} from '../../../src/domain/identity/session.js'
import { ACTOR, ADA, AT, CLAIMS, SECONDS, SESSION_ID } from '../../support/logins.js'
import { wordsOf } from '../../support/refusal-of.js'

const KEY = 'key' as SessionKey
const SESSION: Session = {
  id: SESSION_ID,
  accountId: ADA.id,
  epoch: ADA.epoch,
  createdAt: AT,
  endsAt: AT + 3_600_000,
  current: {
    number: 1,
    pairId: 'pair' as PairId,
    kid: 'kid',
    issuedAt: AT + 999,
    keyDigest: 'digest' as KeyDigest,
    idleEndsAt: AT + 3_600_000,
  },
}
const LIFETIMES = { accessToken: 900_000, refreshToken: 86_400_000, session: 1, refreshGrace: 1 }

describe('the pair ID of a token', () => {
  it("is part of each token's ID", () => {
    expect(pairOf(CLAIMS)).to.equal('pair-1')
    expect(pairOf({ ...CLAIMS, kind: 'refresh', tokenId: 'a.b.refresh' })).to.equal('a.b')
  })
})

describe('the token pair of a session generation', () => {
  const issuing = (unsigned: readonly string[] = [], rememberLogin?: boolean) =>
    createIssue({
      tokens: {
        currentKid: 'other',
        sign: async (claims, kid) =>
          unsigned.includes(claims.kind) ? undefined : JSON.stringify({ kid, claims }),
        verify: () => expect.fail(),
      },
      lifetimes: LIFETIMES,
      rememberLogin,
    })
  const read = (token: string) => JSON.parse(token) as { kid: string; claims: Claims }

  it('contains the session ID, and each token expires after its lifetime or with the session', async () => {
    const { accessToken, refreshToken, ...issued } = await issuing()({ session: SESSION, account: ADA }, KEY)
    const common = { subject: 1, sessionId: SESSION_ID, issuedAt: SECONDS }
    expect(read(accessToken)).to.deep.equal({
      kid: 'kid',
      claims: { ...common, kind: 'access', tokenId: 'pair.access', expiresAt: SECONDS + 900 },
    })
    expect(read(refreshToken)).to.deep.equal({
      kid: 'kid',
      claims: { ...common, kind: 'refresh', tokenId: 'pair.refresh', expiresAt: SECONDS + 3600 },
    })
    expect(issued.sessionKey).to.equal(KEY)
    expect(issued.endsAt).to.equal(SESSION.endsAt)
  })

  it('contains the actor', async () => {
    const { accessToken, identity } = await issuing()(
      { session: { ...SESSION, actor: ACTOR }, account: ADA },
      KEY,
    )
    expect(read(accessToken).claims.actor).to.deep.equal({ accountId: 2, email: 'boss@example.com' })
    expect(identity.actor).to.deep.equal(ACTOR)
  })

  it('is valid for one second if the pair is signed in the last second of the session', async () => {
    const { accessToken } = await issuing()({ session: { ...SESSION, endsAt: AT + 999 }, account: ADA }, KEY)
    expect(read(accessToken).claims.expiresAt).to.equal(SECONDS + 1)
  })

  it('has a cookie that lasts as long as the session only if the settings allow this and the login requested it', async () => {
    const maxAgeOf = async (session: Session, allowed?: boolean) =>
      (await issuing([], allowed)({ session, account: ADA }, KEY)).cookieMaxAge
    const remembered = { ...SESSION, id: rememberedId(SESSION_ID) }
    const later = { ...remembered, current: { ...SESSION.current, issuedAt: AT + 3_599_999 } }
    expect(await maxAgeOf(remembered, true)).to.equal(3_600)
    expect(await maxAgeOf({ ...remembered, endsAt: AT + 86_400_999 }, true)).to.equal(86_400)
    expect(await maxAgeOf(later, true)).to.equal(1)
    for (const [session, allowed] of [
      [SESSION, true],
      [remembered, false],
      [remembered, undefined],
    ] as const)
      expect(await maxAgeOf(session, allowed)).to.equal(undefined)
  })

  it('is refused if the signing key is no longer in the key ring', async () => {
    for (const kind of ['access', 'refresh'])
      expect(await wordsOf(issuing([kind])({ session: SESSION, account: ADA }, KEY))).to.match(
        /^invalid-token .*\(the signing key of this generation is no longer in the key ring\)$/,
      )
  })
})
