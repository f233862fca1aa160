import { expect } from 'chai'
import type { TokenFormat, TokenSigner } from '../../../../src/ports/tokens.js'
import { textOf } from '../../../support/project.js'
import { pasetoBench } from '../../../support/tokens/forged-paseto.js'
import {
  claimsOf,
  detailOf,
  NOW,
  openSigner,
  payloadOf,
  ringOf,
  signedBy,
  signerOf,
  withPayload,
  STATELESS,
  type Bench,
  type Mode,
} from '../../../support/tokens/token-bench.js'

type Watched = { readonly signer: TokenSigner; readonly opened: () => number }

/** Opens a signer; `opened` returns how many tokens it has verified. */
async function watched(bench: Bench, mode: Mode, remembered: number): Promise<Watched> {
  const format = await bench.openFormat(ringOf(bench))
  let opened = 0
  const open: TokenFormat['open'] = async (kind, token) => {
    opened += 1
    return await format.open(kind, token)
  }
  return { signer: signerOf({ ...format, open }, { mode, remembered }), opened: () => opened }
}

function frozenThroughout(value: unknown): boolean {
  return typeof value !== 'object' || value === null
    ? true
    : Object.isFrozen(value) && Object.values(value).every(frozenThroughout)
}

const [bench, mode] = [pasetoBench, STATELESS]
const access = claimsOf('access', mode)

describe('a signer with a cache', () => {
  it('returns frozen claims, so a caller cannot change the cache', async () => {
    const signer = await openSigner(bench, { mode })
    for (const token of [withPayload(bench, mode), await signedBy(signer, access)]) {
      const verification = await signer.verify('access', token, NOW)
      expect(verification).to.have.property('claims').that.satisfies(frozenThroughout)
    }
  })

  it('compares the whole token, so a token with a different signature is verified again', async () => {
    const signer = await openSigner(bench, { mode })
    const token = await signedBy(signer, access)
    expect((await signer.verify('access', token, NOW)).kind).to.equal('valid')
    const foreign = bench.forge(
      bench.label('access', bench.key.kid),
      payloadOf(bench, 'access', mode),
      bench.foreignKey,
    )
    expect(foreign).to.have.lengthOf(token.length)
    expect(foreign).to.not.equal(token)
    expect(detailOf(await signer.verify('access', foreign, NOW))).to.equal(bench.misfit)
  })

  it('limits its cache: with a capacity of one token, three alternating tokens are still verified correctly', async () => {
    const { signer, opened } = await watched(bench, mode, 1)
    for (const tokenId of ['a', 'b', 'c', 'a', 'b', 'c']) {
      const claims = { ...access, tokenId }
      const token = withPayload(bench, mode, { jti: tokenId })
      expect(await signer.verify('access', token, NOW)).to.deep.equal({ kind: 'valid', claims })
    }
    expect(opened()).to.equal(6)
  })

  it("checks the signature of another signer's token only once, and never checks its own signatures", async () => {
    const { signer, opened } = await watched(bench, mode, 10)
    const token = withPayload(bench, mode, { jti: 'from elsewhere' })
    for (const time of [NOW, NOW + 1, NOW + 2]) await signer.verify('access', token, time)
    expect(opened()).to.equal(1)
    await signer.verify('access', await signedBy(signer, access), NOW)
    expect(opened()).to.equal(1)
  })

  it('does not cache an invalid token, which is verified again and stays invalid', async () => {
    const { signer, opened } = await watched(bench, mode, 10)
    const token = withPayload(bench, mode, { iss: 'https://evil.example' })
    for (const time of [NOW, NOW + 1]) {
      expect(detailOf(await signer.verify('access', token, time))).to.equal('unexpected issuer')
    }
    expect(opened()).to.equal(2)
  })
})

/** The clock leeways that pages and examples state: a pattern for the text, and the seconds that the text must contain. */
const STATED: readonly (readonly [path: string, pattern: RegExp, seconds: readonly number[]])[] = [
  [
    'docs/operate/scaling.md',
    /The clocks, within (\d+) s: an instance accepts tokens whose issue time is up to (\d+) s/,
    [30, 30],
  ],
  ['docs/http/verify-in-go.md', /found\.Nbf > now\+(\d+) \|\| found\.Exp <= now-(\d+)/, [30, 5]],
  ['docs/http/verify-in-python.md', /leeway=(\d+),[^]*claims\["exp"\] <= time\.time\(\) - (\d+)/, [30, 5]],
  ['examples/resource-server/plain-jose.js', /clockTolerance: (\d+),[^]*>= exp \+ (\d+)/, [30, 5]],
  ['test/porcupine/identity.go', /const leeway, clockLeeway = (\d+), (\d+)/, [5, 30]],
  ['src/ports/tokens.ts', /`exp` plus (\d+) seconds of leeway[^]*`nbf` minus (\d+) seconds/, [5, 30]],
]

describe('the clock leeways', () => {
  for (const [path, pattern, seconds] of STATED)
    it(`are the same in ${path}`, () => {
      const found = pattern.exec(textOf(path))?.slice(1).map(Number)
      expect(found).to.deep.equal(seconds)
    })
})
