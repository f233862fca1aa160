import { expect } from 'chai'
import { OPTION_NAMES } from '../../src/configuration/settings.js'
import { OptionsError } from '../../src/embedding/options-error.js'
import type { KennelOptions } from '../../src/embedding/options.js'
import { readOptions, type ReadOptions } from '../../src/embedding/read-options.js'
import { configurationOf, GOOD_PASSPHRASE, PRODUCTION } from '../configuration/reading.js'
import { changesIn, inputOf, linesOf, meaningOf, withOutcome } from '../configuration/input-table.js'
import { valueOf } from './odd-options.js'

/** The options that rows of the base `good` change; rows of the base `alone` use only their own options. */
const GOOD = { passphrase: GOOD_PASSPHRASE, publicUrl: 'https://pets.example', loginLimit: '10/15m' }

function optionsOf(base: string, given: unknown): unknown {
  const value = valueOf(given)
  if (base === 'alone') return value
  // A spread would call the getters that throw.
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

describe('the options of openKennel, in the tables of their inputs,', () => {
  it('are rejected with exactly these messages', () => {
    const lines = linesOf('test/embedding/wrong-options.tsv')
    const found = lines.map((line) => {
      const { base, given } = inputOf(line)
      const outcome = outcomeOf(base, given)
      return withOutcome(line, 'configuration' in outcome ? ['ACCEPTED'] : outcome)
    })
    expect(lines).to.have.length.above(550)
    expect(found.filter((line, at) => line !== lines[at])).to.deep.equal([])
  })

  it('are accepted with these values and these warnings', () => {
    // The defaults are the same as in the environment.
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

  it('include an invalid, a valid and a null value of every option', () => {
    const namesIn = (lines: readonly string[]) =>
      new Set(lines.map(inputOf).flatMap(({ given }) => Object.keys(given ?? {})))
    const wrong = linesOf('test/embedding/wrong-options.tsv')
    const nulls = wrong.filter((line) => line.split('\t')[1]?.endsWith(':null}'))
    // This option needs a file, so read-options.test.ts covers it.
    const accepted = [...linesOf('test/embedding/accepted-options.tsv'), 'good\t{"permissionsFile":""}']
    for (const names of [namesIn(wrong), namesIn(nulls), namesIn(accepted)])
      expect(OPTION_NAMES.filter((name) => !names.has(name))).to.deep.equal([])
  })
})
