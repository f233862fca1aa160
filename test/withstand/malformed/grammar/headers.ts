import { randomBytes, replaceHeader, withHeader, withoutHeader, type Mutation } from './draft.js'

const COOKIES = [
  ...[
    '',
    'sid',
    'sid=',
    '=',
    ';',
    ';;;',
    'sid=a; sid=b',
    'sid="a"',
    'SID=a',
    ' sid=a',
    'sid =a',
    'sid=a\tb',
    'sid=\xff',
  ],
  ...[
    '__proto__=a',
    'sid=%00',
    '$Version=1; sid=a',
    'sid=a, sid=b',
    '\xa0sid=a',
    `sid=${'a'.repeat(5000)}`,
    'a=b; '.repeat(1500),
  ],
]
const AUTHORIZATIONS = [
  ...[
    '',
    'Basic',
    'Basic ',
    'Basic !',
    'Basic YQ',
    'Basic YTo=',
    'Basic Og==',
    'Basic /w==',
    'Basic  YTpi',
    'basic YTpi',
    'Basic YTpiYTpi==',
  ],
  ...[
    'Bearer',
    'Bearer ',
    'Bearer a',
    'Bearer a.b.c',
    'Bearer  a',
    'bearer eyJhbGciOiJub25lIn0.e30.',
    'BEARER a',
    'Bearer a b',
    'Bearer \xff',
  ],
  ...[
    'Digest username="a"',
    'Negotiate a',
    'AWS4-HMAC-SHA256 a',
    'Bearer v4.public.a',
    'Bearer v4.local.a',
    `Bearer ${'a'.repeat(9000)}`,
  ],
  ...[
    'Basic YTo=, Bearer a',
    `Basic ${'QUFB'.repeat(2500)}`,
    'Bearer e30.e30.e30',
    'Bearer ....',
    `Bearer ${'.'.repeat(3000)}`,
    'Token a',
  ],
]
const AUTHORIZING = [
  'Authorization',
  'X-Authorization',
  'X-API-Key',
  'ApiKeyAuth',
  'BasicAuth',
  'Proxy-Authorization',
]

/** Headers that the service looks at, or Node does, with values that are none. */
const ODD: Readonly<Record<string, readonly string[]>> = {
  Accept: [
    '',
    'text/html',
    '*',
    '*/*;q=0',
    'application/json;q=2',
    ','.repeat(900),
    'a/b;'.repeat(800),
    '\xff',
    'application/*',
  ],
  'Accept-Encoding': [
    '',
    '*',
    'gzip;q=nan',
    'identity;q=0',
    '*;q=0',
    'gzip'.repeat(1000),
    ',,',
    'gzip;q=1e400',
    '\xff',
  ],
  Connection: [
    'close',
    'upgrade',
    'keep-alive, close',
    'content-length',
    'host',
    '',
    'Connection',
    ','.repeat(200),
    'te, close',
  ],
  'Content-Location': ['/', 'http://x'],
  Expect: ['100-continue', '100-Continue', '200-ok', '', '100-continue, x', 'a'.repeat(500)],
  Forwarded: ['for=unknown', 'for="[::1]"'],
  Host: ['', 'a b', 'x:y', '[', 'x, y', 'a'.repeat(4000), '\xff', 'x/y', '127.0.0.1:99999', '@'],
  'Idempotency-Key': ['', ' ', 'a'.repeat(256), '\xff', 'a\tb', '__proto__', 'a b'],
  'If-Match': [
    '',
    '*',
    '"',
    '"a',
    'W/"1-1"',
    '"1-1","1-2"',
    ','.repeat(900),
    '"99999999999999999999-1"',
    '"1-1e400"',
    '\xff',
  ],
  'If-None-Match': ['', '*', '"', 'W/', ','.repeat(900), '"\xff"', 'W/"1-1" '.repeat(100)],
  'If-Modified-Since': ['', '0', 'yesterday', 'Thu, 99 Foo 99999 99:99:99 GMT', '1e400', 'Invalid Date'],
  'Keep-Alive': ['timeout=0', 'timeout=1e400', 'max=-1'],
  Origin: [
    '',
    'null',
    'http://evil.example',
    '*',
    'http://',
    'a'.repeat(3000),
    'http://127.0.0.1',
    '\xff',
    'file://',
  ],
  Range: ['bytes=0-', 'bytes=-1', 'bytes=0-0,1-1', 'lines=1', 'bytes=9-1'],
  'Sec-Fetch-Site': ['cross-site', 'same-origin', 'x'],
  TE: ['trailers', 'chunked', 'deflate;q=2'],
  Trailer: ['Content-Length', 'X', ','],
  Upgrade: ['websocket', 'h2c', 'HTTP/2.0', '', 'TLS/1.0', 'a/b, c'],
  'HTTP2-Settings': ['AAMAAABkAAQAAP__', '!'],
  'User-Agent': [
    '',
    '\xff'.repeat(100),
    'a'.repeat(4000),
    '(((((',
    'Mozilla/5.0 '.repeat(300),
    '\xe2\x80\xae',
  ],
  'X-Forwarded-For': ['unknown', '1.2.3.4,'.repeat(500), '[::1', '999.1.1.1', '::ffff:1.2.3.4', '\xff'],
  'X-HTTP-Method-Override': ['DELETE', 'PATCH'],
  'X-Request-Id': ['', 'a', '\xff', 'a'.repeat(65), '../../x', 'AAAAAAAA-AAAA'],
  'Access-Control-Request-Method': ['PATCH', '', 'x y'],
  'Content-Type': ['application/json'],
}

/** What the value of a header may hold. */
function isText(byte: string): boolean {
  return byte === '\t' || (byte >= ' ' && byte !== '\u007f')
}

/** Mutations of header values: the head can be read as before. */
export const HEADER_MUTATIONS: readonly Mutation[] = [
  {
    ...{ name: 'an odd header', level: 'headers' },
    apply: (draft, random) => {
      const name = random.pick(Object.keys(ODD))
      const line = `${name}: ${random.pick(ODD[name] ?? [''])}`
      return random.oneIn(3) ? withHeader(draft, line) : replaceHeader(draft, name, line)
    },
  },
  {
    ...{ name: 'Expect', level: 'headers' },
    apply: (draft, random) => withHeader(draft, `Expect: ${random.pick(ODD['Expect'] ?? [])}`),
  },
  {
    ...{ name: 'Upgrade', level: 'headers' },
    apply: (draft, random) => {
      const upgrade = `Upgrade: ${random.pick(ODD['Upgrade'] ?? [])}`
      return replaceHeader(
        draft,
        'Connection',
        'Connection: Upgrade, HTTP2-Settings',
        upgrade,
        'HTTP2-Settings: AAMA',
      )
    },
  },
  {
    ...{ name: 'a cookie', level: 'headers' },
    apply: (draft, random) => {
      const line = `Cookie: ${random.pick(COOKIES)}`
      return random.oneIn(2) ? withHeader(draft, line) : replaceHeader(draft, 'Cookie', line)
    },
  },
  {
    ...{ name: 'a credential', level: 'headers' },
    apply: (draft, random) => {
      const name = random.pick(AUTHORIZING)
      const line = `${name}: ${random.pick(AUTHORIZATIONS)}`
      return random.oneIn(2) ? withHeader(draft, line) : replaceHeader(draft, name, line)
    },
  },
  {
    ...{ name: 'a spoilt credential', level: 'headers' },
    apply: (draft, random) => ({
      ...draft,
      headers: draft.headers.map((line) => {
        if (!/^(?:cookie|authorization|x-|api|basic)/i.test(line)) return line
        const at = line.length - 1 - random.below(Math.min(60, line.length - line.indexOf(':') - 2))
        return `${line.slice(0, at)}${random.pick(['', 'A', ' ', '.', '=', '\xff', '\t'])}${line.slice(at + random.below(2))}`
      }),
    }),
  },
  {
    ...{ name: 'a header less', level: 'headers' },
    apply: (draft, random) => {
      const name = random.pick(['Host', ...draft.headers]).split(':', 1)[0] ?? ''
      return withoutHeader(draft, name)
    },
  },
  {
    ...{ name: 'a header twice', level: 'headers' },
    apply: (draft, random) => {
      const line = random.pick([...draft.headers, 'Host: x'])
      return withHeader(draft, random.oneIn(2) ? line : `${line}x`)
    },
  },
  {
    ...{ name: 'many headers', level: 'headers' },
    apply: (draft, random) => {
      const name = random.pick(['X-', 'Cookie', 'X-API-Key', 'Accept', 'Authorization'])
      const count = random.pick([20, 200, 1000, 2500])
      return withHeader(
        draft,
        ...Array.from({ length: count }, (_, at) => (name === 'X-' ? `X-${at}: a` : `${name}: a`)),
      )
    },
  },
  {
    ...{ name: 'a long header', level: 'headers' },
    apply: (draft, random) => {
      const name = random.pick([
        'X-Long',
        'Cookie',
        'X-API-Key',
        'Authorization',
        'X-Authorization',
        'Accept',
        'Host',
      ])
      const length = random.pick([1000, 7000, 15_000, 17_000, 70_000])
      return withHeader(
        draft,
        `${name}: ${random.pick(['a', ',', ' ', ';', '\xff', '"', '='])}`.padEnd(length, 'ab'),
      )
    },
  },
  {
    ...{ name: 'a long name', level: 'headers' },
    apply: (draft, random) => withHeader(draft, `${'X'.repeat(random.pick([300, 5000, 17_000]))}: a`),
  },
  {
    ...{ name: 'bytes in a value', level: 'headers' },
    apply: (draft, random) => {
      const value = Array.from(randomBytes(random, 1 + random.below(12)), (byte) =>
        isText(byte) ? byte : '?',
      )
      return withHeader(draft, `X-Bytes: ${value.join('')}`)
    },
  },
  {
    ...{ name: 'names in other cases', level: 'headers' },
    apply: (draft) => ({
      ...draft,
      headers: draft.headers.map((line) => line.replace(/^[^:]+/, (name) => name.toUpperCase())),
    }),
  },
]
