import { expect } from 'chai'
import fc from 'fast-check'
import sinon from 'sinon'
import { OPTION_NAMES } from '../../../src/configuration/settings.js'
import { readOptions } from '../../../src/embedding/read-options.js'
import { createMemoryStore } from '../../../src/adapters/memory/index.js'
import { openKennel, OptionsError, type KennelOptions } from '../../../src/index.js'
import { errorsOf, goodOptions } from '../opening.js'

/** Values that pass one rule or another. */
const PLAUSIBLE = [
  'short',
  'none',
  'https://pets.example/x',
  '1s',
  '61s',
  500,
  2 ** 52,
  0.5,
  11,
  ['short'],
  ['*'],
]

describe('invalid options of openKennel', () => {
  it('reject with an error that has a code', async () => {
    const error: unknown = await openKennel({} as KennelOptions).catch((reason: unknown) => reason)
    expect(error).to.be.instanceOf(OptionsError)
    expect(error).to.include({ code: 'invalid-options', name: 'OptionsError' })
    expect((error as OptionsError).message).to.equal(
      'Kennel cannot be opened:\n- passphrase is required\n- publicUrl is required',
    )
  })

  it('are reported without any value, secret or not', () => {
    const canaries = {
      passphrase: 'canary-one',
      previousPassphrases: ['canary-two'],
      store: 'mongodb://user:canary-three@',
      mailUrl: 'smtp://user:canary-four@host:port',
      tokenFormat: 'canary-five',
      resetUrl: 'canary-six',
      sessionCookieName: 'canary seven',
    }
    const errors = errorsOf({ ...goodOptions(), ...canaries })
    expect(errors).to.have.lengthOf(Object.keys(canaries).length)
    expect(errors.join('\n')).not.to.contain('canary')
  })

  it('are never reported under the name of an environment variable', () => {
    const values = fc.oneof(fc.jsonValue(), fc.constantFrom<unknown>(...PLAUSIBLE, undefined, true))
    const names = OPTION_NAMES
    const options = fc.dictionary(fc.constantFrom(...names), values, { minKeys: 1, noNullPrototype: true })
    let wrong = 0
    fc.assert(
      fc.property(options, (changes) => {
        let errors: readonly string[] = []
        try {
          readOptions({ ...goodOptions(), ...changes })
        } catch (error) {
          errors = (error as OptionsError).errors
          wrong += 1
        }
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

describe('unwise options of openKennel', () => {
  it('are reported to its log, under their own names', async () => {
    const log = { debug: () => {}, info: () => {}, warn: sinon.spy(), error: () => {}, enabled: () => true }
    const options = goodOptions({ store: createMemoryStore(), passwordScrypt: '15/8/3', parts: { log } })
    await (await openKennel(options)).close()
    expect(log.warn.args).to.deep.equal([
      [
        'configuration',
        {
          detail:
            'loginLimit is off: passwords can be tried without end unless a proxy limits them; loginLimit=10/15m would',
        },
      ],
    ])
  })
})
