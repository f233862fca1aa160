import { expect } from 'chai'
import type { TokenSigner } from '../../../../src/ports/tokens.js'
import { wordsOf } from '../../../support/refusal-of.js'
import { WORKPLACES } from '../../../support/tokens/benches.js'
import {
  actOf,
  actorOf,
  claimsOf,
  ISSUED,
  LONGEST,
  NOW,
  openSigner,
  payloadOf,
  signedBy,
  STATEFUL,
  STATELESS,
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

    it('rejects a token with unacceptable claims, even if it signed the token itself', async () => {
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

/**
 * Creates a token of this length. Base64 text never has 4n + 1 characters, so some lengths are impossible with
 * some kids.
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
