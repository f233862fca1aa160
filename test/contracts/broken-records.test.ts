import { AssertionError } from 'node:assert/strict'
import { expect } from 'chai'
import { recordLaws } from '../../src/contracts/index.js'
import { brokenRecords, type RecordBreakage } from './broken/records.js'
import { openSqliteCopy } from '../support/sqlite-copies.js'
import { suiteFolder } from '../support/temporary-folder.js'

describe('the laws of the records', () => {
  const inFolder = suiteFolder()
  let files = 0

  it('are each seen to fail on broken records, and say what they protect', () => {
    const seen = new Set(brokenRecords.flatMap((breakage) => breakage.breaks))
    expect(recordLaws.map(({ name }) => name).filter((name) => !seen.has(name))).to.deep.equal([])
    for (const law of recordLaws) expect(law.protects, law.name).to.match(/^[A-Z].*\.$/)
  })

  for (const breakage of brokenRecords) {
    it(`fail where ${breakage.name}`, async () => {
      expect(breakage.breaks).to.have.lengthOf.above(0)
      for (const name of breakage.breaks) {
        const failure = await failureOf(name, breakage)
        expect(failure instanceof AssertionError, `${name}: ${String(failure)}`).to.equal(true)
      }
    })
  }

  /** A store that keeps nothing has no records, so a file is what is broken here. */
  async function failureOf(name: string, breakage: RecordBreakage): Promise<unknown> {
    const law = recordLaws.find((one) => one.name === name)
    if (!law) return `there is no law "${name}"`
    files += 1
    const store = await openSqliteCopy(inFolder(`${files}.db`))
    if (!store.records) return 'a file has records'
    try {
      await law.check({ ...store, records: { ...store.records, ...breakage.alter(store.records) } })
      return undefined
    } catch (error) {
      return error
    } finally {
      await store.close()
    }
  }
})
