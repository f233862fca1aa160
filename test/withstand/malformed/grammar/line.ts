import { randomBytes, replaceHeader, type Mutation } from './draft.js'

const METHODS = [
  ...[
    'HEAD',
    'OPTIONS',
    'PUT',
    'TRACE',
    'DELETE',
    'PATCH',
    'POST',
    'GET',
    'PROPFIND',
    'M-SEARCH',
    'QUERY',
    'LINK',
  ],
  ...['ACL', 'PURGE', 'SUBSCRIBE', 'SOURCE', 'CONNECT', 'UNLOCK', 'REPORT', 'BIND', 'MKCALENDAR'],
]
/** No method that HTTP has. */
const NO_METHODS = [
  'get',
  'GE T',
  'G\u0000T',
  '',
  'GETT',
  'BREW',
  '\xffGET',
  'GET\t',
  'G/T',
  '"GET"',
  'A'.repeat(5000),
]

/** Targets in other forms, of what there is and what there is not. */
const TARGETS = [
  ...[
    '*',
    '/',
    '//',
    '/v1/pets',
    '/v1//pets',
    '/v1/./pets',
    '/v1/../v1/pets',
    '/V1/PETS',
    '/v1/pets/',
    '/v1/pets;a=b',
  ],
  ...[
    '/v1/pets#a',
    '/v1/pets?',
    '/v1/pets?limit',
    '/v1/pets?limit=1&limit=2',
    '/v1/pets?limit=%31',
    '/v1/pets?limit=1e1',
  ],
  ...[
    '/v1/pets?cursor=',
    '/v1/pets?cursor=AAAA',
    '/v1/pets?cursor=%00',
    '/v1/pets?cursor=cDE6MQ',
    '/v1/pets?cursor=ÿ',
  ],
  ...[
    '/v1/pets?ids=',
    '/v1/pets?ids=1,,2',
    '/v1/pets?ids=1e400',
    '/v1/pets?ids=%2C',
    '/v1/pets?__proto__=1&limit=3',
  ],
  ...[
    '/v1/pets/%31',
    '/v1/pets/%00',
    '/v1/pets/%zz',
    '/v1/pets/%',
    '/v1/pets/%ff',
    '/v1/pets/%C0%AF',
    '/v1/pets/..%2f1',
  ],
  ...[
    '/v1/pets/-1',
    '/v1/pets/0',
    '/v1/pets/1e3',
    '/v1/pets/9007199254740993',
    '/v1/pets/__proto__',
    '/v1/pets/1%0d%0aX:1',
  ],
  ...[
    '/v1/pets/1?a[b]=c',
    '/api/auth/login?email=a',
    '/api/auth',
    '/api/auth/',
    '/api/',
    '/api/auth/%6Cogin',
    '/api/none',
  ],
  ...[
    '/api/auth/get-identity?jwt=a',
    '/api/project/',
    '/api/project/0',
    '/api/project/%20',
    '/docs/..%2fpackage.json',
  ],
  ...[
    '/docs/%2e%2e/%2e%2e/etc/passwd',
    '/docs',
    '/docs/page.js',
    '/openapi.json?',
    '/health/ready?a=b',
    '/health/LIVE',
  ],
  ...[
    '/.well-known/jwks.json',
    '/favicon.ico',
    '/v1/pets?limit=100&cursor=',
    '/v1/pets?&&&',
    '/v1/pets?=',
    '/v1/pets??',
  ],
]
const ABSOLUTES = [
  ...[
    'http://127.0.0.1/v1/pets',
    'http://evil.example/v1/pets',
    'https://x/api/auth/login',
    'http://',
    'http:///v1/pets',
  ],
  ...[
    'http://a:b@c/v1/pets',
    'http://[::1]/v1/pets',
    'http://x:99999/v1/pets',
    'HTTP://X/V1',
    'ftp://x/y',
    'x:y',
    'http://x',
  ],
  ...[
    'http://x?a',
    'http://%00/',
    'file:///etc/passwd',
    'http://[/',
    'http://x/../../a',
    'localhost:80',
    'javascript:1',
  ],
]
/** What no target may hold. */
const NO_TARGETS = [
  '/v1 /pets',
  '/\u0000',
  '/v1/pets\u0000',
  '/\x01',
  '/\x7f',
  '/v1/\rpets',
  'v1/pets',
  '?',
  '\\v1\\pets',
]
const VERSIONS = ['HTTP/1.0', 'HTTP/0.9', 'HTTP/1.2', 'HTTP/1.9', 'HTTP/2.0', 'HTTP/3', '']
const NO_VERSIONS = [
  'HTTP/11',
  'http/1.1',
  'HTTP/1.',
  'HTTP/1',
  'HTTP 1.1',
  'ICE/1.1',
  'HTTP/-1.1',
  'HTTP/1.1x',
  'TTP/1.1',
  'X',
]

/** Mutations of the request line. */
export const LINE_MUTATIONS: readonly Mutation[] = [
  {
    ...{ name: 'another method', level: 'line' },
    apply: (draft, random) => ({ ...draft, method: random.pick(METHODS) }),
  },
  {
    ...{ name: 'no method', level: 'line' },
    apply: (draft, random) => ({ ...draft, method: random.pick(NO_METHODS) }),
  },
  {
    ...{ name: 'another target', level: 'line' },
    apply: (draft, random) => ({ ...draft, target: random.pick(TARGETS) }),
  },
  {
    ...{ name: 'an absolute target', level: 'line' },
    apply: (draft, random) => ({ ...draft, target: random.pick(ABSOLUTES) }),
  },
  {
    ...{ name: 'no target', level: 'line' },
    apply: (draft, random) => ({ ...draft, target: random.pick(NO_TARGETS) }),
  },
  {
    ...{ name: 'bytes in the target', level: 'line' },
    apply: (draft, random) => ({
      ...draft,
      target: `${draft.target}${randomBytes(random, 1 + random.below(8))}`,
    }),
  },
  {
    ...{ name: 'a long target', level: 'line' },
    apply: (draft, random) => {
      const unit = random.pick(['a', '/', '%20', '../', '?', '&a=b', '&limit=1', '\xff', ','])
      const sign = random.pick(['', '?', '?ids='])
      return {
        ...draft,
        target: `${draft.target}${sign}${unit.repeat(random.pick([50, 1500, 4000, 16_500]))}`,
      }
    },
  },
  {
    ...{ name: 'another version', level: 'line' },
    apply: (draft, random) => ({ ...draft, version: random.pick(VERSIONS) }),
  },
  {
    ...{ name: 'no version', level: 'line', verdict: 'unread' },
    apply: (draft, random) => ({ ...draft, version: random.pick(NO_VERSIONS) }),
  },
  {
    ...{ name: 'HTTP/1.0 that stays open', level: 'line' },
    apply: (draft) =>
      replaceHeader({ ...draft, version: 'HTTP/1.0' }, 'Connection', 'Connection: keep-alive'),
  },
  {
    ...{ name: 'blanks in the line', level: 'line' },
    apply: (draft, random) => {
      const blank = random.pick(['  ', '\t', ' \t', '\x0b', '\x0c', '\xa0', '\r'])
      return random.oneIn(2)
        ? { ...draft, target: `${blank}${draft.target}` }
        : { ...draft, version: `${blank}HTTP/1.1` }
    },
  },
]
