import { withHeader, withoutHeader, type Draft, type Mutation } from './draft.js'
import type { Random } from '../../random.js'

/** Comes after a request whose length is in doubt: a server that answers this has read it in two ways. */
const SMUGGLED = 'GET /v1/pets?limit=1 HTTP/1.1\r\nHost: smuggled\r\n\r\n'

/** Lengths that are none (RFC 9112, 6.3). */
const NO_LENGTHS = [
  '-1',
  '+5',
  '5, 6',
  '0x5',
  '1e1',
  'a',
  '5 5',
  '5\u0000',
  '18446744073709551616',
  '9'.repeat(40),
  '\xb2',
  '5;',
  '-0',
]
/** Codings of which the last is not `chunked`, or that are none (RFC 9112, 6.1). */
const NO_CODINGS = [
  'x',
  'identity',
  'chunked, identity',
  'gzip',
  '\x0bchunked',
  'chunked;',
  'chun ked',
  'xchunked',
  'chunked\u0000',
]
const NO_SIZES = ['-1', 'g', '0x5', '5 5', 'ffffffffffffffffff', '', '+5', '5\r5', ' ', '\u0000']

function own(draft: Draft, ...lines: readonly string[]): Draft {
  return withHeader({ ...draft, isMeasured: false }, ...lines)
}

function piecesOf(body: string, random: Random): string[] {
  const pieces: string[] = []
  for (let at = 0; at < body.length;) {
    const length = 1 + random.below(body.length > 500 ? 5000 : 40)
    pieces.push(body.slice(at, at + length))
    at += length
  }
  return pieces
}

type Chunking = { readonly size?: (length: number) => string; readonly end?: string; readonly last?: string }

function chunked(
  draft: Draft,
  random: Random,
  { size = hex, end = '\r\n', last = '0\r\n\r\n' }: Chunking = {},
): Draft {
  const chunks = piecesOf(draft.body, random).map((piece) => `${size(piece.length)}${end}${piece}${end}`)
  return own({ ...draft, body: `${chunks.join('')}${last}` }, 'Transfer-Encoding: chunked')
}

const hex = (length: number) => length.toString(16)

/** Something to disagree about, where a request has no body. */
function withBody(draft: Draft): Draft {
  return draft.body === '' ? { ...draft, body: '{"a":1}' } : draft
}

/** Mutations of where a request ends, and of the lines of its head. */
export const FRAMING_MUTATIONS: readonly Mutation[] = [
  {
    ...{ name: 'a length that is none', level: 'framing', verdict: 'unread' },
    apply: (draft, random) => own(withBody(draft), `Content-Length: ${random.pick(NO_LENGTHS)}`),
  },
  {
    ...{ name: 'two lengths', level: 'framing', verdict: 'unread' },
    apply: (draft) => {
      const { body, ...rest } = withBody(draft)
      return own(
        { ...rest, body: `${body}${SMUGGLED}` },
        `Content-Length: ${body.length}`,
        `Content-Length: ${body.length + SMUGGLED.length}`,
      )
    },
  },
  {
    ...{ name: 'a length that is too small', level: 'framing' },
    apply: (draft, random) => {
      const { body, ...rest } = withBody(draft)
      return own({ ...rest, body }, `Content-Length: ${random.below(body.length)}`)
    },
  },
  {
    ...{ name: 'a length that is too great', level: 'framing' },
    apply: (draft, random) => {
      const { body, ...rest } = withBody(draft)
      const more = random.pick([1, 10, 70_000, 1e9, 9_007_199_254_740_000])
      return own({ ...rest, body }, `Content-Length: ${body.length + more}`)
    },
  },
  {
    ...{ name: 'a length with zeros', level: 'framing' },
    apply: (draft) => own(draft, `Content-Length: 0000${draft.body.length}`),
  },
  {
    ...{ name: 'a length and chunks', level: 'framing', verdict: 'unread' },
    apply: (draft, random) => {
      const short = chunked(draft, random, { last: `0\r\n\r\n${SMUGGLED}` })
      const length = random.pick([short.body.length, short.body.length - SMUGGLED.length, 4, 0])
      return withHeader(short, `Content-Length: ${length}`)
    },
  },
  {
    ...{ name: 'chunks and a length', level: 'framing', verdict: 'unread' },
    apply: (draft, random) => {
      const { headers, ...rest } = chunked(draft, random, { last: `0\r\n\r\n${SMUGGLED}` })
      return { ...rest, headers: ['Content-Length: 3', ...headers] }
    },
  },
  {
    ...{ name: 'a transfer coding that is none', level: 'framing', verdict: 'unread' },
    apply: (draft, random) => {
      const { headers, ...rest } = chunked(draft, random)
      return { ...rest, headers: [...headers.slice(0, -1), `Transfer-Encoding: ${random.pick(NO_CODINGS)}`] }
    },
  },
  {
    ...{ name: 'two transfer codings', level: 'framing', verdict: 'unread' },
    apply: (draft, random) =>
      withHeader(chunked(draft, random), `Transfer-Encoding: ${random.pick(['identity', 'x', 'gzip'])}`),
  },
  {
    ...{ name: 'chunks', level: 'framing' },
    apply: (draft, random) => chunked(draft, random),
  },
  {
    ...{ name: 'chunks with extensions', level: 'framing' },
    apply: (draft, random) => {
      const extension = random.pick([';a=b', ';a="b c"', ' ;a', ';', `;a=${'b'.repeat(4000)}`, ';\xff', '\t'])
      return chunked(draft, random, { size: (length) => `${hex(length)}${extension}` })
    },
  },
  {
    ...{ name: 'chunks of odd sizes', level: 'framing' },
    apply: (draft, random) => {
      const zeros = '0'.repeat(random.pick([1, 10, 300]))
      return chunked(draft, random, { size: (length) => `${zeros}${hex(length).toUpperCase()}` })
    },
  },
  {
    ...{ name: 'a chunk size that is none', level: 'framing', verdict: 'refused-body' },
    apply: (draft, random) => {
      const size = random.pick(NO_SIZES)
      return chunked(withBody(draft), random, { size: () => size })
    },
  },
  {
    ...{ name: 'a chunk size that is wrong', level: 'framing' },
    apply: (draft, random) => {
      const by = random.pick([-1, 1, 100])
      return chunked(withBody(draft), random, { size: (length) => hex(Math.max(0, length + by)) })
    },
  },
  {
    ...{ name: 'chunks without an end', level: 'framing' },
    apply: (draft, random) =>
      chunked(draft, random, { last: random.pick(['', '0', '0\r\n', '0\r\nA: b\r\n']) }),
  },
  {
    ...{ name: 'chunks and trailers', level: 'framing' },
    apply: (draft, random) => {
      const trailer = random.pick([
        'A: b',
        'Content-Length: 5',
        'Transfer-Encoding: x',
        'A : b',
        ' a',
        `A: ${'b'.repeat(20_000)}`,
      ])
      return chunked(draft, random, { last: `0\r\n${trailer}\r\n\r\n` })
    },
  },
  {
    ...{ name: 'chunks with bare line feeds', level: 'framing' },
    apply: (draft, random) => chunked(draft, random, { end: '\n' }),
  },
  {
    ...{ name: 'a coding and no chunks', level: 'framing' },
    apply: (draft) => own(draft, 'Transfer-Encoding: chunked'),
  },
  {
    ...{ name: 'another end of line', level: 'framing' },
    apply: (draft, random) => ({ ...draft, end: random.pick(['\n', '\r', '\r\r\n', '\n\r', '\r\n\r\n']) }),
  },
  {
    ...{ name: 'a folded header', level: 'framing', verdict: 'unread' },
    apply: (draft, random) => withHeader(draft, `X-Folded: a\r\n${random.pick([' ', '\t'])}b`),
  },
  {
    ...{ name: 'a folded length', level: 'framing', verdict: 'unread' },
    apply: (draft) => own(withBody(draft), 'Content-Length:\r\n 5'),
  },
  {
    ...{ name: 'a blank before a colon', level: 'framing', verdict: 'unread' },
    apply: (draft, random) =>
      withHeader(draft, random.pick(['X-Blank : a', 'Host : x', 'Content-Length : 5', 'X\t: a'])),
  },
  {
    ...{ name: 'no header', level: 'framing', verdict: 'unread' },
    apply: (draft, random) => {
      const line = random.pick([
        'X',
        ': a',
        '\u0000: a',
        'X\u0000: a',
        'X: a\u0000',
        'X: a\rb',
        '(X): a',
        'X y: a',
        '\xff: a',
        'X\x7f: a',
      ])
      return withHeader(draft, line)
    },
  },
  {
    ...{ name: 'a head that does not end', level: 'framing' },
    apply: (draft) => ({ ...draft, afterwards: [(bytes) => bytes.slice(0, bytes.indexOf('\r\n\r\n') + 2)] }),
  },
  { name: 'no Host', level: 'headers', apply: (draft) => withoutHeader(draft, 'Host') },
]
