import { expect } from 'chai'
import { inspect } from 'node:util'
import { ADAPTER_RULES } from '../../src/composition-root/adapter-rules.js'
import { OPTION_NAMES, SETTINGS, type OptionName } from '../../src/configuration/settings.js'
import { casesFor, type Cases } from '../configuration/reader-cases.js'
import { revoked } from './hostile-values.js'
import { changedOptions, errorsOf } from './opening.js'

/** Sets a sender, which every mail server requires. */
const optionErrors = (changes: object) => {
  const base = { mailFrom: 'no-reply@pets.example' }
  return errorsOf(changedOptions(Object.defineProperties(base, Object.getOwnPropertyDescriptors(changes))))
}
const none = () => undefined
const trap = () => {
  throw new Error('a trap')
}

const OF_NO_TYPE = [null, Symbol('option'), 5n, {}, true, none, new Map()]
const LISTS = [[1], [undefined], [null], [''], new Array<unknown>(2), new Array<unknown>(2 ** 32 - 1)]
const MANY = Array.from({ length: 1001 }, () => 'a')

/** For the error message of each option type: values of other types, and the form in which the option takes a variable's value. */
const TYPES: Readonly<Record<string, { others: readonly unknown[]; given: 'text' | 'list' | 'neither' }>> = {
  'must be a string': { others: [...OF_NO_TYPE, [], 5, Object('text')], given: 'text' },
  // Objects are left out, because any object counts as a store.
  'must be a string or a store': {
    others: OF_NO_TYPE.filter((one) => typeof one !== 'object' || one === null).concat(7),
    given: 'text',
  },
  'must be a number': { others: [...OF_NO_TYPE, [], '5', ''], given: 'neither' },
  'must be a number, or off': { others: [...OF_NO_TYPE, []], given: 'text' },
  'must be true or false': {
    others: [...OF_NO_TYPE.filter((one) => one !== true), [], 'true', '', 0, 1],
    given: 'neither',
  },
  'must be a number of milliseconds, or a string such as 15m': {
    others: [...OF_NO_TYPE, [], -1, 0.5, Number.NaN, Infinity],
    given: 'text',
  },
  'must be a number, or an array of addresses and networks': {
    others: [...OF_NO_TYPE, '5', ''],
    given: 'neither',
  },
  'must be an array of at most 1000 strings, with one string per entry': {
    others: [...OF_NO_TYPE, 'a', '', ...LISTS, MANY],
    given: 'list',
  },
}

function typeOf(name: OptionName) {
  const reading = SETTINGS[name].read.option(null, ADAPTER_RULES)
  const sentence = reading.ok ? '' : reading.rule.replace('is of the wrong type: it ', '')
  const type = TYPES[sentence]
  if (!type) throw new Error(`${name} has an option of a type without cases: ${sentence}`)
  return { ...type, sentence }
}

/** Converts strings to the option's form, and leaves out those that the form cannot represent. */
function givenAs(given: 'text' | 'list' | 'neither', texts: readonly string[]): readonly unknown[] {
  if (given === 'neither') return []
  if (given === 'text') return texts
  return texts.map((text) => text.split(',')).filter((list) => !list.includes(''))
}

function goodOptionsOf({ good, options }: Cases, given: 'text' | 'list' | 'neither') {
  const texts = good.flatMap(([text, value]) =>
    givenAs(given, [text]).map((option) => [option, value] as const),
  )
  return [...(options && given === 'list' ? [] : texts), ...(options?.good ?? [])]
}

describe('reading the option for each setting', () => {
  for (const name of OPTION_NAMES) {
    it(`accepts every valid value: ${name}`, () => {
      const good = goodOptionsOf(casesFor(name), typeOf(name).given)
      expect(good).not.to.deep.equal([])
      for (const [option, value] of good)
        expect(SETTINGS[name].read.option(option, ADAPTER_RULES), inspect(option)).to.deep.equal({
          ok: true,
          value,
        })
    })

    it(`rejects every invalid value with its error message: ${name}`, () => {
      const { sentence, wrong, others = {}, options } = casesFor(name)
      const { given } = typeOf(name)
      const asTexts =
        options && given === 'list' ? [] : [[sentence, wrong] as const, ...Object.entries(others)]
      for (const [rule, texts] of asTexts)
        for (const option of givenAs(given, texts))
          expect(optionErrors({ [name]: option }), inspect(option)).to.deep.equal([`${name} ${rule}`])
      for (const option of options?.wrong ?? [])
        expect(optionErrors({ [name]: option }), inspect(option)).to.deep.equal([`${name} ${sentence}`])
    })

    it(`rejects every value of the wrong type: ${name}`, () => {
      const { others, sentence, given } = typeOf(name)
      for (const option of others) {
        const [error, ...more] = optionErrors({ [name]: option })
        expect(more, inspect(option)).to.deep.equal([])
        // The error for a number or a boolean may also describe the string.
        expect(error?.split(', which must ')[0]).to.equal(`${name} is of the wrong type: it ${sentence}`)
      }
      if (given === 'text') expect(optionErrors({ [name]: '' })).to.deep.equal([`${name} must not be empty`])
      const unreadable = [`${name} cannot be read`]
      expect(optionErrors(Object.defineProperty({}, name, { get: trap, enumerable: true }))).to.deep.equal(
        unreadable,
      )
      if (given === 'list') expect(optionErrors({ [name]: revoked() })).to.deep.equal(unreadable)
      for (const promise of [Promise.resolve('text'), { then: none }])
        expect(optionErrors({ [name]: promise })).to.deep.equal([`${name} is a promise: await it first`])
    })
  }
})
