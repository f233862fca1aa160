import { createPrivateKey } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import { SignJWT, type CryptoKey, type KeyObject } from 'jose'
import { createJoseFormat } from '../../../../src/adapters/jose/index.js'
import { createTokenSigner } from '../../../../src/application/identity/token-signer.js'
import type { RoleKey } from '../../../../src/domain/access/role.js'
import { writeClaimSet } from '../../../../src/domain/identity/claim-set.js'
import type { AccountId, Epoch } from '../../../../src/domain/identity/account.js'
import type { CarriedLogin, ClaimedActor, Claims, TokenKind } from '../../../../src/domain/identity/claims.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import type { JsonObject } from '../../../../src/domain/identity/json-object.js'
import type { SessionId } from '../../../../src/domain/identity/session.js'
import { ed25519Key } from '../../../support/tokens/ed25519.js'

const TYPES = { access: 'at+jwt', refresh: 'rt+jwt' } as const

type Algorithm = 'HS512' | 'EdDSA'
type SigningKey = CryptoKey | KeyObject | Uint8Array

/** The token of jose for a claim set. */
async function byJose(
  algorithm: Algorithm,
  key: SigningKey,
  { kind, kid, claimSet }: { readonly kind: TokenKind; readonly kid: string; readonly claimSet: JsonObject },
): Promise<string> {
  const header = { alg: algorithm, typ: TYPES[kind], kid }
  return await new SignJWT(claimSet).setProtectedHeader(header).sign(key)
}

/** Any text, including halves of surrogate pairs, quotes, control characters and letters outside ASCII. */
const anyText = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }))
const anyWideText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 30 })
  .map((units) => String.fromCharCode(...units))
const text = fc.oneof(anyText, anyWideText)
const seconds = fc.nat({ max: 2 ** 40 })
const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const kid = text
const hmacSecret = fc.uint8Array({ minLength: 64, maxLength: 200 })

const tokenLogin: fc.Arbitrary<CarriedLogin> = fc.record({
  email: text.map((one) => one as Email),
  roles: fc.array(fc.record({ uuid: text, key: text.map((one) => one as RoleKey), label: text }), {
    maxLength: 5,
  }),
  epoch: id.map((one) => one as Epoch),
  endsAt: seconds,
})

const actorsLogin = fc.record({ epoch: id.map((one) => one as Epoch), endsAt: seconds })

const claimedActor: fc.Arbitrary<ClaimedActor> = fc
  .record({ accountId: id, email: text, login: fc.option(actorsLogin, { nil: undefined }) })
  .map(({ accountId, email, login }) => ({
    accountId: accountId as AccountId,
    email: email as Email,
    ...(login && { login }),
  }))

const claims: fc.Arbitrary<Claims> = fc
  .record({
    kind: fc.constantFrom<TokenKind>('access', 'refresh'),
    subject: id,
    sessionId: text,
    tokenId: text,
    issuedAt: seconds,
    lifetime: fc.nat({ max: 2 ** 33 }),
    login: fc.option(tokenLogin, { nil: undefined }),
    actor: fc.option(claimedActor, { nil: undefined }),
  })
  .map(({ subject, sessionId, issuedAt, lifetime, login, actor, ...rest }) => ({
    ...rest,
    subject: subject as AccountId,
    sessionId: sessionId as SessionId,
    issuedAt,
    expiresAt: issuedAt + lifetime,
    ...(login && { login }),
    ...(actor && { actor }),
  }))

describe('the bytes of a JWT', () => {
  it("equal the bytes of jose's SignJWT for all claims, issuers, key IDs and secrets with HS512", async () => {
    await fc.assert(
      fc.asyncProperty(claims, text, kid, hmacSecret, async (one, issuer, name, secret) => {
        const format = await createJoseFormat({
          algorithm: 'HS512',
          keys: [{ kid: name, secret }],
          currentKid: name,
        })
        const claimSet = writeClaimSet(one, issuer)
        const expected = await byJose('HS512', secret, { kind: one.kind, kid: name, claimSet })
        expect(await format.seal(one.kind, claimSet, name)).to.equal(expected)
      }),
      { numRuns: 500 },
    )
  })

  it('equal the bytes of jose for any claim set of JSON', async () => {
    const secret = new Uint8Array(64).fill(7)
    const keys = [{ kid: 'kid', secret }]
    const format = await createJoseFormat({ algorithm: 'HS512', keys, currentKid: 'kid' })
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(text, fc.jsonValue()),
        fc.constantFrom<TokenKind>('access', 'refresh'),
        async (claimSet, kind) => {
          const expected = await byJose('HS512', secret, { kind, kid: 'kid', claimSet })
          expect(await format.seal(kind, claimSet, 'kid')).to.equal(expected)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('equal the bytes of jose for the signer of EdDSA, with every key of the ring', async () => {
    const keys = [ed25519Key('one', 1), ed25519Key('two', 2)]
    const format = await createJoseFormat({ algorithm: 'EdDSA', keys, currentKid: 'one' })
    const issuer = 'https://kennel.example'
    const lifetimes = { accessToken: 900_000, refreshToken: 604_800_000 }
    const signer = createTokenSigner({ format, issuer, lifetimes, stateless: false })
    await fc.assert(
      fc.asyncProperty(claims, fc.constantFrom(...keys), async (one, { kid: name, secret }) => {
        const key = createPrivateKey({ key: Buffer.from(secret), format: 'der', type: 'pkcs8' })
        const claimSet = writeClaimSet(one, issuer)
        const expected = await byJose('EdDSA', key, { kind: one.kind, kid: name, claimSet })
        fc.pre(expected.length <= 8192)
        expect(await signer.sign(one, name)).to.equal(expected)
      }),
      { numRuns: 200 },
    )
  })
})
