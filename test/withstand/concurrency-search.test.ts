import { expect } from 'chai'
import type { Operation } from './concurrency/history.js'
import { findOrder } from './concurrency/search.js'
import { shrink } from './concurrency/shrink.js'
import type { Specification } from './concurrency/specification.js'
import { violationOf } from './concurrency/violation.js'

type Input = { readonly kind: 'write' | 'read'; readonly value?: number }
type Output = { readonly value?: number }
type Line = readonly [client: number, invoked: number, completed: number | undefined, text: string]

/** A register that holds one number. */
const REGISTER: Specification<number, Input, Output> = {
  initial: 0,
  after: (state, { kind, value = 0 }, output) => {
    if (kind === 'write') return [value]
    return output === undefined || output.value === state ? [state] : []
  },
  keyOf: String,
  isRead: ({ kind }) => kind === 'read',
  due: (state) => `the register is ${String(state)}`,
  tell: ({ kind, value }, output) => `${kind} ${String(value ?? output?.value)}`,
}

/** A sequence of such as `w1`, `r1` (a read that gave 1) and `w1?`, which had no answer. */
function historyOf(lines: readonly Line[]): readonly Operation<Input, Output>[] {
  return lines.map(([client, invoked, completed, text]) => {
    const value = Number(/[0-9]+/.exec(text)?.[0])
    const input = text.startsWith('w') ? ({ kind: 'write', value } as const) : ({ kind: 'read' } as const)
    const output = text.startsWith('r') ? { value } : {}
    return { client, input, invoked, ...(completed !== undefined && { completed, output }) }
  })
}

const STEPS = { steps: 10_000 }
const verdictOf = (lines: readonly Line[]) => findOrder(historyOf(lines), REGISTER, STEPS).kind

describe('the search for an order', () => {
  const ORDERED: Readonly<Record<string, readonly Line[]>> = {
    'of nothing': [],
    'of one after the other': [
      [1, 1, 2, 'w1'],
      [2, 3, 4, 'r1'],
    ],
    'of a read that sees a write at the same time': [
      [1, 1, 4, 'w1'],
      [2, 2, 3, 'r1'],
    ],
    'of a read that does not see a write at the same time': [
      [1, 1, 4, 'w1'],
      [2, 2, 3, 'r0'],
    ],
    'of writes whose order two reads tell': [
      [1, 1, 8, 'w1'],
      [2, 2, 7, 'w2'],
      [3, 3, 4, 'r2'],
      [3, 5, 6, 'r1'],
    ],
    'of a write without an answer that happened': [
      [1, 1, undefined, 'w1'],
      [2, 2, 3, 'r0'],
      [2, 4, 5, 'r1'],
    ],
    'of a write without an answer that did not happen': [
      [1, 1, undefined, 'w1'],
      [2, 2, 3, 'r0'],
      [2, 4, 5, 'r0'],
    ],
  }
  for (const [name, lines] of Object.entries(ORDERED))
    it(`finds that ${name}`, () => {
      expect(verdictOf(lines)).to.equal('linearizable')
    })

  const IMPOSSIBLE: Readonly<Record<string, readonly Line[]>> = {
    'a read that does not see a write before it': [
      [1, 1, 2, 'w1'],
      [2, 3, 4, 'r0'],
    ],
    'a value that was never written': [
      [1, 1, 4, 'w1'],
      [2, 2, 3, 'r2'],
    ],
    'two reads that see a write come and go': [
      [1, 1, 6, 'w1'],
      [2, 2, 3, 'r1'],
      [3, 4, 5, 'r0'],
    ],
    'two clients that see two writes in different orders': [
      [1, 1, 10, 'w1'],
      [2, 2, 11, 'w2'],
      [3, 3, 4, 'r1'],
      [3, 5, 6, 'r2'],
      [4, 7, 8, 'r1'],
    ],
    'a write without an answer that is seen before it began': [
      [1, 1, 2, 'r1'],
      [2, 3, undefined, 'w1'],
    ],
    'a write without an answer that is seen and gone': [
      [1, 1, undefined, 'w1'],
      [2, 2, 3, 'r1'],
      [2, 4, 5, 'r0'],
    ],
  }
  for (const [name, lines] of Object.entries(IMPOSSIBLE))
    it(`finds no order for ${name}`, () => {
      expect(verdictOf(lines)).to.equal('impossible')
    })

  it('gives up where it may take too few steps, and says so', () => {
    const writes = Array.from({ length: 12 }, (_, index): Line => [index, index + 1, 50, `w${String(index)}`])
    const history = historyOf([...writes, [20, 51, 52, 'r100']])
    expect(findOrder(history, REGISTER, { steps: 50 }).kind).to.equal('given-up')
  })

  it('tries no set of operations twice that led to one state', () => {
    const writes = Array.from({ length: 10 }, (_, index): Line => [index, index + 1, 50, `w${String(index)}`])
    const verdict = findOrder(historyOf([...writes, [20, 51, 52, 'r100']]), REGISTER, { steps: 20_000 })
    expect(verdict.kind).to.equal('impossible')
    // A set of ten and which of them was the last: not the 3,628,800 orders.
    expect(verdict.steps).to.be.below(10 * 2 ** 10)
  })
})

describe('the shrinking of a history', () => {
  const LONG: readonly Line[] = [
    [1, 1, 2, 'w1'],
    [2, 3, 4, 'r1'],
    [3, 5, 10, 'w2'],
    [1, 6, 7, 'r2'],
    [2, 8, 9, 'r1'],
    [4, 11, 12, 'w3'],
    [1, 13, 14, 'r3'],
  ]

  it('leaves what is impossible, without what came later and reads that are no part of it', () => {
    const small = shrink(historyOf(LONG), REGISTER, STEPS)
    const left = small.map(({ invoked, completed }) => [invoked, completed])
    expect(left).to.deep.equal([
      [1, 2],
      [5, undefined],
      [6, 7],
      [8, 9],
    ])
    expect(findOrder(small, REGISTER, STEPS).kind).to.equal('impossible')
  })

  it('is told with times, the farthest order and what was due', () => {
    const text = violationOf(historyOf(LONG), REGISTER, { object: 'register', seed: 7, steps: 1_000 })
    expect(text).to.include('seed 7: no order explains 3 answers of the register, of 7 operations')
    expect(text).to.include('[6-7] client 1: read 2')
    expect(text).to.include('[8-9] client 2: read 1')
    expect(text).to.include('[5-…] client 3: write 2')
    expect(text).to.include('the register is')
  })
})
