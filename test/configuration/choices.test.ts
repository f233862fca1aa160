import { expect } from 'chai'
import fc from 'fast-check'
import { validateHeaderValue } from 'node:http'
import { ADAPTER_RULES } from '../../src/composition-root/adapter-rules.js'
import { headerText } from '../../src/configuration/choices.js'

describe('text for a header', () => {
  const { text: read } = headerText('a banner', 200)

  it('is sent unchanged', () => {
    const near = fc.oneof(fc.string({ maxLength: 8 }), fc.string({ unit: 'binary', maxLength: 8 }))
    fc.assert(
      fc.property(near, (text) => {
        if (!read(text, ADAPTER_RULES).ok) return
        validateHeaderValue('X-Banner', text)
        expect(new Headers({ 'X-Banner': text }).get('X-Banner')).to.equal(text)
      }),
      { numRuns: 2_000 },
    )
    const texts = ['Welcome, "friend"', '~', 'x'.repeat(200)]
    for (const value of texts) expect(read(value, ADAPTER_RULES)).to.deep.equal({ ok: true, value })
  })

  it('is rejected if a header would change the text or cannot contain the text', () => {
    const wrong = [' a', 'a ', 'a\nb', 'a\r\nSet-Cookie: b', 'a\tb', 'a\u0000', 'é', '日本', 'x'.repeat(201)]
    const rule = 'must be a banner of at most 200 printable ASCII characters, without a space at either end'
    for (const text of wrong) expect(read(text, ADAPTER_RULES), text).to.deep.equal({ ok: false, rule })
  })
})
