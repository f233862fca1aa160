import { expect } from 'chai'
import { errors } from 'jose'
import { InvalidTokenError } from 'paseto'
import type { TokenFormat } from '../../../src/ports/token-format.js'
import { BENCHES } from '../../support/tokens/benches.js'
import { ringOf } from '../../support/tokens/token-bench.js'

const SECRET = 'marked-secret-value'

for (const bench of BENCHES) {
  describe(`the ${bench.name} format, for an error`, () => {
    let format: TokenFormat
    before(async () => {
      format = await bench.openFormat(ringOf(bench))
    })

    it('describes a foreign error by its class, never by its message', () => {
      const described = [
        new Error(SECRET),
        new TypeError(SECRET),
        SECRET,
        undefined,
        { message: SECRET },
      ].map((error) => format.describe(error))
      expect(described).to.deep.equal([
        'unexpected Error',
        'unexpected TypeError',
        'unexpected string',
        'unexpected undefined',
        'unexpected object',
      ])
    })

    it('describes an error of its library by its code, never by its message', () => {
      const own = bench.name === 'v4.public' ? new InvalidTokenError(SECRET) : new errors.JWSInvalid(SECRET)
      const library = bench.name === 'v4.public' ? 'paseto' : 'jose'
      expect(format.describe(own)).to.equal(`refused by ${library}: ${own.code}`)
    })
  })
}
