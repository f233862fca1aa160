import { expect } from 'chai'
import { patchPet } from '../../src/application/catalogue/pets.js'
import {
  byKind,
  fields,
  listOf,
  number,
  optional,
  readArguments,
  withRule,
  text,
  type Parser,
} from '../../src/application/fields.js'
import {
  caller,
  count,
  instant,
  note,
  pageSize,
  possibleId,
  sessionPosition,
} from '../../src/application/inputs.js'
import { listUsers } from '../../src/application/accounts/list-users.js'
import { accepted, broken } from '../../src/domain/parsed.js'
import { ANONYMOUS, OPERATOR } from '../../src/domain/access/caller.js'
import { wordsOfCall } from '../support/refusal-of.js'

const even = withRule(number, (value) =>
  value % 2 === 0 ? accepted(value) : broken('NotValid', 'must be even'),
)
const shape = byKind('must be a shape', { circle: fields({ kind: text, radius: number }) })
const position: Parser<unknown> = (after, _field, errors) =>
  listUsers.input({ caller: OPERATOR, limit: 1, after }, '', errors).after
const change: Parser<unknown> = (after, _field, errors) =>
  patchPet.input({ caller: OPERATOR, id: 1, change: after }, '', errors).change

const form = (must: string) => `malformed | after Format: ${must}`
const rule = (must: string) => `invalid | after NotValid: ${must}`
const UP_TO = 'must be an integer from 1 to'

/** Each parser, with values it accepts and values it rejects. */
const RULES: Readonly<
  Record<
    string,
    { parser: Parser<unknown>; right: unknown[]; wrong: [refusal: string, ...values: unknown[]][] }
  >
> = {
  'a note': {
    ...{ parser: note, right: ['', 'x'.repeat(1_000)] },
    wrong: [
      [form('must have at most 1000 characters'), 'x'.repeat(1_001)],
      [form('must not contain control characters'), 'a\u0000'],
      [form('must be a string'), 7],
    ],
  },
  'a count': {
    ...{ parser: count, right: [1, 2 ** 31 - 1] },
    wrong: [[form(`${UP_TO} 2147483647`), 0, 2 ** 31]],
  },
  'a page size': {
    ...{ parser: pageSize, right: [1, 100] },
    wrong: [
      [rule(`${UP_TO} 100`), 0, 101, 1.5],
      [form('must be a number'), '1'],
    ],
  },
  'a possible ID': { parser: possibleId(), right: [7], wrong: [[form('must be a number'), '7']] },
  'a moment': {
    ...{ parser: instant, right: [-8.64e15, 0, 8.64e15] },
    wrong: [[form('must be a time in milliseconds since 1970'), 8.64e15 + 1, '0']],
  },
  'a position': {
    ...{ parser: position, right: [1, 'ada@example.com'] },
    wrong: [[form('must be a positive integer or an email'), 0, null]],
  },
  'a position among sessions': {
    ...{ parser: sessionPosition, right: [{ createdAt: 1, id: 'x' }] },
    wrong: [['malformed | after.id Required: required', { createdAt: 1 }]],
  },
  'a change of a pet': {
    ...{
      parser: change,
      right: [
        { kind: 'cat', age: null },
        { kind: 'dog', bark: true },
      ],
    },
    wrong: [
      [
        'malformed | change.kind Format: must be a change to a cat or a dog, matching the kind of the pet',
        { kind: 'bird' },
      ],
    ],
  },
  'a caller': {
    parser: caller,
    right: [
      ANONYMOUS,
      OPERATOR,
      { kind: 'api-key', apiKeyId: 1, roles: [{ uuid: 'a', key: 'admin', label: 'Admin' }] },
      { kind: 'account', accountId: 1, email: 'a', roles: [], proved: { at: 7, factorAt: 8 } },
      { kind: 'account', accountId: 1, email: 'a', roles: [], hasPassword: false, hasFactor: false },
    ],
    wrong: [
      [
        'malformed | after.roles.0.label Required: required',
        { kind: 'api-key', apiKeyId: 1, roles: [{ uuid: 'a', key: 'b' }] },
      ],
      [
        'malformed | after.proved.at Required: required',
        { kind: 'account', accountId: 1, email: 'a', roles: [], proved: {} },
      ],
    ],
  },
  'a list': {
    ...{ parser: listOf(number), right: [[], [7], Array(1_000).fill(7)] },
    wrong: [
      [form('must be an array of at most 1000'), Array(1_001).fill(7)],
      ['malformed | after.1 Format: must be a number', [7, '8']],
    ],
  },
  'a value of a kind': {
    ...{ parser: shape, right: [{ kind: 'circle', radius: 1 }] },
    wrong: [
      [
        'malformed | after.kind Format: must be a shape',
        ...['toString', ['circle']].map((kind) => ({ kind, radius: 1 })),
      ],
      ['malformed | after.radius Format: must be a number', { kind: 'circle', radius: '1' }],
    ],
  },
}

describe('the parser of', () => {
  for (const [name, { parser, right, wrong }] of Object.entries(RULES))
    it(`${name} accepts valid values and reports the rule that an invalid value breaks`, async () => {
      for (const value of right) expect(readArguments([['after', parser]], [value])).to.deep.equal([value])
      for (const [words, ...values] of wrong)
        for (const value of values)
          expect(await wordsOfCall(() => readArguments([['after', parser]], [value]))).to.equal(words)
    })
})

describe('arguments', () => {
  it('are malformed if a value has the wrong type, even if other values only break rules', async () => {
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

  it('are malformed if an object is missing', async () => {
    const words = wordsOfCall(() => readArguments([['', fields({})]], [undefined]))
    expect(await words).to.equal('malformed | Format: must be an object')
  })

  it('are malformed if reading a member throws', async () => {
    const value = Object.defineProperty({}, 'name', {
      get: () => {
        throw new Error('hidden')
      },
    })
    expect(
      await wordsOfCall(() => readArguments([['', fields({ name: optional(text) })]], [value])),
    ).to.equal('malformed | Format: cannot be read | (reading a member of the input threw an error)')
  })

  it('are read only up to the length that was checked, even if a list later reports a different length', () => {
    let reads = 0
    const list = new Proxy([], { get: (_, name) => (name === 'length' ? ((reads += 1) > 1 ? 5_000 : 1) : 7) })
    const [read] = readArguments([['list', listOf(number)]], [list]) as [readonly number[]]
    expect(read).to.have.lengthOf(1_000)
  })
})
