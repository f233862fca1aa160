import { expect } from 'chai'
import { changedPages, pagesOf } from '../../src/application/pages.js'

const SIZE = 3

/** Returns the numbers below `count` in pages, and the item before each page. */
async function read(count: number) {
  const befores: (number | undefined)[] = []
  const numbers = pagesOf(SIZE, (last: number | undefined) => {
    befores.push(last)
    const from = last === undefined ? 0 : last + 1
    return Promise.resolve([0, 1, 2, 3, 4, 5, 6].slice(from, Math.min(from + SIZE, count)))
  })
  const pages: (readonly string[])[] = []
  for await (const page of changedPages(numbers, String)) pages.push(page)
  return { pages, befores }
}

describe('reading page by page', () => {
  it('ends after the last record, without yielding an empty page', async () => {
    expect(await read(0)).to.deep.equal({ pages: [], befores: [undefined] })
    expect(await read(2)).to.deep.equal({ pages: [['0', '1']], befores: [undefined] })
    expect(await read(3)).to.deep.equal({ pages: [['0', '1', '2']], befores: [undefined, 2] })
    const pages = [['0', '1', '2'], ['3']]
    expect(await read(4)).to.deep.equal({ pages, befores: [undefined, 2] })
  })
})
