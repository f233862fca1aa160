import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { SECRETS, SETTING_NAMES, SETTINGS, type SettingName } from '../../src/configuration/settings.js'
import { settingsOf } from './reading.js'

const SETTING = /^# ([A-Z_]+)=(.*)$/gm

/** Returns the line that `.env.example` must contain for this setting. */
function lineOf(name: SettingName): { name: string; value: string } {
  const row = SETTINGS[name]
  const otherwise = 'otherwise' in row ? row.otherwise : ''
  return { name: row.variable, value: 'default' in row ? row.default : otherwise }
}

describe('.env.example', () => {
  const text = readFileSync('.env.example', 'utf8')
  const settings = Array.from(text.matchAll(SETTING), ([, name = '', value = '']) => ({ name, value }))

  it('contains each variable of the settings table exactly once, with its default', () => {
    const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1)
    expect(settings.toSorted(byName)).to.deep.equal(SETTING_NAMES.map(lineOf).toSorted(byName))
  })

  it('mentions a _FILE variable for each secret, but not for any other variable', () => {
    const files = Array.from(text.matchAll(/\b([A-Z_]+)_FILE\b(?!=)/g), ([, name]) => name ?? '')
    expect(new Set(files)).to.deep.equal(new Set(SECRETS.map((name) => SETTINGS[name].variable)))
  })

  it('sets no variable if the file is used unchanged', () => {
    expect(parseEnv(text)).to.deep.equal({})
  })

  it('shows the defaults', () => {
    const { permissions: _, ...unset } = settingsOf({})
    for (const { name, value } of settings) {
      const { permissions: __, ...set } = settingsOf({ [name]: value })
      expect(set, name).to.deep.equal(unset)
    }
  })
})
