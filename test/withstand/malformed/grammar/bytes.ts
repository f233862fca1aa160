import { randomBytes, type Draft, type Mutation } from './draft.js'

function changed(draft: Draft, change: (bytes: string) => string): Draft {
  return { ...draft, afterwards: [...draft.afterwards, change] }
}

const HTTP2 = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000'
const TLS = '\x16\x03\x01\u0000\xa5\x01\u0000\u0000\xa1\x03\x03'
const PREFIXES = [
  '\r\n',
  '\r\n\r\n',
  '\n',
  ' ',
  '\u0000',
  '\xef\xbb\xbf',
  'x',
  'PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n',
  TLS,
  HTTP2,
]

/** Mutations of the finished bytes, at any place. */
export const BYTE_MUTATIONS: readonly Mutation[] = [
  {
    ...{ name: 'cut off', level: 'bytes' },
    apply: (draft, random) => {
      const at = random.below(2 ** 31)
      return changed(draft, (bytes) => bytes.slice(0, at % Math.max(1, bytes.length)))
    },
  },
  {
    ...{ name: 'another byte', level: 'bytes' },
    apply: (draft, random) => {
      const [at, byte] = [random.below(2 ** 31), randomBytes(random, 1)]
      return changed(
        draft,
        (bytes) => `${bytes.slice(0, at % bytes.length)}${byte}${bytes.slice((at % bytes.length) + 1)}`,
      )
    },
  },
  {
    ...{ name: 'more bytes', level: 'bytes' },
    apply: (draft, random) => {
      const at = random.below(2 ** 31)
      const more = random.oneIn(2)
        ? randomBytes(random, 1 + random.below(20))
        : random.pick(['\r\n', '\u0000', ':', ' ', '\n', '0'])
      return changed(
        draft,
        (bytes) => `${bytes.slice(0, at % bytes.length)}${more}${bytes.slice(at % bytes.length)}`,
      )
    },
  },
  {
    ...{ name: 'bytes less', level: 'bytes' },
    apply: (draft, random) => {
      const [at, length] = [random.below(2 ** 31), 1 + random.below(20)]
      return changed(
        draft,
        (bytes) => `${bytes.slice(0, at % bytes.length)}${bytes.slice((at % bytes.length) + length)}`,
      )
    },
  },
  {
    ...{ name: 'bytes twice', level: 'bytes' },
    apply: (draft, random) => {
      const [at, length] = [random.below(2 ** 31), 1 + random.below(200)]
      return changed(draft, (bytes) => {
        const begin = at % bytes.length
        return `${bytes.slice(0, begin + length)}${bytes.slice(begin)}`
      })
    },
  },
  {
    ...{ name: 'bytes in front', level: 'bytes' },
    apply: (draft, random) => {
      const prefix = random.pick(PREFIXES)
      return changed(draft, (bytes) => `${prefix}${bytes}`)
    },
  },
  {
    ...{ name: 'bytes behind', level: 'bytes' },
    apply: (draft, random) => {
      const more = random.pick(['\r\n', 'x', '\u0000', '\r\n\r\n', 'GET', 'HTTP/1.1 200 OK\r\n\r\n'])
      return changed(draft, (bytes) => `${bytes}${more}`)
    },
  },
  {
    ...{ name: 'nothing but bytes', level: 'bytes' },
    apply: (draft, random) => {
      const bytes = random.pick([
        HTTP2,
        TLS,
        randomBytes(random, 50),
        '\r\n'.repeat(50),
        '\u0000'.repeat(100),
        'a'.repeat(20_000),
      ])
      return changed(draft, () => bytes)
    },
  },
]
