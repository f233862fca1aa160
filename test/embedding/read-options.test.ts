import { expect } from 'chai'
import fc from 'fast-check'
import { OPTION_NAMES } from '../../src/configuration/settings.js'
import { readOptions } from '../../src/embedding/read-options.js'
import { openKennel, OptionsError, type KennelOptions } from '../../src/index.js'
import { errorsOf, goodOptions } from './opening.js'

const OTHER_PASSPHRASE = 'Another-Battery-8-Staple!-horse-correct'

describe('the options of openKennel', () => {
  const read = (options: unknown) => readOptions(options as KennelOptions).settings

  it('can be an object without a prototype', () => {
    const bare = Object.assign(Object.create(null) as object, goodOptions({ trustProxy: 2 }))
    expect(read(bare).trustProxy).to.equal(2)
  })

  it('can be an instance of a class, and each getter is called once', () => {
    let asked = 0
    class Settings {
      readonly publicUrl = 'https://pets.example'
      get passphrase(): string {
        asked += 1
        return asked === 1 ? OTHER_PASSPHRASE : 'short'
      }
    }
    const { options, settings } = readOptions(new Settings())
    expect(settings.passphrase).to.equal(OTHER_PASSPHRASE)
    expect(options.passphrase).to.equal(OTHER_PASSPHRASE)
  })

  it('can contain undefined for an omitted option', () => {
    const absent = Object.fromEntries(OPTION_NAMES.map((name) => [name, undefined]))
    expect(read({ ...absent, ...goodOptions() })).to.have.property('trustProxy', 0)
  })
})

/** Values that are valid for some of the options. */
const PLAUSIBLE = [
  ...['short', 'none', 'https://pets.example/x', '1s', '61s', ['short'], ['*']],
  ...[500, 2 ** 52, 0.5, 11],
]

describe('invalid options of openKennel', () => {
  it('cause a rejection with the code `invalid-options`', async () => {
    const error: unknown = await openKennel({} as KennelOptions).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(OptionsError)
    expect(error).to.include({ code: 'invalid-options', name: 'OptionsError' })
    expect((error as OptionsError).message).to.equal(
      'Kennel cannot be opened:\n- passphrase is required\n- publicUrl is required',
    )
  })

  it('are reported without any value, whether secret or not', () => {
    const canaries = {
      passphrase: 'canary-one',
      previousPassphrases: ['canary-two'],
      store: 'mongodb://user:canary-three@',
      mailUrl: 'smtp://user:canary-four@host:port',
      tokenFormat: 'canary-five',
      resetUrl: 'canary-six',
      sessionCookieName: 'canary seven',
    }
    const errors = errorsOf({ ...goodOptions({ mailFrom: 'a@pets.example' }), ...canaries })
    expect(errors).to.have.lengthOf(Object.keys(canaries).length)
    expect(errors.join('\n')).not.to.contain('canary')
  })

  it('are reported under their option names, never under the name of an environment variable', () => {
    const values = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(...PLAUSIBLE, undefined, true))
    const names = OPTION_NAMES
    const options = fc.dictionary(fc.constantFrom(...names), values, { minKeys: 1, noNullPrototype: true })
    let wrong = 0
    fc.assert(
      fc.property(options, (changes) => {
        const errors = errorsOf({ ...goodOptions(), ...changes })
        if (errors.length > 0) wrong += 1
        for (const fault of errors) {
          expect(fault).not.to.match(/[A-Z]+_[A-Z]+/u)
          expect([...names, 'permissions'].some((name) => fault.startsWith(name))).to.equal(true, fault)
        }
      }),
      { numRuns: 500 },
    )
    expect(wrong).to.be.greaterThan(100)
  })
})
