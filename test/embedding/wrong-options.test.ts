import { inspect } from 'node:util'
import { expect } from 'chai'
import { OPTION_NAMES } from '../../src/configuration/settings.js'
import { OTHERS } from '../../src/embedding/given-options.js'
import { OptionsError, type AnyOptions } from '../../src/embedding/options.js'
import { readOptions } from '../../src/embedding/read-options.js'
import { PART_CALLS } from '../../src/ports/calls/parts.js'
import { linesOf } from '../configuration/reading.js'
import { valueOf } from './odd-options.js'
import { changedOptions, errorsOf } from './opening.js'

/** With the base `good`, the table's options override valid options; with `alone`, they are the only options. */
function outcomeOf(base: string, cell: string): readonly string[] {
  const value = valueOf(JSON.parse(cell))
  const options = base === 'alone' ? value : changedOptions(value as object)
  const errors = errorsOf(options)
  return errors.length > 0 ? errors : ['accepted', ...readOptions(options as AnyOptions).warnings]
}

describe('the options of openKennel that are not settings', () => {
  it('have the outcomes in the table', () => {
    const lines = linesOf('test/embedding/other-options.tsv')
    const found = lines.map((line) => {
      const [base = '', given = ''] = line.split('\t')
      return [base, given, ...outcomeOf(base, given)].join('\t')
    })
    expect(lines).to.have.length.above(150)
    expect(found.filter((line, at) => line !== lines[at])).to.deep.equal([])
  })

  it('are all reported if no option or part can be read', () => {
    const unreadable = (names: readonly string[]) => names.map((name) => `${name} cannot be read`)
    expect(errorsOf(valueOf('<throwing proxy>'))).to.have.members(unreadable([...OPTION_NAMES, ...OTHERS]))
    const parts = unreadable(Object.keys(PART_CALLS).map((name) => `parts.${name}`))
    expect(errorsOf(changedOptions({ parts: valueOf('<throwing proxy>') }))).to.have.members(parts)
  })
  it('are printed without an empty cause if the error is not caught', () => {
    expect(inspect(new OptionsError(['passphrase is required']))).to.not.include('cause')
  })
})
