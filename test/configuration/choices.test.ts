import { expect } from 'chai'
import fc from 'fast-check'
import { validateHeaderValue } from 'node:http'
import { ADAPTER_RULES } from '../../src/composition-root/adapter-rules.js'
import { headerText } from '../../src/configuration/choices.js'

describe('text for a header', () => {
  const { text: read } = headerText('a banner', 200)

  it('is sent unchanged as an HTTP header if it is accepted', () => {
    const near = fc.oneof(fc.string({ maxLength: 8 }), fc.string({ unit: 'binary', maxLength: 8 }))
    fc.assert(
      fc.property(near, (text) => {
        if (!read(text, ADAPTER_RULES).ok) return
        validateHeaderValue('X-Banner', text)
        expect(new Headers({ 'X-Banner': text }).get('X-Banner')).to.equal(text)
      }),
      { numRuns: 2_000 },
    )
  })
})
