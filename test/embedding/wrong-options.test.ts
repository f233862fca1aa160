import { expect } from 'chai'
import { OPTION_NAMES } from '../../src/configuration/settings.js'
import { OptionsError } from '../../src/embedding/options-error.js'
import type { KennelOptions } from '../../src/embedding/options.js'
import { readOptions, type ReadOptions } from '../../src/embedding/read-options.js'
import { configurationOf, GOOD_PASSPHRASE, PRODUCTION } from '../configuration/reading.js'
import { changesIn, inputOf, linesOf, meaningOf, withOutcome } from '../configuration/input-table.js'
import { valueOf } from './odd-options.js'

/** What rows of the base `good` change; those of `alone` are all that is given. */
const GOOD = { passphrase: GOOD_PASSPHRASE, publicUrl: 'https://pets.example', loginLimit: '10/15m' }

function optionsOf(base: string, given: unknown): unknown {
  const value = valueOf(given)
  if (base === 'alone') return value
  // A spread would ask the getters that throw.
  return Object.defineProperties({ ...GOOD }, Object.getOwnPropertyDescriptors(value as object))
}

function outcomeOf(base: string, given: unknown): ReadOptions | readonly string[] {
  try {
    return readOptions(optionsOf(base, given) as KennelOptions)
  } catch (error) {
    expect(error).to.be.instanceOf(OptionsError)
    return (error as OptionsError).errors
  }
}

describe('the options of openKennel, by the tables of their inputs,', () => {
  it('are refused with these very sentences', () => {
    const lines = linesOf('test/embedding/wrong-options.tsv')
    const found = lines.map((line) => {
      const { base, given } = inputOf(line)
      const outcome = outcomeOf(base, given)
      return withOutcome(line, 'configuration' in outcome ? ['ACCEPTED'] : outcome)
    })
    expect(lines).to.have.length.above(550)
    expect(found.filter((line, at) => line !== lines[at])).to.deep.equal([])
  })

  it('are accepted with this meaning and these warnings', () => {
    // They have the defaults that the environment has.
    const standard = meaningOf(configurationOf(PRODUCTION))
    const lines = linesOf('test/embedding/accepted-options.tsv')
    const found = lines.map((line) => {
      const { base, given } = inputOf(line)
      const outcome = outcomeOf(base, given)
      if (!('configuration' in outcome)) return withOutcome(line, outcome)
      const meaning = meaningOf(outcome.configuration)
      return withOutcome(line, [changesIn(meaning, standard), ...outcome.warnings])
    })
    expect(lines).to.have.length.above(70)
    expect(found.filter((line, at) => line !== lines[at])).to.deep.equal([])
  })

  it('are refused and accepted for every option, and refused for null', () => {
    const namesIn = (lines: readonly string[]) =>
      new Set(lines.map(inputOf).flatMap(({ given }) => Object.keys(given ?? {})))
    const wrong = linesOf('test/embedding/wrong-options.tsv')
    const nulls = wrong.filter((line) => line.split('\t')[1]?.endsWith(':null}'))
    // It needs a file, which read-options.test.ts has.
    const accepted = [...linesOf('test/embedding/accepted-options.tsv'), 'good\t{"permissionsFile":""}']
    for (const names of [namesIn(wrong), namesIn(nulls), namesIn(accepted)])
      expect(OPTION_NAMES.filter((name) => !names.has(name))).to.deep.equal([])
  })
})
