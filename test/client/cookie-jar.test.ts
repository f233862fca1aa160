import { expect } from 'chai'
import { createCookieJar } from '../../src/client/index.js'

const NOW = Date.UTC(2026, 0, 1)

/** Returns the cookies that remain some time after the server has sent these `Set-Cookie` lines. */
function keptOf(lines: readonly string[], later = 0): string {
  const clock = { now: NOW }
  const jar = createCookieJar(() => clock.now)
  for (const line of lines) jar.set(line)
  clock.now += later
  return jar.get()
}

describe('the cookie jar', () => {
  for (const [what, lines, kept] of [
    ['is empty at first', [], ''],
    ['keeps a cookie without its attributes', ['sid=abc; path=/; samesite=strict; httponly'], 'sid=abc'],
    ['keeps a value with special characters', ['sid=a=b==; Secure'], 'sid=a=b=='],
    ['keeps several', ['sid=abc', '__Host-sid=def; secure'], 'sid=abc; __Host-sid=def'],
    ['keeps the last cookie of a name', ['sid=abc', 'sid=def'], 'sid=def'],
    ['removes an expired cookie', ['sid=abc', 'sid=; path=/; expires=Thu, 01 Jan 1970 00:00:00 GMT'], ''],
    [
      'removes a cookie with Max-Age=0',
      ['sid=abc', 'sid=abc; Max-Age=0; Expires=Fri, 01 Jan 2100 00:00:00 GMT'],
      '',
    ],
    ['keeps a cookie with an invalid expiry', ['sid=abc; Max-Age=long; Expires=never'], 'sid=abc'],
    [
      'distinguishes a name with an extra character before it',
      ['sid=abc', '\u00a0sid=def', ' \tsid \t=\tghi '],
      'sid=ghi; \u00a0sid=def',
    ],
    ['ignores a malformed line', ['', '=x', ';;=', 'sid=abc'], 'sid=abc'],
  ] as const) {
    it(what, () => {
      expect(keptOf(lines)).to.equal(kept)
    })
  }

  it('removes a cookie after it expires', () => {
    const lines = ['one=1; max-age=60', 'two=2; expires=Thu, 01 Jan 2026 00:02:00 GMT', 'three=3']
    expect(keptOf(lines, 59_999)).to.equal('one=1; two=2; three=3')
    expect(keptOf(lines, 60_000)).to.equal('two=2; three=3')
    expect(keptOf(lines, 120_000)).to.equal('three=3')
  })
})
