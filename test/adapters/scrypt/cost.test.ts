import { expect } from 'chai'
import { defaultHashConcurrency, hashCostError } from '../../../src/adapters/scrypt/index.js'

const LOG_N = 'logN must be an integer from 10 to 20'
const R = 'r must be an integer from 1 to 32'
const P = 'p must be an integer from 1 to 16'
const MEMORY = 'must require at most 1 GiB of memory (128 · N · r bytes)'

describe('the limits of the hash cost', () => {
  it('include the lowest and the highest value', () => {
    for (const [logN, r, p] of [
      [10, 1, 1],
      [15, 8, 3],
      [20, 8, 16],
      [18, 32, 16],
    ] as const)
      expect(hashCostError({ logN, r, p }), `${logN}/${r}/${p}`).to.equal(undefined)
  })

  it('reject all other values, and name the reason', () => {
    for (const [logN, r, p, error] of [
      ...[9, 21, 15.5, Number.NaN].map((logN) => [logN, 8, 1, LOG_N] as const),
      ...[0, 33].map((r) => [10, r, 1, R] as const),
      ...[0, 17].map((p) => [15, 8, p, P] as const),
      ...[[20, 9, 1, MEMORY] as const, [19, 17, 1, MEMORY] as const],
      [16, 1, 1, 'logN must be at most 15 if r is 1'] as const,
    ])
      expect(hashCostError({ logN, r, p }), `${logN}/${r}/${p}`).to.equal(error)
  })
})

describe('the default number of concurrent hashes', () => {
  it('is at most the number of cores, and leaves two threads of the pool free', () => {
    const found = [
      [1, 4],
      [2, 4],
      [8, 4],
      [8, 16],
      [8, 2],
      [8, 1],
    ].map(([cores = 0, threadPoolSize = 0]) => defaultHashConcurrency({ cores, threadPoolSize }))
    expect(found).to.deep.equal([1, 2, 2, 8, 1, 1])
  })
})
