import { expect } from 'chai'
import { madeUp, trialOf, WELL } from './made-up.js'
import { createProgress } from './progress.js'
import type { Outcome } from './trial.js'

const TRIAL = trialOf(madeUp(() => WELL).checker, { minutes: 10 })
const after = (seconds: number): Outcome => ({
  rounds: 1,
  histories: 1234,
  operations: 20_000,
  faults: 0,
  violations: [],
  undecided: 0,
  seconds,
})

function written(isTTY: boolean, seconds: readonly number[], note = '') {
  const lines: string[] = []
  const progress = createProgress({ isTTY, columns: 200, write: (text) => lines.push(text) }, '2/7')
  for (const at of seconds) progress.show(TRIAL, after(at), note)
  return lines
}

describe('the progress line of a trial', () => {
  it('says what is tried, the counts, the seed and the time left', () => {
    expect(written(false, [60], 'a partition')).to.deep.equal([
      '2/7 made-up on memory: 1,234 histories, 20,000 operations, 0 violations; seed 7; about 9 min left; a partition\n',
    ])
    expect(written(false, [590]).join()).to.contain('less than a minute left')
  })

  it('writes one line again in a terminal, and a line each minute into a file', () => {
    expect(written(true, [0, 0.1, 0.3]).map((line) => line.startsWith('\r\u001b[K2/7'))).to.deep.equal([
      true,
      true,
    ])
    expect(written(false, [0, 1, 59, 61, 90, 130]).length).to.equal(3)
  })
})
