import { expect } from 'chai'
import { ADAPTER_RULES } from '../../src/composition-root/adapter-rules.js'
import { SETTING_NAMES, SETTINGS, type SettingName } from '../../src/configuration/settings.js'
import { casesFor } from './reader-cases.js'
import { errorsOf, judged, WITH_MAIL } from './reading.js'

describe('the table of settings', () => {
  it('lists each environment variable only once', () => {
    const variables = SETTING_NAMES.map((name) => SETTINGS[name].variable)
    expect(new Set(variables)).to.have.lengthOf(variables.length)
  })

  it('names settings after their variables in camel case, with seven listed exceptions', () => {
    const camel = (variable: string) =>
      variable.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    const others = SETTING_NAMES.filter((name) => camel(SETTINGS[name].variable) !== name)
    expect(others).to.deep.equal([
      ...['production', 'store', 'passphrase', 'previousPassphrases', 'stateless', 'authorizationHeader'],
      'userPages',
    ])
  })
})

describe('the variable of every setting', () => {
  /** The settings that accept a value without changes to other settings. */
  const accepted = new Set<SettingName>()

  for (const name of SETTING_NAMES) {
    const { variable, read } = SETTINGS[name]

    it(`accepts every valid value: ${variable}`, () => {
      const { good } = casesFor(name)
      expect(good).not.to.deep.equal([])
      for (const [text, value] of good) {
        expect(read.text(text, ADAPTER_RULES), text).to.deep.equal({ ok: true, value })
        const outcome = judged({ [variable]: text })
        if (!outcome.ok) continue
        expect(outcome.settings[name], text).to.deep.equal(value)
        accepted.add(name)
      }
    })

    it(`rejects every invalid value with its error message: ${variable}`, () => {
      const { sentence, wrong, others = {} } = casesFor(name)
      expect(wrong).not.to.deep.equal([])
      for (const [rule, texts] of Object.entries({ ...others, [sentence]: wrong }))
        for (const text of texts)
          expect(errorsOf({ ...WITH_MAIL, [variable]: text }), text).to.deep.equal([`${variable} ${rule}`])
    })
  }

  it('is read into the settings', () => {
    const unreached = SETTING_NAMES.filter((name) => !accepted.has(name))
    // Every valid value of `refreshTokenTtl` breaks a rule unless other settings change, and `permissionsFile` needs an existing file.
    expect(unreached).to.deep.equal(['refreshTokenTtl', 'permissionsFile'])
  })
})
