import { expect } from 'chai'
import fc from 'fast-check'
import sinon from 'sinon'
import { OPTION_NAMES } from '../../../src/configuration/settings.js'
import { readOptions } from '../../../src/embedding/read-options.js'
import { createMemoryStore } from '../../../src/adapters/memory/index.js'
import { openKennel, OptionsError, type KennelOptions } from '../../../src/index.js'
import { goodOptions } from '../opening.js'

const OTHER_PASSPHRASE = 'Another-Battery-8-Staple!-horse-correct'

/** The errors of these options; there must be some. */
function errorsOf(options: unknown): readonly string[] {
  try {
    readOptions(options as KennelOptions)
  } catch (error) {
    expect(error).to.be.instanceOf(OptionsError)
    return (error as OptionsError).errors
  }
  throw new Error('the options were taken')
}

const changed = (name: string, value: unknown) => ({ ...goodOptions(), [name]: value })

const OF_NO_TYPE: Readonly<Record<string, unknown>> = {
  null: null,
  'a symbol': Symbol('option'),
  'a function': () => 'text',
  'a bigint': 5n,
}
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
  it('include options that are unsafe in production, which is the default', () => {
    const errors = errorsOf(
      goodOptions({
        publicUrl: 'http://localhost:3000',
        resetUrl: 'http://app.example/new-password',
        sessionCookieSamesite: 'none',
        corsOrigins: ['http://app.example'],
      }),
    )
    expect(errors.map((error) => error.split(' ', 1)[0])).to.deep.equal([
      'publicUrl',
      'corsOrigins',
      'resetUrl',
    ])
  })

  it('include the JSON document of `app key generate` as a passphrase', () => {
    const document = JSON.stringify({ passphrase: OTHER_PASSPHRASE })
    for (const change of [{ passphrase: document }, { previousPassphrases: [document] }])
      expect(errorsOf(goodOptions(change))).to.deep.equal([
        `${Object.keys(change).join()} must be a passphrase, not a JSON object; \`kennel-id key generate --plain\` prints the passphrase alone`,
      ])
  })

  it('are all reported: first unknown, then missing, then mistyped, then invalid options', () => {
    const errors = errorsOf({
      statless: true,
      background: 1,
      trustProxy: '1',
      bodyLimit: 'x',
      passphrase: 'x',
    })
    expect(errors.map((error) => error.split(/[ ,;]/, 1)[0])).to.deep.equal([
      'statless',
      'background',
      'publicUrl',
      'trustProxy',
      'bodyLimit',
      'passphrase',
    ])
    expect(errors[0]).to.equal('statless is no option; did you mean stateless?')
    expect(errors[2]).to.equal('publicUrl is required')
  })

  it('include both missing options without a default, also outside of production', () => {
    for (const options of [{}, { production: false }])
      expect(errorsOf(options)).to.deep.equal(['passphrase is required', 'publicUrl is required'])
  })

  it('get a suggestion only if a known option is similar', () => {
    expect(errorsOf(changed('publicURL', 'x'))).to.deep.equal([
      'publicURL is no option; did you mean publicUrl?',
    ])
    expect(errorsOf(changed('colour', 'red'))).to.deep.equal(['colour is no option'])
    expect(errorsOf(changed('DATABASE_URL', 'memory:'))).to.deep.equal(['DATABASE_URL is no option'])
  })

  for (const [name, value] of Object.entries({ ...OF_NO_TYPE, text: 'x', list: [], undefined })) {
    it(`include ${name} instead of an object`, () => {
      expect(errorsOf(value)).to.deep.equal(['the options must be an object'])
    })
  }

  it('include promises, with the advice to await them: an unopened store, parts, all options', () => {
    const awaited = (name: string) => [`${name} is a promise: await it first`]
    const store = Promise.resolve(createMemoryStore())
    expect(errorsOf(changed('store', store))).to.deep.equal(awaited('store'))
    expect(errorsOf(changed('passphrase', Promise.resolve('x')))).to.deep.equal(awaited('passphrase'))
    expect(errorsOf(changed('permissions', Promise.resolve({})))).to.deep.equal(awaited('permissions'))
    expect(errorsOf(changed('parts', Promise.resolve({})))).to.deep.equal(awaited('parts'))
    const hasher = Promise.resolve({})
    expect(errorsOf(changed('parts', { hasher }))).to.deep.equal(awaited('parts.hasher'))
    const auditSinks = [Promise.resolve({})]
    expect(errorsOf(changed('parts', { auditSinks }))).to.deep.equal(awaited('parts.auditSinks[0]'))
    expect(errorsOf(Promise.resolve(goodOptions()))).to.deep.equal(awaited('the options object'))
  })

  it('include a changed prototype', () => {
    const polluted = JSON.parse('{"__proto__": {"stateless": true}}') as object
    expect(errorsOf({ ...goodOptions(), ...polluted })).to.deep.equal(['__proto__ is no option'])
  })

  it('include options that cannot be read', () => {
    const trap = {
      get: (): never => {
        throw new Error('a trap')
      },
      enumerable: true,
    }
    const options = Object.defineProperty(goodOptions(), 'trustProxy', trap)
    expect(errorsOf(options)).to.deep.equal(['trustProxy cannot be read'])
    const parts = Object.defineProperty({}, 'hasher', trap)
    expect(errorsOf(changed('parts', parts))).to.deep.equal(['parts.hasher cannot be read'])
    const permissions = Object.defineProperty({}, 'roles', trap)
    expect(errorsOf(changed('permissions', permissions))).to.deep.equal(['permissions cannot be read'])
    const passphrase = Object.defineProperty(goodOptions(), 'passphrase', trap)
    expect(errorsOf(passphrase)).to.deep.equal(['passphrase cannot be read'])
  })

  it('are reported by their place in the permissions, and include permissions next to a file', () => {
    const roles = { admin: { components: { pets: ['fly'] }, inherit: ['boss'] } }
    expect(
      errorsOf(changed('permissions', { roles })).map((error) => error.split(' ', 2).join(' ')),
    ).to.deep.equal(['permissions: roles.admin.components.pets[0]', 'permissions: roles.admin.inherit[0]'])
    expect(errorsOf(changed('permissions', []))[0]).to.match(/^permissions must be an object/u)
    expect(errorsOf({ ...changed('permissions', { roles: {} }), permissionsFile: 'x.json' })).to.deep.equal([
      'permissions and permissionsFile cannot both be given',
    ])
  })

  it('include two origins in one entry', () => {
    expect(errorsOf(changed('corsOrigins', ['https://a.example,https://b.example']))[0]).to.match(
      /^corsOrigins /u,
    )
  })

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
