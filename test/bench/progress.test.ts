import { expect } from 'chai'
import { createProgress } from '../../bench/progress.js'
import { figureOf, resultOf } from './results-of.js'

const FIGURES = [figureOf('reads'), figureOf('writes')]
const RESULTS = new Map([
  ['reads', resultOf('reads', [], { tookSeconds: 120 })],
  ['writes', resultOf('writes', [], { tookSeconds: 300 })],
])

function createTold(isTTY: boolean, quick = false) {
  const said: string[] = []
  let now = 0
  const output = { isTTY, write: (text: string) => said.push(text) }
  const progress = createProgress({ figures: FIGURES, results: RESULTS, quick, output, clock: () => now })
  return { said, progress, pass: (seconds: number) => (now += 1000 * seconds) }
}

describe('the progress of a measurement', () => {
  it('names the figure, its step and the remaining minutes, estimated from the last results', () => {
    const { said, progress, pass } = createTold(false)
    const reads = progress.of(0)
    reads('warming up')
    pass(60)
    reads('round 3 of 5')
    pass(600)
    reads('round 5 of 5')
    progress.of(1)('round 1 of 2')
    expect(said).to.deep.equal([
      '1/2 reads: warming up, about 7 min left\n',
      '1/2 reads: round 3 of 5, about 6 min left\n',
      '1/2 reads: round 5 of 5, about 5 min left\n',
      '2/2 writes: round 1 of 2, about 5 min left\n',
    ])
  })

  it('rewrites one line on a terminal, and leaves it there', () => {
    const { said, progress } = createTold(true)
    progress.of(1)('round 1 of 2')
    progress.clear()
    expect(said).to.deep.equal(['\r\u001b[K2/2 writes: round 1 of 2, about 5 min left', '\r\u001b[K'])
  })

  it('expects a quick run to end soon', () => {
    const { said, progress } = createTold(false, true)
    progress.of(0)('round 1 of 2')
    expect(said).to.deep.equal(['1/2 reads: round 1 of 2, about 1 min left\n'])
  })
})
