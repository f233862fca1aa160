import { expect } from 'chai'
import { ADAPTER_RULES } from '../../src/composition-root/adapter-rules.js'
import { SETTING_NAMES, SETTINGS, type SettingName, VARIABLES } from '../../src/configuration/settings.js'
import { casesFor } from './reader-cases.js'
import { errorsOf, judged, WITH_MAIL, GOOD_PASSPHRASE, settingsOf } from './reading.js'
import { IN_QUOTES } from '../../src/configuration/reader.js'

describe('reading the variable of each setting', () => {
  /** The settings with a value that is accepted without changes to other settings. */
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

  it('fills every setting that needs no file and no change of another setting', () => {
    const unreached = SETTING_NAMES.filter((name) => !accepted.has(name))
    // Every valid value of `refreshTokenTtl` breaks a rule unless other settings change, and `permissionsFile` needs an existing file.
    expect(unreached).to.deep.equal(['refreshTokenTtl', 'permissionsFile'])
  })
})

describe('a value in quotes', () => {
  it('is rejected for every setting', () => {
    for (const name of SETTING_NAMES)
      for (const quote of ['"', "'"])
        for (const end of ['', ' ']) {
          const { variable } = SETTINGS[name]
          const [text = ''] = casesFor(name).good[0] ?? []
          expect(errorsOf({ ...WITH_MAIL, [variable]: `${quote}${text}${quote}${end}` })).to.include(
            `${variable} ${IN_QUOTES}`,
          )
        }
  })

  it('is accepted in a JSON array, or if only a part of the value is in quotes', () => {
    const quoted = `"${GOOD_PASSPHRASE}"`
    const { previousPassphrases, mailFrom, passphrase } = settingsOf({
      SECURITY_JWT_PASSPHRASE_PREVIOUS: JSON.stringify([quoted]),
      SECURITY_JWT_PASSPHRASE: `"${GOOD_PASSPHRASE}`,
      MAIL_FROM: '"Kennel, dogs" <a@pets.example>',
    })
    expect(previousPassphrases).to.deep.equal([quoted])
    expect([mailFrom, passphrase]).to.deep.equal(['"Kennel, dogs" <a@pets.example>', `"${GOOD_PASSPHRASE}`])
  })
})

const CANARY = 'Canary'

describe('the value of an environment variable', () => {
  it('never appears in an error message', () => {
    for (const name of VARIABLES)
      for (const value of [CANARY, `${CANARY}\u0000`, `https://u:${CANARY}@x/${CANARY}`, `["${CANARY}"`])
        expect(errorsOf({ [name]: value }).join('\n'), `${name}=${value}`).not.to.include(CANARY)
  })
})
