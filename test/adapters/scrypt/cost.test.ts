import { expect } from 'chai'
import { defaultHashConcurrency, hashCostError } from '../../../src/adapters/scrypt/index.js'

describe('the limits of the hash cost', () => {
  const fine: readonly [number, number, number][] = [
    [10, 1, 1],
    [15, 8, 3],
    [17, 8, 1],
    [20, 8, 16],
    [18, 32, 16],
  ]
  for (const [logN, r, p] of fine) {
    it(`include ${logN}/${r}/${p}`, () => {
      expect(hashCostError({ logN, r, p })).to.equal(undefined)
    })
  }

  const broken: readonly [number, number, number, string][] = [
    [9, 8, 1, 'logN must be an integer from 10 to 20'],
    [21, 8, 1, 'logN must be an integer from 10 to 20'],
    [15.5, 8, 1, 'logN must be an integer from 10 to 20'],
    [Number.NaN, 8, 1, 'logN must be an integer from 10 to 20'],
    [15, 0, 1, 'r must be an integer from 1 to 32'],
    [10, 33, 1, 'r must be an integer from 1 to 32'],
    [15, 8, 0, 'p must be an integer from 1 to 16'],
    [15, 8, 17, 'p must be an integer from 1 to 16'],
    [20, 9, 1, 'must need at most 1 GiB (128 · N · r bytes)'],
    [19, 17, 1, 'must need at most 1 GiB (128 · N · r bytes)'],
  ]
  for (const [logN, r, p, error] of broken) {
    it(`exclude ${logN}/${r}/${p}`, () => {
      expect(hashCostError({ logN, r, p })).to.equal(error)
    })
  }
})

describe('the default number of concurrent hashes', () => {
  const table: readonly [cores: number, threadPoolSize: number, concurrency: number][] = [
    [1, 4, 1],
    [2, 4, 2],
    [8, 4, 2],
    [8, 16, 8],
    [8, 2, 1],
    [8, 1, 1],
  ]
  for (const [cores, threadPoolSize, concurrency] of table) {
    it(`is ${concurrency} with ${cores} cores and a thread pool of ${threadPoolSize}`, () => {
      expect(defaultHashConcurrency({ cores, threadPoolSize })).to.equal(concurrency)
    })
  }
})
