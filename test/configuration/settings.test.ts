import { expect } from 'chai'
import { SETTING_NAMES, SETTINGS } from '../../src/configuration/settings.js'

describe('the table of settings', () => {
  it('has no variable twice', () => {
    const variables = SETTING_NAMES.map((name) => SETTINGS[name].variable)
    expect(new Set(variables)).to.have.lengthOf(variables.length)
  })

  it('calls a setting as its variable in camel case, but for these', () => {
    const camel = (variable: string) =>
      variable.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    const others = SETTING_NAMES.filter((name) => camel(SETTINGS[name].variable) !== name)
    expect(others).to.deep.equal([
      ...['production', 'store', 'passphrase', 'previousPassphrases', 'stateless', 'authorizationHeader'],
    ])
  })
})
