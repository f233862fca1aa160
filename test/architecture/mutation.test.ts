import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { PROJECT } from '../support/project.js'

type Reasons = Readonly<Record<string, Readonly<Record<string, string>>>>
type Mutant = { readonly file: string; readonly text: string; readonly isKilled: boolean }
type Report = {
  readonly mutantsOf: (report: unknown) => readonly Mutant[]
  readonly unnamed: (mutants: readonly Mutant[], named: Reasons) => unknown
  readonly figures: (mutants: readonly Mutant[]) => unknown
}

const imported = (file: string): Promise<unknown> =>
  import(pathToFileURL(join(PROJECT, 'mutation', file)).href)

const changed = (line: number, status: string, replacement: string) => ({
  ...{ status, replacement, location: { start: { line, column: 5 }, end: { line, column: 10 } } },
})

/** As Stryker writes it. */
const REPORT = {
  files: {
    'src/domain/access/role.ts': {
      source: 'if (a < b) return\nif (a < b) return\nif (a < b) return\n',
      mutants: [
        changed(1, 'Killed', 'true'),
        changed(1, 'Timeout', 'false'),
        changed(2, 'Survived', 'a <=\n b'),
        changed(3, 'NoCoverage', 'a <= b'),
        changed(3, 'Ignored', 'a > b'),
      ],
    },
  },
}
const ROLE = 'domain/access/role.ts'
const TWICE = '2 × a < b → a <= b'

describe('the report of the mutation tests', () => {
  it('counts mutants that time out as killed, and mutants without a test as survivors', async () => {
    const { mutantsOf, figures } = (await imported('report.js')) as Report
    expect(figures(mutantsOf(REPORT))).to.deep.equal({
      'domain/access': { mutants: 4, killed: 2, percent: 50 },
    })
  })

  it('lists survivors without a reason, and reasons without a survivor', async () => {
    const { mutantsOf, unnamed } = (await imported('report.js')) as Report
    const mutants = mutantsOf(REPORT)
    const survivors = [{ file: ROLE, mutant: TWICE, lines: [2, 3] }]
    expect(unnamed(mutants, {})).to.deep.equal({ survivors, obsolete: [] })
    expect(unnamed(mutants, { [ROLE]: { [TWICE]: 'equal' } })).to.deep.equal({ survivors: [], obsolete: [] })
    const former = '3 × a < b → a <= b'
    expect(unnamed(mutants, { [ROLE]: { [former]: 'equal' }, 'domain/mail.ts': { x: 'y' } })).to.deep.equal({
      ...{ survivors, obsolete: [{ file: ROLE, mutant: former }] },
    })
  })
})

describe('the survivors with a reason', () => {
  it('are in files that exist', async () => {
    const { EQUIVALENT } = (await imported('equivalent.js')) as {
      readonly EQUIVALENT: Reasons
    }
    const files = Object.keys(EQUIVALENT)
    expect(files).to.not.be.empty
    expect(files.filter((file) => !existsSync(join(PROJECT, 'src', file)))).to.deep.equal([])
  })
})
