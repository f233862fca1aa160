import { expect } from 'chai'
import { workerHeap } from '../../../src/program/workers/protocol.js'

describe('the heap options of a worker', () => {
  const YOUNG = '--max-semi-space-size=8'
  const OLD = ['--initial-old-space-size=32', '--heap-growing-percent=50']

  it('limit the heap, and are appended to the options of the primary process', () => {
    expect(workerHeap([], '')).to.deep.equal([YOUNG, ...OLD])
    expect(workerHeap(['--enable-source-maps'], '--max-old-space-size=512')).to.deep.equal([
      '--enable-source-maps',
      YOUNG,
      ...OLD,
    ])
  })

  it('keep the options that the operator sets, with hyphens or underscores', () => {
    for (const said of ['--max-semi-space-size=32', '--max_semi_space_size=32']) {
      expect(workerHeap([said], '')).to.deep.equal([said, ...OLD])
      expect(workerHeap([], `--no-warnings ${said}`)).to.deep.equal(OLD)
    }
    expect(workerHeap(['--heap_growing_percent=200'], '')).to.not.include('--heap-growing-percent=50')
  })
})
