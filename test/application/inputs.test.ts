import { expect } from 'chai'
import {
  byKind,
  fields,
  listOf,
  nullable,
  number,
  optional,
  readArguments,
  ruled,
  text,
  type Parser,
} from '../../src/application/fields.js'
import { count, instant, note, pageSize } from '../../src/application/inputs.js'
import { listUsers } from '../../src/application/accounts/list-users.js'
import { accepted, broken } from '../../src/domain/parsed.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { wordsOfCall } from '../support/refusal-of.js'

const even = ruled(number, (value) =>
  value % 2 === 0 ? accepted(value) : broken('NotValid', 'must be even'),
)
const shape = byKind('must be a shape', { circle: fields({ kind: text, radius: number }) })
const position: Parser<unknown> = (after, _field, errors) =>
  listUsers.input({ caller: OPERATOR, limit: 1, after }, '', errors).after

const NUMBER = 'must be an integer from 1 to'
/** Parsers, values that they accept, and the refusals of other values. */
const RULES: readonly (readonly [
  string,
  Parser<unknown>,
  readonly unknown[],
  readonly (readonly [unknown, string])[],
])[] = [
  [
    'a note',
    note,
    ['', 'x'.repeat(1_000)],
    [
      ['x'.repeat(1_001), 'malformed | after Format: must have at most 1000 characters'],
      ['a\u0000', 'malformed | after Format: must not contain control characters'],
      [7, 'malformed | after Format: must be a string'],
    ],
  ],
  [
    'a count',
    count,
    [1, 2 ** 31 - 1],
    [
      [0, `malformed | after Format: ${NUMBER} 2147483647`],
      [2 ** 31, `malformed | after Format: ${NUMBER} 2147483647`],
    ],
  ],
  [
    'a page size',
    pageSize,
    [1, 100],
    [
      [0, `invalid | after NotValid: ${NUMBER} 100`],
      [101, `invalid | after NotValid: ${NUMBER} 100`],
      [1.5, `invalid | after NotValid: ${NUMBER} 100`],
      ['1', 'malformed | after Format: must be a number'],
    ],
  ],
  [
    'a moment',
    instant,
    [-8.64e15, 0, 8.64e15],
    [
      [8.64e15 + 1, 'malformed | after Format: must be a moment in milliseconds since 1970'],
      ['0', 'malformed | after Format: must be a moment in milliseconds since 1970'],
    ],
  ],
  [
    'a position',
    position,
    [1, 'ada@example.com'],
    [
      [0, 'malformed | after Format: must be a positive integer or an email'],
      [null, 'malformed | after Format: must be a positive integer or an email'],
    ],
  ],
  ['a value or null', nullable(number), [null, 7], [['7', 'malformed | after Format: must be a number']]],
  [
    'a value with a rule',
    even,
    [2],
    [
      [3, 'invalid | after NotValid: must be even'],
      ['2', 'malformed | after Format: must be a number'],
    ],
  ],
  [
    'a list',
    listOf(number),
    [[], [7], Array(1_000).fill(7)],
    [
      [Array(1_001).fill(7), 'malformed | after Format: must be an array of at most 1000'],
      [[7, '8'], 'malformed | after.1 Format: must be a number'],
    ],
  ],
  [
    'a value of a kind',
    shape,
    [{ kind: 'circle', radius: 1 }],
    [
      [{ kind: 'toString' }, 'malformed | after.kind Format: must be a shape'],
      [{ kind: ['circle'], radius: 1 }, 'malformed | after.kind Format: must be a shape'],
      [{ kind: 'circle', radius: '1' }, 'malformed | after.radius Format: must be a number'],
    ],
  ],
]

describe('the parser of', () => {
  for (const [name, parser, right, wrong] of RULES)
    it(`${name} accepts its values and names the rule that another value breaks`, async () => {
      for (const value of right) expect(readArguments([['after', parser]], [value])).to.deep.equal([value])
      for (const [value, words] of wrong)
        expect(await wordsOfCall(() => readArguments([['after', parser]], [value]))).to.equal(words)
    })
})

describe('arguments', () => {
  it('are malformed if a form is wrong, also if other values only break rules', async () => {
    const read = () =>
      readArguments(
        [
          ['first', even],
          ['second', text],
        ],
        [3, 4],
      )
    expect(await wordsOfCall(read)).to.equal(
      'malformed | first NotValid: must be even | second Format: must be a string',
    )
  })

  it('are malformed if a member throws when it is read', async () => {
    const value = Object.defineProperty({}, 'name', {
      get: () => {
        throw new Error('hidden')
      },
    })
    expect(
      await wordsOfCall(() => readArguments([['', fields({ name: optional(text) })]], [value])),
    ).to.equal('malformed | Format: cannot be read | (a member of the input threw when it was read)')
  })

  it('are read from lists that claim another length later, only up to the length that was checked', () => {
    let reads = 0
    const list = new Proxy([], { get: (_, name) => (name === 'length' ? ((reads += 1) > 1 ? 5_000 : 1) : 7) })
    const [read] = readArguments([['list', listOf(number)]], [list]) as [readonly number[]]
    expect(read).to.have.lengthOf(1_000)
  })
})
