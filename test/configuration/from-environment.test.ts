import { expect } from 'chai'
import { writeFileSync } from 'node:fs'
import { readEnvironment } from '../../src/configuration/environment.js'
import { SECRETS, SETTINGS } from '../../src/configuration/settings.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { GOOD_PASSPHRASE, judged, linesOf, PRODUCTION, type Texts } from './reading.js'

const BASES: Readonly<Record<string, Texts>> = { local: {}, production: PRODUCTION }

/** The contents of the files that the table's variables name. */
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  empty: '',
  weak: 'weak\n',
  document: '{"passphrase":"x"}',
  good: `${GOOD_PASSPHRASE}\n`,
  quoted: `"${GOOD_PASSPHRASE}"\n`,
  bracket: '["a"',
  memory: 'memory:\n',
  '<wrong>': '{"roles": {"a": {"inherit": ["b"]}}}',
  '<no json>': '{"roles": {,}}',
  '<reset for everyone>': '{"roles":{"everyone":{"components":{"auth":["reset-password"]}}}}',
  '<all for everyone>': '{"roles":{"everyone":{"components":{"auth":["*"]}}}}',
  '<login only>': '{"roles":{"everyone":{"components":{"auth":["login"]}}}}',
}

/**
 * Rules that involve several settings, and inputs that are not values: secret files, misspelt names, and Kubernetes Services. Each line has
 * `local` or `production`, the variables that differ from this base, and the outcome: `accepted` with the warnings, or the errors.
 */
describe('an environment from the table of rules that involve several settings', () => {
  const folder = temporaryFolder()
  beforeEach(() => {
    for (const [name, content] of Object.entries(FILES)) writeFileSync(folder(name), content)
  })

  function outcomeOf(base: string, given: Readonly<Record<string, string | null>>): readonly string[] {
    // `null` unsets a variable; a value such as `<wrong>` stands for the path of the file with that name.
    const textOf = (value: string | null) => (value?.startsWith('<') ? folder(value) : (value ?? undefined))
    const changes = Object.entries(given).map(([name, value]) => [name, textOf(value)] as const)
    const { variables, errors } = readEnvironment({
      secrets: SECRETS.map((name) => SETTINGS[name].variable),
      folder: folder(),
      variables: { ...BASES[base], ...Object.fromEntries(changes) },
    })
    const outcome = judged(variables, errors)
    return outcome.ok ? ['accepted', ...outcome.warnings] : outcome.errors
  }

  it('has the outcomes in the table', () => {
    const lines = linesOf('test/configuration/rules.tsv')
    const found = lines.map((line) => {
      const [base = '', given = ''] = line.split('\t')
      return [base, given, ...outcomeOf(base, JSON.parse(given) as Record<string, string | null>)].join('\t')
    })
    expect(lines).to.have.length.above(80)
    expect(found.filter((line, at) => line !== lines[at])).to.deep.equal([])
  })
})
