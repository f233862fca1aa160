import { expect } from 'chai'
import type { TokenSigner } from '../../../../src/ports/tokens.js'
import { createKeyRing } from '../../../../src/adapters/keyring/index.js'
import { wordsOf } from '../../../support/refusal-of.js'
import { WORKPLACES, BENCHES } from '../../../support/tokens/benches.js'
import { base64url, eddsaBench } from '../../../support/tokens/forged-jwt.js'
import { pasetoBench } from '../../../support/tokens/forged-paseto.js'
import {
  claimsOf,
  ISSUED,
  NOW,
  openSigner,
  signedBy,
  actOf,
  actorOf,
  LONGEST,
  payloadOf,
  STATEFUL,
  STATELESS,
  detailOf,
  withPayload,
  type Bench,
  type Mode,
  type Ring,
} from '../../../support/tokens/token-bench.js'

const LEEWAY = 5
const CLOCK_LEEWAY = 30

/** Returns the time in milliseconds when the token is this many seconds old. */
function at(seconds: number): number {
  return (ISSUED + seconds) * 1000
}

const places = WORKPLACES.filter(({ mode }) => mode === STATELESS).flatMap((place) =>
  [0, 100].map((remembered) => ({ ...place, remembered })),
)

for (const { bench, mode, title, remembered } of places) {
  const access = claimsOf('access', mode)

  describe(`${title}, verifying its own tokens (cache size ${remembered})`, () => {
    let signer: TokenSigner
    beforeEach(async () => {
      signer = await openSigner(bench, { mode, remembered })
    })

    it('returns the same claims at different times, and rejects an access token as a refresh token and vice versa', async () => {
      const others = { access: 'refresh', refresh: 'access' } as const
      for (const kind of ['access', 'refresh'] as const) {
        const claims = claimsOf(kind, mode)
        const token = await signedBy(signer, claims)
        for (const time of [NOW, NOW + 1]) {
          const verification = await signer.verify(others[kind], token, time)
          expect(verification).to.deep.equal({ kind: 'invalid', detail: 'unexpected token type' })
          expect(await signer.verify(kind, token, time)).to.deep.equal({ kind: 'valid', claims })
        }
      }
    })

    it('accepts a token until the last millisecond of the leeway, and then returns its claims as expired', async () => {
      const token = await signedBy(signer, access)
      const end = at(900 + LEEWAY)
      // The token is valid again if the clock goes back, because only the given time matters.
      for (const time of [at(900), end - 1, end, end + 1, at(906), at(1e9), end - 1]) {
        const kind = time < end ? 'valid' : 'expired'
        expect(await signer.verify('access', token, time)).to.deep.equal({ kind, claims: access })
      }
    })

    it('rejects a token before nbf minus the leeway', async () => {
      const token = await signedBy(signer, access)
      const early = { kind: 'invalid', detail: 'not valid yet' }
      const first = await signer.verify('access', token, at(-CLOCK_LEEWAY))
      expect(first).to.deep.equal({ kind: 'valid', claims: access })
      expect(await signer.verify('access', token, at(-CLOCK_LEEWAY) - 1)).to.deep.equal(early)
      expect(await signer.verify('access', token, 0)).to.deep.equal(early)
    })

    it('rejects every token if the current time is not a number', async () => {
      const token = await signedBy(signer, access)
      const expected = { kind: 'invalid', detail: 'the current time is not a number' }
      expect(await signer.verify('access', token, Number.NaN)).to.deep.equal(expected)
    })

    it('uses the time that is passed in, not the system clock', async () => {
      for (const issuedAt of [1000, 250_000_000_000]) {
        const claims = { ...access, issuedAt, expiresAt: issuedAt + 900 }
        const verification = await signer.verify('access', await signedBy(signer, claims), issuedAt * 1000)
        expect(verification).to.deep.equal({ kind: 'valid', claims })
      }
    })
  })
}

for (const { bench, mode, title } of WORKPLACES) {
  const { key, oldKey } = bench
  const access = claimsOf('access', mode)

  describe(`${title}, signing`, () => {
    let signer: TokenSigner
    beforeEach(async () => {
      signer = await openSigner(bench, { mode })
    })

    for (const kind of ['access', 'refresh'] as const) {
      it(`writes exactly the specified ${kind} token, with the claims in a fixed order, with or without an actor`, async () => {
        const [claims, payload] = [claimsOf(kind, mode), payloadOf(bench, kind, mode)]
        for (const [one, members] of [
          [claims, payload],
          [
            { ...claims, actor: actorOf(mode) },
            { ...payload, act: actOf(mode) },
          ],
        ] as const) {
          const expected = bench.forge(bench.label(kind, key.kid), members, key)
          expect(await signer.sign(one, key.kid)).to.equal(expected)
          expect(await signer.verify(kind, expected, NOW)).to.deep.equal({ kind: 'valid', claims: one })
        }
      })
    }

    it('signs with the requested key of the ring, not with the current key', async () => {
      const ring = { keys: [oldKey, key], currentKid: oldKey.kid }
      const there = await openSigner(bench, { mode, ring })
      expect([signer.currentKid, there.currentKid]).to.deep.equal([key.kid, oldKey.kid])
      for (const one of [key, oldKey]) {
        const payload = payloadOf(bench, 'access', mode)
        const expected = bench.forge(bench.label('access', one.kid), payload, one)
        for (const each of [signer, there]) expect(await each.sign(access, one.kid)).to.equal(expected)
      }
      expect(await signer.sign(access, 'gone')).to.equal(undefined)
    })

    it('signs and accepts a token of exactly 8,192 characters, and refuses to sign a longer token', async () => {
      const { kid, sid, token } = tokenOfLength(LONGEST, bench, mode)
      const ring = { keys: [{ ...key, kid }], currentKid: kid }
      const here = await openSigner(bench, { mode, ring, remembered: 0 })
      const claims = { ...access, sessionId: sid as typeof access.sessionId }
      expect(await here.sign(claims, kid))
        .to.equal(token)
        .with.lengthOf(8192)
      expect(await here.verify('access', token, NOW)).to.deep.equal({ kind: 'valid', claims })
      const longer = { ...claims, sessionId: `${sid}x` as typeof access.sessionId }
      expect(await wordsOf(here.sign(longer, kid))).to.equal(
        'forbidden | Forbidden: This account has too many roles: ask the operator to remove some. | (the roles of the account do not fit into a token of 8192 characters: remove roles from the account)',
      )
    })
  })
}

/**
 * Creates a token of this length. Base64 text never has 4n + 1 characters, so some lengths are impossible with
 * some values of `kid`.
 */
function tokenOfLength(length: number, bench: Bench, mode: Mode) {
  const payload = payloadOf(bench, 'access', mode)
  for (const kid of ['k', 'kk', 'kkk']) {
    for (let sid = 'x'.repeat(5000), token = ''; token.length < length; sid += 'x') {
      token = bench.forge(bench.label('access', kid), { ...payload, sid }, bench.key)
      if (token.length === length) return { kid, sid, token }
    }
  }
  throw new Error(`no token of ${length} characters`)
}

const CURRENT = 'First-passphrase-of-these-tests-0001'
const PREVIOUS = 'Second-passphrase-of-these-tests-0002'

/** Creates the ring from the passphrases in the same way as the composition root. */
async function ringOfPassphrases({ name }: Bench, current = CURRENT, previous = [PREVIOUS]): Promise<Ring> {
  const ring = await createKeyRing({ current, previous }, name, { logN: 4 })
  const keys = ring.all.map(({ kid, tokenSecret }) => ({ kid, secret: tokenSecret }))
  return { keys, currentKid: ring.current.kid }
}

for (const bench of BENCHES) {
  describe(`a ${bench.name} token signed with a passphrase`, () => {
    it('stays valid while its passphrase is a previous passphrase, and is rejected once the passphrase is removed', async () => {
      const claims = claimsOf('refresh', STATEFUL)
      const before = await openSigner(bench, { ring: await ringOfPassphrases(bench, PREVIOUS, []) })
      const token = await signedBy(before, claims)
      const rotated = await openSigner(bench, { ring: await ringOfPassphrases(bench) })
      expect(await rotated.verify('refresh', token, NOW)).to.deep.equal({ kind: 'valid', claims })
      expect(rotated.currentKid).to.not.equal(before.currentKid)
      const gone = await openSigner(bench, { ring: await ringOfPassphrases(bench, CURRENT, []) })
      const verification = await gone.verify('refresh', token, NOW)
      expect(detailOf(verification)).to.equal('not signed with a key in this ring')
    })

    for (const other of BENCHES.filter((one) => one !== bench)) {
      it(`is invalid for a signer of ${other.name} with the same passphrases`, async () => {
        const signer = await openSigner(bench, { ring: await ringOfPassphrases(bench) })
        const there = await openSigner(other, { ring: await ringOfPassphrases(other) })
        for (const kind of ['access', 'refresh'] as const) {
          for (const { kid } of (await ringOfPassphrases(bench)).keys) {
            const token = await signedBy(signer, claimsOf(kind, STATEFUL), kid)
            expect((await there.verify(kind, token, NOW)).kind).to.equal('invalid')
          }
        }
      })
    }
  })
}

describe('the same Ed25519 key and kid in two formats', () => {
  const { key } = eddsaBench
  const ring = { keys: [key], currentKid: key.kid }
  const pair = [eddsaBench, pasetoBench] as const

  it('creates no signature that is valid in the other format', async () => {
    expect(pasetoBench.key).to.deep.equal(key)
    const payloads = pair.map((bench) => payloadOf(bench, 'access', STATEFUL))
    const [jwt, paseto] = pair.map((bench) => withPayload(bench, STATEFUL).split('.'))
    const ofPaseto = Buffer.from(paseto![2]!, 'base64url').subarray(-64)
    const inJwt = [jwt![0], jwt![1], base64url(ofPaseto)].join('.')
    const ofJwt = Buffer.from(jwt![2]!, 'base64url')
    const body = Buffer.concat([Buffer.from(JSON.stringify(payloads[1])), ofJwt])
    const inPaseto = ['v4', 'public', base64url(body), paseto![3]].join('.')
    const [jose, v4] = [await openSigner(eddsaBench, { ring }), await openSigner(pasetoBench, { ring })]
    expect(detailOf(await jose.verify('access', inJwt, NOW))).to.equal(eddsaBench.misfit)
    expect(detailOf(await v4.verify('access', inPaseto, NOW))).to.equal(pasetoBench.misfit)
  })
})
