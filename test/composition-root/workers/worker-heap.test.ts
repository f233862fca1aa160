import { expect } from 'chai'
import { workerHeap } from '../../../src/composition-root/workers/worker-heap.js'

describe('what Node is told of the heap of a worker', () => {
  const OURS = '--max-semi-space-size=8'

  it('is less than it takes by itself, behind what the primary was told', () => {
    expect(workerHeap([], '')).to.deep.equal([OURS])
    expect(workerHeap(['--enable-source-maps'], '--max-old-space-size=512')).to.deep.equal([
      '--enable-source-maps',
      OURS,
    ])
  })

  it('is what the operator has said, however that is written', () => {
    for (const said of ['--max-semi-space-size=32', '--max_semi_space_size=32']) {
      expect(workerHeap([said], '')).to.deep.equal([said])
      expect(workerHeap([], `--no-warnings ${said}`)).to.deep.equal([])
    }
  })
})
