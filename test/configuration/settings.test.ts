import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { SETTING_NAMES, SETTINGS, type SettingName } from '../../src/configuration/settings.js'

const code = (text: string) => `\`${text}\``

/** What docs/settings.md has to say of a setting, cell by cell. */
function rowOf(name: SettingName): readonly string[] {
  const row = SETTINGS[name]
  const otherwise = 'otherwise' in row ? `(${code(row.otherwise)})` : ''
  return [
    'serviceOnly' in row ? '–' : code(name),
    code(row.variable),
    'default' in row ? code(row.default) : otherwise,
    'secret' in row ? 'yes' : '',
    // What Markdown would read as a mark.
    row.help.replace(/[\\|*_<[\]]/g, '\\$&'),
  ]
}

describe('the table of settings', () => {
  it('is the one of docs/settings.md, row by row', () => {
    const page = readFileSync('docs/settings.md', 'utf8')
    const rows = page.split('\n').filter((line) => line.startsWith('| '))
    const cells = rows.map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim()),
    )
    expect(cells.slice(2)).to.deep.equal(SETTING_NAMES.map(rowOf))
  })

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
