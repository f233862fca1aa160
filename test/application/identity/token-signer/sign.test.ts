import { expect } from 'chai'
import type { TokenSigner } from '../../../../src/ports/token-signer.js'
import { WORKPLACES } from '../../../support/tokens/benches.js'
import {
  claimsOf,
  ISSUED,
  LONGEST,
  NOW,
  openSigner,
  payloadOf,
  ringOf,
  signedBy,
  STATEFUL,
  STATELESS,
  withPayload,
  type Bench,
  type Mode,
} from '../../../support/tokens/token-bench.js'

for (const { bench, mode, title } of WORKPLACES) {
  const { key, oldKey } = bench
  const access = claimsOf('access', mode)

  describe(`${title}, signing`, () => {
    let signer: TokenSigner
    beforeEach(async () => {
      signer = await openSigner(bench, { mode })
    })

    for (const kind of ['access', 'refresh'] as const) {
      it(`writes exactly the specified ${kind} token, in one order of members`, async () => {
        const expected = bench.forge(bench.label(kind, key.kid), payloadOf(bench, kind, mode), key)
        expect(await signer.sign(claimsOf(kind, mode), key.kid)).to.equal(expected)
      })
    }

    it('gives the same bytes from two signers with different current keys', async () => {
      const ring = { keys: [oldKey, key], currentKid: oldKey.kid }
      const there = await openSigner(bench, { mode, ring })
      for (const kid of [key.kid, oldKey.kid]) {
        expect(await signedBy(signer, access, kid)).to.equal(await signedBy(there, access, kid))
      }
    })

    it('gives the same bytes every time', async () => {
      const tokens = new Set<string>()
      for (let round = 0; round < 20; round += 1) tokens.add(await signedBy(signer, access))
      expect(tokens.size).to.equal(1)
    })

    it('names the key that signs now', () => {
      expect(signer.currentKid).to.equal(key.kid)
    })

    it('signs with an earlier key of the ring when asked to', async () => {
      const expected = bench.forge(
        bench.label('access', oldKey.kid),
        payloadOf(bench, 'access', mode),
        oldKey,
      )
      expect(await signer.sign(access, oldKey.kid)).to.equal(expected)
    })

    it('signs nothing with a key that is not in the ring', async () => {
      for (const kid of ['', 'gone', '__proto__', 'KID-CURRENT']) {
        expect(await signer.sign(access, kid)).to.equal(undefined)
      }
    })

    it('holds no secret in the token', async () => {
      const parts = (await signedBy(signer, access)).split('.')
      const secret = Buffer.from(key.secret.slice(-8))
      expect(parts.filter((part) => Buffer.from(part, 'base64url').includes(secret))).to.be.empty
    })

    it('refuses claims that make a token of more than 8,192 characters, and no shorter ones', async () => {
      let sid = 'x'.repeat(5000)
      while (withPayload(bench, mode, { sid }).length <= LONGEST) sid += 'x'
      const claims = { ...access, sessionId: sid as typeof access.sessionId }
      const outcome = await signer.sign(claims, key.kid).catch((error: unknown) => error)
      expect(outcome)
        .to.be.instanceOf(RangeError)
        .with.property('message', 'the token is too long: the account has too many roles')
      const shorter = { ...claims, sessionId: sid.slice(1) as typeof access.sessionId }
      const token = await signedBy(signer, shorter)
      expect(token).to.equal(withPayload(bench, mode, { sid: sid.slice(1) }))
      expect(await signer.verify('access', token, NOW)).to.deep.equal({ kind: 'valid', claims: shorter })
    })

    it('signs and takes a token of exactly 8,192 characters', async () => {
      const { kid, sid, token } = tokenOfLength(LONGEST, bench, mode)
      const ring = { keys: [{ ...key, kid }], currentKid: kid }
      const here = await openSigner(bench, { mode, ring, remembered: 0 })
      const claims = { ...access, sessionId: sid as typeof access.sessionId }
      expect(await here.sign(claims, kid))
        .to.equal(token)
        .with.lengthOf(8192)
      expect(await here.verify('access', token, NOW)).to.deep.equal({ kind: 'valid', claims })
    })

    it('rejects a token that it has signed if it does not accept its claims', async () => {
      const other = mode === STATEFUL ? STATELESS : STATEFUL
      const tooLong = { ...access, expiresAt: ISSUED + 901 }
      for (const claims of [claimsOf('access', other), tooLong]) {
        const token = await signedBy(signer, claims)
        for (const time of [NOW, NOW + 1]) {
          expect((await signer.verify('access', token, time)).kind).to.equal('invalid')
        }
      }
    })
  })
}

describe('a stateless signer, signing', () => {
  for (const { bench, mode, title } of WORKPLACES.filter((place) => place.mode === STATELESS)) {
    it(`refuses the login of an account with a hundred long roles (${title})`, async () => {
      const signer = await openSigner(bench, { mode, ring: ringOf(bench) })
      const claims = claimsOf('access', mode)
      const role = claims.login!.roles[0]!
      const roles = Array.from({ length: 100 }, () => ({ ...role, label: 'a'.repeat(200) }))
      const login = { ...claims.login!, roles }
      const outcome = await signer
        .sign({ ...claims, login }, signer.currentKid)
        .catch((error: unknown) => error)
      expect(outcome).to.be.instanceOf(RangeError)
    })
  }
})

/** Base64 has no text of 4n + 1 characters: with some kids there is no token of a given length. */
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
