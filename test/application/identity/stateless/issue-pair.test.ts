import { expect } from 'chai'
import { createIssuePair, createSignPair } from '../../../../src/application/identity/stateless/issue-pair.js'
import type { RoleKey } from '../../../../src/domain/access/role.js'
import type { Claims } from '../../../../src/domain/identity/claims.js'
import type { PairId } from '../../../../src/domain/identity/session.js'
import { tooManyRoles } from '../../../../src/domain/refusal.js'
import { SILENT_LOG, type Log } from '../../../../src/ports/log.js'
import type { TokenSigner } from '../../../../src/ports/tokens.js'
import {
  ACTOR,
  ADA,
  ADMIN,
  AT,
  CARRIED,
  CLAIMED_ACTOR,
  EDITOR,
  SECONDS,
  SESSION_ID,
} from '../../../support/logins.js'
import { wordsOf } from '../../../support/refusal-of.js'

const LIFETIMES = { accessToken: 900_999, refreshToken: 86_400_000, session: 1, refreshGrace: 1 }
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
const signPair = createSignPair({ tokens: readable(), lifetimes: LIFETIMES, factorRoles })
const LOGIN = { sessionId: SESSION_ID, endsAt: ENDS_AT }

describe('a token pair', () => {
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

  it("contains the actor, and uses the actor's second factor", async () => {
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
    const without = createSignPair({ tokens: readable([]), lifetimes: LIFETIMES })
    expect(await wordsOf(without(ADA, LOGIN, PAIR))).to.match(
      /^invalid-token .* \(the signing key of this pair is no longer in the key ring\)$/,
    )
  })

  it('is refused if the roles do not fit into a token, and the log names the account once', async () => {
    const lines: unknown[] = []
    const log: Log = { ...SILENT_LOG, warn: (...line) => lines.push(line) }
    const tokens = { ...readable(), sign: () => Promise.reject(tooManyRoles('take roles away')) }
    const without = createSignPair({ tokens, lifetimes: LIFETIMES, log })
    expect(await wordsOf(without(ADA, LOGIN, PAIR))).to.match(/^forbidden .* \(take roles away\)$/)
    expect(lines).to.deep.equal([['login refused', { accountId: ADA.id, detail: 'take roles away' }]])
  })

  it('uses the current key and the current time for a new pair', async () => {
    const randomness = { base64url: (bytes: number) => `random-${bytes}`, uuid: () => expect.fail() }
    const issuePair = createIssuePair({ tokens: readable(), lifetimes: LIFETIMES, randomness })
    const { kid, claims } = read((await issuePair(ADA, LOGIN, AT)).accessToken)
    expect([kid, claims.tokenId, claims.issuedAt]).to.deep.equal(['key', 'random-16.access', SECONDS])
  })
})
