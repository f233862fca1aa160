import { expect } from 'chai'
import type { TokenSigner } from '../../../../src/ports/tokens.js'
import { WORKPLACES } from '../../../support/tokens/benches.js'
import { claimsOf, ISSUED, NOW, openSigner, signedBy } from '../../../support/tokens/token-bench.js'

const LEEWAY = 5
const CLOCK_LEEWAY = 30

/** Returns the time in milliseconds when the token is this many seconds old. */
function at(seconds: number): number {
  return (ISSUED + seconds) * 1000
}

const places = WORKPLACES.flatMap((place) => [0, 100].map((remembered) => ({ ...place, remembered })))

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
