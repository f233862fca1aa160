import { expect } from 'chai'
import { readInput, type Inputs } from '../../../src/embedding/inputs.js'
import { wordsOfCall } from '../../support/refusal-of.js'
import { openKennel, type Kennel } from '../../../src/index.js'
import { DELIVERS, GENEROUS, goodOptions } from '../../embedding/opening.js'
import { populate, validAsks } from '../../embedding/valid-inputs.js'

/** Methods that accept unknown members, because their input is a caller or a request from any framework. */
const OF_ANY_MAKE = ['authorize', 'identify', 'identifyPage']

describe('validation messages', () => {
  let kennel: Kennel
  before(async () => {
    kennel = await openKennel(
      goodOptions({ store: 'memory:', permissions: GENEROUS, parts: { mailer: DELIVERS } }),
    )
    await populate(kennel)
  })
  after(() => kennel.close())

  it('name an unknown member in the input of every method that takes an object', async () => {
    for (const [method, [ask]] of Object.entries(await validAsks(kennel))) {
      if (typeof ask !== 'object' || ask === null || OF_ANY_MAKE.includes(method)) continue
      const [first = ''] = Object.keys(ask)
      const words = await wordsOfCall(() => readInput(method as keyof Inputs, [{ ...ask, [`${first}x`]: 1 }]))
      expect(words, method).to.match(/^malformed \|[^|]*$/)
      expect(words, method).to.contain(`unknown field "${first}x" (did you mean "${first}"?)`)
    }
  })
})
