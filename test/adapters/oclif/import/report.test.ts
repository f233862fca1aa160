import { expect } from 'chai'
import fc from 'fast-check'
import { createImportReport } from '../../../../src/adapters/oclif/import/report.js'

type Document = { errors: { line: number; message: string }[]; save: number; unchanged: number }

/** A report, and the output written so far. */
function written() {
  const pieces: string[] = []
  const report = createImportReport((text) => Promise.resolve(pieces.push(text)))
  return { report, pieces, document: () => JSON.parse(pieces.join('')) as Document }
}

describe('the import report', () => {
  it('is a single line of JSON with the outcome of every imported line', async () => {
    const line = fc.oneof(
      fc.constantFrom('saved' as const, 'unchanged' as const),
      fc.record({ line: fc.nat(), message: fc.string({ unit: 'binary' }) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(line), async (lines) => {
        const { report, pieces, document } = written()
        for (const one of lines) {
          if (typeof one === 'string') report.counts[one] += 1
          else report.refuse(one)
        }
        await report.end()
        expect(pieces.join('').indexOf('\n')).to.equal(pieces.join('').length - 1)
        const errors = lines.filter((one) => typeof one !== 'string')
        const count = (name: string) => lines.filter((one) => one === name).length
        expect(document()).to.deep.equal({ errors, save: count('saved'), unchanged: count('unchanged') })
        expect(report.counts.refused).to.equal(errors.length)
      }),
    )
  })

  it('is written piece by piece', async () => {
    const { report, pieces, document } = written()
    const message = 'x'.repeat(1000)
    for (let line = 1; line <= 200; line += 1) {
      report.refuse({ line, message })
      await report.written()
      const told = line * (message.length + 30)
      expect(told - pieces.join('').length).to.be.lessThan(100_000)
    }
    await report.end()
    expect(document().errors.map(({ line }) => line)).to.deep.equal([...Array(201).keys()].slice(1))
  })

  it('is written in order and waits if the reader is slow', async () => {
    const taken: string[] = []
    const waiting: (() => void)[] = []
    const report = createImportReport(async (text) => {
      await new Promise<void>((resolve) => waiting.push(resolve))
      taken.push(text)
    })
    for (let line = 1; line <= 3; line += 1) report.refuse({ line, message: 'x'.repeat(70_000) })
    const ended = report.end()
    let isEnded = false
    void ended.then(() => (isEnded = true))
    for (let count = 0; count < 4; count += 1) {
      await new Promise(setImmediate)
      expect([isEnded, waiting.length]).to.deep.equal([false, 1])
      waiting.pop()?.()
    }
    await ended
    const { errors } = JSON.parse(taken.join('')) as Document
    expect(errors.map(({ line }) => line)).to.deep.equal([1, 2, 3])
  })
})
