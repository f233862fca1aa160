import { utf8, type Draft, type Mutation } from './draft.js'
import type { Random } from '../../random.js'

/** What may stand where a value is expected; some of it is no JSON. */
const VALUES = [
  ...['null', 'true', 'false', '0', '-0', '1', '-1', '1.5', '1e400', '-1e400', '1e-400', '9007199254740993'],
  ...['1E+2', '123456789012345678901234567890', '0.1e-9999999999', '4294967296', '2147483648', '1e21'],
  ...['""', '" "', '"\\u0000"', '"\\ud800"', '"\\udc00\\ud800"', '"\\uD83D"', '"\\u202e"', '"__proto__"'],
  ...['[]', '{}', '[[]]', '[null]', '{"":""}', '{"toJSON":1}', '{"constructor":{"prototype":{}}}'],
  ...['{"__proto__":{"isAdmin":true}}', '"constructor"', '{"length":1e9}', '{"$gt":""}', '{"$where":"1"}'],
  ...['"\' OR 1=1 --"', '"%00"', '"../../etc/passwd"', '"{{7*7}}"', '"<script>"', '"\\r\\nSet-Cookie: a=b"'],
  ...[utf8('"ﷺﷺﷺﷺﷺﷺ"'), utf8('"\u{1f415}"'), utf8('"e\u0301"'), utf8('"\ufeff"'), utf8('"İ@x.de"')],
]

/** Never JSON, wherever a value stands. */
const NO_VALUES = [
  ...[
    'NaN',
    'Infinity',
    '-Infinity',
    'undefined',
    '01',
    '+1',
    '.5',
    '5.',
    '0x10',
    '1e',
    '--1',
    '1_000',
    'nul',
  ],
  ...[
    '"',
    '"\t"',
    '"\n"',
    '"\\x41"',
    '"\\u12"',
    "'a'",
    '`a`',
    '\u0000',
    '"\u0000"',
    '[1,]',
    '{"a":1,}',
    '{a:1}',
  ],
  ...['[', '{', ']', '}', '{"a"}', '{"a":}', '{:1}', '[1 2]', '/**/', '//', 'True', '\u00a0'],
  // Not UTF-8: a lone continuation, a cut sequence, an overlong one, a surrogate, beyond U+10FFFF.
  ...['"\x80"', '"\xc3"', '"\xc0\xaf"', '"\xed\xa0\x80"', '"\xf5\x80\x80\x80"', '"\xff"', '"\xf0\x9f\x90"'],
]

/** Documents that are no object, or no JSON at all. */
const NO_OBJECTS = [
  ...['[]', 'null', 'true', '1', '""', '[{}]', '"{}"', ' ', '\n', '{}{}', '{} x', '{},', '\x1e{}', 'a=b&c=d'],
  ...[
    '\xef\xbb\xbf{}',
    '\xff\xfe{\u0000}\u0000',
    '\u0000{\u0000}',
    '{}\u0000',
    '\x0b{}',
    '\xa0{}',
    ")]}',\n{}",
  ],
  ...['--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--x--', '<a/>', '%7B%7D', '{"a":1', '-'],
]

const DEPTHS = [2, 10, 100, 1000, 5000, 7000, 15_000, 31_000]

/** The members of a body that is an object, each as text. */
function membersOf(body: string): [string, string][] {
  try {
    const value = JSON.parse(Buffer.from(body, 'latin1').toString('utf8')) as unknown
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).map(([name, one]) => [JSON.stringify(name), JSON.stringify(one)])
  } catch {
    return []
  }
}

function withMembers(draft: Draft, members: readonly (readonly [string, string])[]): Draft {
  return { ...draft, body: utf8(`{${members.map(([name, value]) => `${name}:`.concat(value)).join(',')}}`) }
}

/** In the place of one member's value, or as a member of its own. The text is bytes already. */
function withValue(draft: Draft, random: Random, value: string): Draft {
  const members = membersOf(draft.body)
  const at = random.below(members.length + 1)
  const name = members[at]?.[0] ?? '"x"'
  const others = members.filter((_, index) => index !== at).map(([key, text]) => utf8(`${key}:${text}`))
  return { ...draft, body: `{${[...others, `${utf8(name)}:${value}`].join(',')}}` }
}

function nested(random: Random): string {
  const depth = random.pick(DEPTHS)
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ] as const)
  const levels = Math.floor(depth / open.length)
  return `${open.repeat(levels)}${open === '[' ? '' : '1'}${close.repeat(levels)}`
}

/** Mutations of what a body says; they leave alone how it is sent. */
export const JSON_MUTATIONS: readonly Mutation[] = [
  {
    ...{ name: 'another value', level: 'content' },
    apply: (draft, random) => withValue(draft, random, random.pick(VALUES)),
  },
  {
    ...{ name: 'no value of JSON', level: 'content', verdict: 'refused-body' },
    apply: (draft, random) => withValue(draft, random, random.pick(NO_VALUES)),
  },
  {
    ...{ name: 'no object', level: 'content', verdict: 'refused-body' },
    apply: (draft, random) => ({ ...draft, body: random.pick(NO_OBJECTS) }),
  },
  {
    ...{ name: 'nesting', level: 'content' },
    apply: (draft, random) => withValue(draft, random, nested(random)),
  },
  {
    ...{ name: 'nesting that is not closed', level: 'content', verdict: 'refused-body' },
    apply: (draft, random) => ({ ...draft, body: random.pick(['[', '{"a":', '[{"":']).repeat(3000) }),
  },
  {
    ...{ name: 'a member twice', level: 'content' },
    apply: (draft, random) => {
      const members = membersOf(draft.body)
      const one = members.length > 0 ? random.pick(members) : (['"a"', '1'] as const)
      return withMembers(draft, [...members, one, [one[0], random.pick(VALUES.slice(0, 12))]])
    },
  },
  {
    ...{ name: 'a member of Object', level: 'content' },
    apply: (draft, random) => {
      const name = random.pick(['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'id', 'then'])
      return withMembers(draft, [
        ...membersOf(draft.body),
        [JSON.stringify(name), random.pick(VALUES.slice(0, 30))],
      ])
    },
  },
  {
    ...{ name: 'a member less', level: 'content' },
    apply: (draft, random) => {
      const members = membersOf(draft.body)
      const at = random.below(Math.max(1, members.length))
      return withMembers(
        draft,
        members.filter((_, index) => index !== at),
      )
    },
  },
  {
    ...{ name: 'a long text', level: 'content' },
    apply: (draft, random) => {
      const unit = random.pick(['a', '\\u0000', '\\ud800', utf8('ﷺ'), '\\"', '\xff', ' '])
      return withValue(draft, random, `"${unit.repeat(random.pick([200, 1025, 4000]))}"`)
    },
  },
  {
    ...{ name: 'many members', level: 'content' },
    apply: (draft, random) => {
      const names = Array.from(
        { length: random.pick([50, 900]) },
        (_, index) => [`"m${index}"`, '0'] as const,
      )
      return withMembers(draft, [...membersOf(draft.body), ...names])
    },
  },
  {
    ...{ name: 'blanks beyond the limit', level: 'content', verdict: 'refused-body' },
    apply: (draft, random) => {
      const blanks = random.pick([' ', '\n', '\t']).repeat(random.pick([66_000, 150_000]))
      return { ...draft, body: draft.body.replace(/\}$/, `${blanks}}`) || `${blanks}{}` }
    },
  },
]
