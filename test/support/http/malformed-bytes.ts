import { requestText } from './wire.js'

/** Bytes that are not an HTTP request; each of them gets exactly one 400. */
export const NO_REQUESTS: Readonly<Record<string, string | Uint8Array>> = {
  'text that is not HTTP': 'hello\r\n\r\n',
  'TLS on a plain socket': Buffer.from([0x16, 0x03, 0x01, 0x00, 0xa5, 0x01, 0x00, 0x00, 0xa1, 0x03, 0x03]),
  'HTTP/2': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'an unknown method': requestText('BREW / HTTP/1.1', { Host: 'x' }),
  'a method in lower case': requestText('get / HTTP/1.1', { Host: 'x' }),
  'a space in the URL': requestText('GET /a b HTTP/1.1', { Host: 'x' }),
  'a space before a colon': 'GET / HTTP/1.1\r\nHost : x\r\n\r\n',
  'a folded header': 'GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n',
  'U+0000 in a header': requestText('GET / HTTP/1.1', { Host: 'x', A: 'a\u0000b' }),
  'a negative length': requestText('POST /v1/pets HTTP/1.1', { Host: 'x', 'Content-Length': '-1' }),
  'two lengths': 'POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
  'a length and chunks': requestText(
    'POST /v1/pets HTTP/1.1',
    { Host: 'x', 'Content-Length': '5', 'Transfer-Encoding': 'chunked' },
    '0\r\n\r\n',
  ),
  'an unknown transfer encoding': requestText(
    'POST /v1/pets HTTP/1.1',
    { Host: 'x', 'Transfer-Encoding': 'x' },
    'a',
  ),
}

/** Bodies with `Transfer-Encoding: chunked` that the parser rejects, and the status of each. */
export const BROKEN_CHUNKS: Readonly<Record<string, readonly [chunks: string, status: number]>> = {
  'no size': ['zz\r\n{}\r\n0\r\n\r\n', 400],
  'a negative size': ['-2\r\n{}\r\n0\r\n\r\n', 400],
  'a size beyond 64 bits': ['fffffffffffffffff\r\n{}\r\n0\r\n\r\n', 400],
  'a chunk that is longer than its size': ['2\r\n{"name":"Rex"}\r\n0\r\n\r\n', 400],
  'a second chunk without a size': ['2\r\n{}\r\nzz\r\n', 400],
  'an extension of 20 kB': [`2;a=${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, 400],
  'a trailer that is not a header': ['2\r\n{}\r\n0\r\nno header\r\n\r\n', 400],
  'a trailer of 20 kB': [`2\r\n{}\r\n0\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
}
