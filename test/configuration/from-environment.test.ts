import { expect } from 'chai'
import { writeFileSync } from 'node:fs'
import { SECRETS, SETTINGS, VARIABLES } from '../../src/configuration/settings.js'
import { readEnvironment } from '../../src/configuration/environment.js'
import { GOOD_PASSPHRASE, judged, PRODUCTION, type Judged, type Texts } from './reading.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { changesIn, inputOf, linesOf, meaningOf, withOutcome } from './input-table.js'

const BASES: Readonly<Record<string, Texts>> = { local: {}, production: PRODUCTION }

/** What variables of the tables name as a file. */
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  empty: '',
  'line-end': '\n',
  binary: Uint8Array.of(0xff, 0xfe, 0x41),
  weak: 'weak\n',
  document: '{"passphrase":"x"}',
  good: `${GOOD_PASSPHRASE}\n`,
  bracket: '["a"',
  memory: 'memory:\n',
  '<wrong>': '{"roles": {"a": {"inherit": ["b"]}}}',
  '<no json>': '{"roles": {,}}',
  '<reset for everyone>': '{"roles":{"everyone":{"components":{"auth":["reset-password"]}}}}',
}

describe('the environment, by the tables of its inputs,', () => {
  const folder = temporaryFolder()
  beforeEach(() => {
    for (const [name, content] of Object.entries(FILES)) writeFileSync(folder(name), content)
  })

  /** `null` unsets a variable, `<4097>` is a text of that length, and `<wrong>` the path of that file. */
  function textOf(value: string | null): string | undefined {
    const length = /^<(\d+)>$/.exec(value ?? '')?.[1]
    if (length !== undefined) return 'x'.repeat(Number(length))
    return value?.startsWith('<') && value in FILES ? folder(value) : (value ?? undefined)
  }

  function outcomeOf(base: string, given: unknown): Judged {
    const changes = Object.entries(given as Readonly<Record<string, string | null>>)
    const texts = Object.fromEntries(changes.map(([name, value]) => [name, textOf(value)]))
    const { variables, errors } = readEnvironment({
      secrets: SECRETS.map((name) => SETTINGS[name].variable),
      folder: folder(),
      variables: { ...BASES[base], ...texts },
    })
    return judged(variables, errors)
  }

  it('is refused with these very sentences', () => {
    const lines = linesOf('test/configuration/wrong-environment.tsv')
    const found = lines.map((line) => {
      const { base, given } = inputOf(line)
      const outcome = outcomeOf(base, given)
      return withOutcome(line, outcome.ok ? ['ACCEPTED'] : outcome.errors)
    })
    expect(lines).to.have.length.above(450)
    expect(found.filter((line, at) => line !== lines[at])).to.deep.equal([])
  })

  it('is accepted with this meaning and these warnings', () => {
    const bases: Record<string, ReturnType<typeof meaningOf>> = {}
    const lines = linesOf('test/configuration/accepted-environment.tsv')
    const found = lines.map((line) => {
      const { base, given } = inputOf(line)
      const outcome = outcomeOf(base, given)
      if (!outcome.ok) return withOutcome(line, outcome.errors)
      const meaning = meaningOf(outcome.configuration)
      const changes = changesIn(meaning, bases[base] ?? {})
      bases[base] ??= meaning
      return withOutcome(line, [changes, ...outcome.warnings])
    })
    expect(lines).to.have.length.above(90)
    expect(found.filter((line, at) => line !== lines[at])).to.deep.equal([])
  })

  it('is refused and accepted for every variable', () => {
    for (const table of ['wrong', 'accepted']) {
      const lines = linesOf(`test/configuration/${table}-environment.tsv`)
      const given = new Set(lines.flatMap((line) => Object.keys(inputOf(line).given as object)))
      expect(VARIABLES.filter((name) => !given.has(name) && !name.endsWith('_FILE'))).to.deep.equal([])
    }
  })
})
