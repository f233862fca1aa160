import { expect } from 'chai'
import { shows } from './output.js'

describe('the output block of a page', () => {
  const cases: readonly (readonly [expected: string, printed: string, fits: boolean])[] = [
    ['one\ntwo\n', 'one  \ntwo\n\n', true],
    ['one\ntwo\n', 'one\n', false],
    ['{"id":…,"ok":true}\n', '{"id":17,"ok":false}\n', false],
    ['a.c\n', 'abc\n', false],
    ['first\n…\nlast\n', 'first\nx\ny\nlast\n', true],
  ]
  for (const [expected, printed, fits] of cases) {
    it(`${JSON.stringify(expected)} ${fits ? 'shows' : 'does not show'} ${JSON.stringify(printed)}`, () => {
      expect(shows(expected, printed)).to.equal(fits)
    })
  }
})
