import { readdirSync } from 'node:fs'
import { expect } from 'chai'
import { keepResult, readResults, rounded } from '../../bench/results.js'
import { withPlanted } from '../support/project.js'
import { resultOf } from './results-of.js'

describe('kept results', () => {
  it('are one file for each figure, and the next result replaces the last', async () => {
    await withPlanted({ '.prettierrc': '{}' }, async (folder) => {
      const [first, second] = ['2026-11-21', '2026-11-22'].map((date) => resultOf('reads', [], { date }))
      for (const result of [first!, second!, resultOf('writes', [])]) await keepResult(folder, result)
      expect(readdirSync(folder).sort()).to.deep.equal(['.prettierrc', 'reads.json', 'writes.json'])
      expect(readResults(folder).get('reads')).to.deep.equal(second)
    })
  })

  it('have six significant digits, and null for a value that is not a number', () => {
    const told = { rows: [{ name: 'reads', values: [26_946.123456, 0.000123456789, NaN, 10_000_000] }] }
    const { report } = rounded(resultOf('reads', [], { told }))
    expect(report.rows[0]?.values).to.deep.equal([26_946.1, 0.000123457, null, 10_000_000])
  })
})
