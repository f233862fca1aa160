import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { randomBytes, replaceHeader, withHeader, type Draft, type Mutation } from './draft.js'

type Pack = (bytes: Buffer) => Buffer

const PACKS: Readonly<Record<string, Pack>> = {
  gzip: (bytes) => gzipSync(bytes),
  deflate: (bytes) => deflateSync(bytes),
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 2 } }),
}
const CODINGS = Object.keys(PACKS)

/** 20 MB of blanks in 20 kB, or in hardly anything: made once. */
const BOMBS: Readonly<Record<string, string>> = Object.fromEntries(
  CODINGS.map((coding) => [coding, packed(coding, ' '.repeat(20_000_000))]),
)

function packed(coding: string, body: string): string {
  const pack = PACKS[coding] ?? ((bytes) => bytes)
  return pack(Buffer.from(body, 'latin1')).toString('latin1')
}

function encoded(draft: Draft, coding: string, body: string): Draft {
  return replaceHeader({ ...draft, body }, 'Content-Encoding', `Content-Encoding: ${coding}`)
}

/** Mutations of how a body is packed and what is said of it. */
export const ENCODING_MUTATIONS: readonly Mutation[] = [
  {
    ...{ name: 'packed', level: 'headers' },
    apply: (draft, random) => {
      const coding = random.pick(CODINGS)
      return encoded(draft, coding, packed(coding, draft.body))
    },
  },
  {
    ...{ name: 'a bomb', level: 'headers', verdict: 'refused-body' },
    apply: (draft, random) => {
      const coding = random.pick(CODINGS)
      return encoded(draft, coding, BOMBS[coding] ?? '')
    },
  },
  {
    ...{ name: 'packed and cut off', level: 'headers', verdict: 'refused-body' },
    apply: (draft, random) => {
      const coding = random.pick(CODINGS)
      const whole = packed(coding, `${draft.body}${' '.repeat(300)}${randomBytes(random, 100)}`)
      return encoded(draft, coding, whole.slice(0, 1 + random.below(whole.length - 60)))
    },
  },
  {
    ...{ name: 'packed and spoilt', level: 'headers' },
    apply: (draft, random) => {
      const coding = random.pick(CODINGS)
      const whole = packed(coding, draft.body)
      const at = random.below(whole.length)
      return encoded(draft, coding, `${whole.slice(0, at)}${randomBytes(random, 3)}${whole.slice(at + 3)}`)
    },
  },
  {
    ...{ name: 'not packed as it says', level: 'headers', verdict: 'refused-body' },
    apply: (draft, random) => encoded(draft, random.pick(CODINGS), draft.body === '' ? '{}' : draft.body),
  },
  {
    ...{ name: 'packed without a header of its own', level: 'headers' },
    apply: (draft) => ({
      ...draft,
      body: deflateRawSync(Buffer.from(draft.body, 'latin1')).toString('latin1'),
    }),
  },
  {
    ...{ name: 'another coding', level: 'headers' },
    apply: (draft, random) => {
      const codings = [
        'identity',
        'compress',
        'x-gzip',
        'zstd',
        'gzip, gzip',
        'GZIP',
        ' ',
        'gzip;q=0',
        '\xff',
        'a'.repeat(3000),
      ]
      return encoded(draft, random.pick(codings), draft.body)
    },
  },
  {
    ...{ name: 'another type', level: 'headers' },
    apply: (draft, random) => {
      const types = [
        ...[
          'text/plain',
          'application/json; charset=utf-16',
          'application/json; charset=utf-8',
          'APPLICATION/JSON',
        ],
        ...[
          'application/json; charset="utf-8"',
          'application/json;',
          'application/json; charset',
          '',
          '/',
          '*/*',
        ],
        ...[
          'application/json, text/plain',
          'application/merge-patch+json',
          'multipart/form-data; boundary=x',
        ],
        ...[
          'application/x-www-form-urlencoded',
          `application/json; a=${'b'.repeat(2000)}`,
          'application/json\xff',
        ],
        ...[
          `application/json${'; a=b'.repeat(500)}`,
          'application/json; charset=utf-7',
          'application/json\t; a="\\"',
        ],
      ]
      return replaceHeader(draft, 'Content-Type', `Content-Type: ${random.pick(types)}`)
    },
  },
  {
    ...{ name: 'two types', level: 'headers' },
    apply: (draft) => withHeader(draft, 'Content-Type: text/plain'),
  },
  {
    ...{ name: 'a body where there is none', level: 'headers' },
    apply: (draft, random) => ({
      ...draft,
      body: draft.body || random.pick(['{}', 'a', '\u0000', '{"a":1}']),
    }),
  },
]
