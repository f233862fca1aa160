import { expect } from 'chai'
import type { RoleKey } from '../../../src/domain/access/role.js'
import type { Claims } from '../../../src/domain/identity/claims.js'
import {
  rememberedId,
  type KeyDigest,
  type PairId,
  type Session,
  type SessionKey,
} from '../../../src/domain/identity/session.js'
import { tooManyRoles } from '../../../src/domain/refusal.js'
import { SILENT_LOG, type Log } from '../../../src/ports/log.js'
import type { TokenSigner } from '../../../src/ports/tokens.js'
import { createIssue, createSignPair } from '../../../src/application/identity/issue.js'
import {
  ACTOR,
  ADA,
  AT,
  SECONDS,
  SESSION_ID,
  ADMIN,
  CARRIED,
  CLAIMED_ACTOR,
  EDITOR,
} from '../../support/logins.js'
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

describe('the token pair of a stored session', () => {
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

const PAIR_LIFETIMES = { accessToken: 900_999, refreshToken: 86_400_000, session: 1, refreshGrace: 1 }
const ENDS_AT = AT + 3_600_000
const PAIR = { pairId: 'pair' as PairId, kid: 'key', issuedAt: AT + 999 }
const factorRoles: ReadonlySet<RoleKey> = new Set([ADMIN.key])

/** Signs readable tokens that contain the key ID and the claims. */
const readable = (keys = ['key']): TokenSigner => ({
  currentKid: 'key',
  sign: async (claims, kid) => (keys.includes(kid) ? JSON.stringify({ kid, claims }) : undefined),
  verify: () => expect.fail(),
})
const read = (token: string) => JSON.parse(token) as { kid: string; claims: Claims }
const signPair = createSignPair({ tokens: readable(), lifetimes: PAIR_LIFETIMES, factorRoles })
const LOGIN = { sessionId: SESSION_ID, endsAt: ENDS_AT }

describe('the token pair of a stateless login', () => {
  it('contains the login, and each token expires after its lifetime or with the login', async () => {
    const { accessToken, refreshToken, ...issued } = await signPair(ADA, LOGIN, PAIR)
    const common = {
      subject: 1,
      sessionId: SESSION_ID,
      issuedAt: SECONDS,
      login: { ...CARRIED, roles: [EDITOR] },
    }
    expect(read(accessToken)).to.deep.equal({
      kid: 'key',
      claims: { ...common, kind: 'access', tokenId: 'pair.access', expiresAt: SECONDS + 900 },
    })
    expect(read(refreshToken)).to.deep.equal({
      kid: 'key',
      claims: { ...common, kind: 'refresh', tokenId: 'pair.refresh', expiresAt: SECONDS + 3600 },
    })
    const { id: accountId, email, epoch } = ADA
    const identity = { kind: 'account', accountId, email, epoch, roles: [EDITOR], ...LOGIN }
    expect(issued).to.deep.equal({ identity, endsAt: ENDS_AT })
  })

  it('contains the second factor and all roles only while the factor is active on the account', async () => {
    const login = { ...LOGIN, factor: AT } as const
    const withFactor = await signPair({ ...ADA, secondFactor: AT }, login, PAIR)
    expect(read(withFactor.accessToken).claims.login).to.deep.equal({ ...CARRIED, factor: AT })
    expect(withFactor.identity).to.include({ factor: true, roles: ADA.roles })
    const removed = await signPair(ADA, login, PAIR)
    expect(read(removed.accessToken).claims.login).to.deep.equal({ ...CARRIED, roles: [EDITOR] })
    expect(removed.identity).to.not.have.property('factor')
  })

  it("contains the actor and the time of the actor's second factor", async () => {
    const login = { ...LOGIN, actor: ACTOR, factor: AT } as const
    const { accessToken, identity } = await signPair(ADA, login, PAIR)
    const { claims } = read(accessToken)
    expect(claims.actor).to.deep.equal(CLAIMED_ACTOR)
    expect(claims.login).to.deep.equal({ ...CARRIED, factor: AT })
    expect(identity.actor).to.deep.equal(ACTOR)
    expect(identity.factor).to.equal(true)
  })

  it('is valid for one second if the pair is signed in the last second of the login', async () => {
    const { accessToken } = await signPair(ADA, { ...LOGIN, endsAt: AT + 999 }, PAIR)
    expect(read(accessToken).claims.expiresAt).to.equal(SECONDS + 1)
  })

  it('is refused if the signing key is no longer in the key ring', async () => {
    const without = createSignPair({ tokens: readable([]), lifetimes: PAIR_LIFETIMES })
    expect(await wordsOf(without(ADA, LOGIN, PAIR))).to.match(
      /^invalid-token .* \(the signing key of this pair is no longer in the key ring\)$/,
    )
  })

  it('is not issued if the roles do not fit into a token, and the log names the account once', async () => {
    const lines: unknown[] = []
    const log: Log = { ...SILENT_LOG, warn: (...line) => lines.push(line) }
    const tokens = { ...readable(), sign: () => Promise.reject(tooManyRoles('take roles away')) }
    const without = createSignPair({ tokens, lifetimes: PAIR_LIFETIMES, log })
    expect(await wordsOf(without(ADA, LOGIN, PAIR))).to.match(/^forbidden .* \(take roles away\)$/)
    expect(lines).to.deep.equal([['login refused', { accountId: ADA.id, detail: 'take roles away' }]])
  })
})
