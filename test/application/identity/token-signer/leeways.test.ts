import { expect } from 'chai'
import { CLOCK_LEEWAY, judgeTimes, TOKEN_LEEWAY } from '../../../../src/application/identity/token-signer.js'
import { lastMoment } from '../../../../src/application/identity/stateless/token-login.js'
import { textOf } from '../../../support/project.js'
import { claimsOf, STATEFUL, STATELESS } from '../../../support/tokens/token-bench.js'

const MINUTE = 60_000

/** How long before `nbf` and after `exp` the claims are valid, in milliseconds. */
function leeways(claims: ReturnType<typeof claimsOf>): readonly [before: number, after: number] {
  const isValid = (at: number) => judgeTimes(claims, at).kind === 'valid'
  const [from, until] = [claims.issuedAt * 1000, claims.expiresAt * 1000]
  let [before, after] = [0, 0]
  while (before < MINUTE && isValid(from - before - 1)) before += 1
  while (after < MINUTE && isValid(until + after)) after += 1
  return [before, after]
}

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
  it('are 30 s before nbf and 5 s after exp for every token', () => {
    for (const [title, mode] of Object.entries({ stored: STATEFUL, stateless: STATELESS }))
      for (const kind of ['access', 'refresh'] as const)
        expect(leeways(claimsOf(kind, mode)), `${title} ${kind}`).to.deep.equal([CLOCK_LEEWAY, TOKEN_LEEWAY])
    expect([CLOCK_LEEWAY, TOKEN_LEEWAY]).to.deep.equal([30_000, 5_000])
  })

  it('extend a revocation only until the last valid token has expired', () => {
    expect(lastMoment(1_000)).to.equal(1_000 + TOKEN_LEEWAY)
  })

  for (const [path, pattern, seconds] of STATED)
    it(`are the same in ${path}`, () => {
      const found = pattern.exec(textOf(path))?.slice(1).map(Number)
      expect(found).to.deep.equal(seconds)
    })
})
