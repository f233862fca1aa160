import { expect } from 'chai'
import { IN_QUOTES } from '../../src/configuration/quotes.js'
import { SETTING_NAMES, SETTINGS } from '../../src/configuration/settings.js'
import { casesFor } from './reader-cases.js'
import { errorsOf, GOOD_PASSPHRASE, settingsOf, WITH_MAIL } from './reading.js'

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
