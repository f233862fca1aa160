import { expect } from 'chai'
import fc from 'fast-check'
import type { AccountId } from '../../../../src/domain/identity/account.js'
import {
  ownClaims,
  readClaimSet,
  writeClaimSet,
  type Requirements,
} from '../../../../src/domain/identity/claim-set.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import type { Claims } from '../../../../src/domain/identity/claims.js'
import { actorOf, claimsOf, MODES } from '../../../support/tokens/token-bench.js'
import type { SessionId } from '../../../../src/domain/identity/session.js'

const ISSUER = 'https://kennel.example'
const NUMBERS = [0, -1, 1, 2, 60, 61, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY]
const number = fc.oneof(fc.constantFrom(...NUMBERS), fc.integer({ min: -5, max: 200 }))
const name = fc.constantFrom('', 'a')

const CLAIMS: fc.Arbitrary<Claims> = fc.record({
  kind: fc.constantFrom('access', 'refresh'),
  subject: number.map((id) => id as AccountId),
  sessionId: name.map((id) => id as SessionId),
  tokenId: name,
  issuedAt: number,
  expiresAt: number,
})

function read(claims: Claims, expected: Requirements): Claims | undefined {
  try {
    return readClaimSet(writeClaimSet(claims, ISSUER), expected)
  } catch {
    return undefined
  }
}

describe('claims that this process has just signed', () => {
  it('are accepted if and only if the token would be accepted when read', () => {
    let taken = 0
    fc.assert(
      fc.property(CLAIMS, fc.constantFrom(500, 60_000, 60_001), (claims, lifetime) => {
        const expected = { kind: claims.kind, issuer: ISSUER, lifetime, stateless: false }
        const own = ownClaims(claims, writeClaimSet(claims, ISSUER), expected)
        expect(own).to.deep.equal(read(claims, expected))
        if (own) taken += 1
      }),
      { numRuns: 20_000 },
    )
    expect(taken).to.be.greaterThan(100)
  })

  for (const mode of MODES) {
    const stateless = mode.login !== undefined
    const expected = { kind: 'access', issuer: ISSUER, lifetime: 900_000, stateless } as const
    const own = (claims: Claims) => ownClaims(claims, writeClaimSet(claims, ISSUER), expected)

    it(`are accepted with their login and actor unless the login or the actor is invalid (${mode.name})`, () => {
      const claims = claimsOf('access', mode)
      const actor = actorOf(mode)
      for (const one of [claims, { ...claims, actor }]) expect(own(one)).to.deep.equal(one)
      expect(own({ ...claims, actor: { ...actor, email: '' as Email } })).to.equal(undefined)
      expect(own({ ...claims, sessionId: '' as SessionId, actor })).to.equal(undefined)
    })

    it(`are rejected if they have the form of the other mode (${mode.name})`, () => {
      for (const other of MODES.filter((one) => one !== mode)) {
        const claims = claimsOf('access', other)
        expect(own(claims)).to.equal(undefined)
        expect(own({ ...claims, actor: actorOf(other) })).to.equal(undefined)
        expect(own({ ...claims, actor: actorOf(mode) })).to.equal(undefined)
      }
    })
  }

  it('cannot be changed afterwards by the caller that requested the signature', () => {
    const claims = {
      kind: 'access',
      subject: 1,
      sessionId: 's',
      tokenId: 't',
      issuedAt: 1,
      expiresAt: 2,
    } as Claims
    const expected = { kind: 'access', issuer: ISSUER, lifetime: 60_000, stateless: false } as const
    const own = ownClaims(claims, writeClaimSet(claims, ISSUER), expected)
    expect(own).to.deep.equal(claims)
    expect(own === claims).to.equal(false)
    expect(Object.isFrozen(own)).to.equal(true)
  })
})
