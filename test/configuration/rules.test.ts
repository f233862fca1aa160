import { expect } from 'chai'
import { faultsOf, GOOD_PASSPHRASE, PRODUCTION, type Texts } from './reading.js'

const DURATION = 'must be a duration from 1s to 3650d in whole seconds, such as 30s, 15m, 7d'
const ORIGIN = 'must be an http or https origin such as https://pets.example, without user, path or query'
const ENTRY = 'must be an origin exactly as browsers send it, such as https://app.example'
const COST = 'must be log2 N / r / p, such as 17/8/1'
const PLAIN_PATH = 'must have the plain path after the colon: sqlite:./data/app.db or sqlite:/var/lib/app.db'

/** Each of these values alone, in local development, is refused with this very sentence. */
const REFUSED: Readonly<Record<string, readonly (readonly [values: readonly string[], rule: string])[]>> = {
  NODE_ENV: [[['prod', 'Production', ' production'], 'must be development, test or production']],
  HOST: [
    [
      ['localhost:3000', 'http://localhost', '256.1.1.1', 'a b', '[::1', '::1%lo', '/tmp/socket'],
      'must be an address or a host name, without a port',
    ],
  ],
  PORT: [[['-1', '65536', '80.5', '0x50', '080', 'http', ' 80'], 'must be an integer from 0 to 65535']],
  PUBLIC_URL: [
    [
      [
        'pets.example',
        'ftp://pets.example',
        'https://pets.example/v1',
        'https://pets.example?x=1',
        'https://pets.example#x',
        'https://me@pets.example',
        'https://me:pw@pets.example',
        'https://',
        'https:///',
        'https://pets.example:99999',
        'https:\\\\pets.example',
        'https://*.example',
      ],
      ORIGIN,
    ],
  ],
  TRUST_PROXY: [[['-1', '11', 'true', 'loopback'], 'must be an integer from 0 to 10']],
  CORS_ORIGINS: [
    [['*', 'https://a.example,*', 'https://*.example'], 'must list every origin: credentials never go to *'],
    [
      ['null', 'a.example', 'https://A.example', 'https://a.example/', 'https://a.example:443'],
      `entry 1 ${ENTRY}`,
    ],
    [['https://a.example,https://b.example/x', 'https://a.example,'], `entry 2 ${ENTRY}`],
  ],
  BODY_LIMIT: [
    [
      ['0', '1b', '1023', '17mb', '64k', '64 kb', '-1kb', '1gb'],
      'must be a size from 1kb to 16mb, such as 64kb',
    ],
  ],
  REQUEST_TIMEOUT: [
    [['0', '99ms', '61m', '30', 'never'], 'must be a duration from 100ms to 1h, such as 500ms, 30s, 15m'],
  ],
  MAX_CONNECTIONS: [[['0', '-1', '1.5', '1000001', 'many'], 'must be an integer from 1 to 1000000']],
  SHUTDOWN_GRACE: [[['-1s', '2h', '10'], 'must be a duration from 0 to 1h, such as 500ms, 30s, 15m']],
  DATABASE_URL: [
    [
      ['postgres://u:pw@db/app', './data/app.db', 'memory', 'SQLITE:x', 'MongoDB://db'],
      'must be sqlite:PATH, mongodb://…, mongodb+srv://… or memory:',
    ],
    [
      ['mongodb:', 'mongodb://', 'mongodb:///app', 'mongodb+srv://u:pw@/app', 'mongodb://a b/app'],
      'must name a server, as in mongodb://host:27017/kennel',
    ],
    [
      ['mongodb://u:p@w@db/app', 'mongodb://u:p@w@db'],
      'must have @ : / ? # percent-encoded in the user name and the password',
    ],
    [['sqlite::memory:'], 'must be memory: for a store that is not kept'],
    [['sqlite://data/app.db', 'sqlite:file:app.db'], PLAIN_PATH],
    [['sqlite:', 'sqlite:./data/', 'sqlite:a\nb'], 'must name a file: sqlite:./data/app.db'],
  ],
  SECURITY_JWT_PASSPHRASE: [
    [['Short-1'], 'must have at least 16 characters'],
    [['abcdef0123456789abcdef0123456789'], 'must not consist of hexadecimal digits only'],
    [['no upper case here 1!'], 'must contain an upper-case letter'],
  ],
  SECURITY_JWT_PASSPHRASE_PREVIOUS: [
    [
      ['[', '["a"', '[1]', '[""]', ' [null]'],
      'must be a JSON array of strings where it begins with a bracket',
    ],
  ],
  TOKEN_FORMAT: [[['JWT', 'v4.public'], 'must be jwt or paseto']],
  TOKEN_ALG: [[['HS256', 'none', 'Ed25519'], 'must be HS512 or EdDSA']],
  ACCESS_TOKEN_TTL: [[['0', '900', '1.5m', '500ms', '1500ms', '15M', '3651d', '15min'], DURATION]],
  REFRESH_TOKEN_TTL: [[['0', '-7d', '1w'], DURATION]],
  SESSION_TTL: [[['0', '9999999999d', 'Infinity'], DURATION]],
  REFRESH_GRACE: [[['61s', '2m', '10'], 'must be a duration from 0 to 60s, such as 500ms, 30s, 15m']],
  IDENTITY_AUTHORIZATION_HEADER: [
    [['X Authorization', 'X-Auth:', 'Ünïcode', 'x'.repeat(65)], 'must be the name of a header'],
    [
      [
        'Cookie',
        'host',
        'Origin',
        'Content-Type',
        'If-Match',
        'Sec-Token',
        'Proxy-Authorization',
        'BasicAuth',
      ],
      'names a header that has another meaning',
    ],
  ],
  PETS_API_KEY_HEADER: [
    [['Authorization', 'authorization'], 'must not be Authorization, which carries the Basic credentials'],
    [['Cookie', 'ApiKeyAuth', 'Idempotency-Key'], 'names a header that has another meaning'],
    [['X-API-Key\r\n'], 'must be the name of a header'],
  ],
  SESSION_COOKIE_NAME: [
    [
      ['__Host-sid', '__secure-sid'],
      'must come without a prefix: the service puts __Host- before it where it is secure',
    ],
    [
      ['a=b', 'a;b', 'a b', 'é'],
      'must be the name of a cookie: 1 to 64 letters, digits, hyphens or underscores',
    ],
  ],
  SESSION_COOKIE_SECURE: [[['yes', 'on', '2', 'TRUE'], 'must be 1, 0, true or false']],
  SESSION_COOKIE_SAMESITE: [[['Strict', 'off'], 'must be strict, lax or none']],
  PASSWORD_MIN_LENGTH: [[['0', '1025', 'eight'], 'must be an integer from 1 to 1024']],
  PASSWORD_SCRYPT: [
    [['17', '17/8', '17/8/1/1', '131072/8/1', 'a/b/c', '-1/8/1'], COST],
    [['9/8/1', '21/8/1'], 'is log2 N / r / p; logN must be an integer from 10 to 20'],
    [['17/0/1', '17/33/1'], 'is log2 N / r / p; r must be an integer from 1 to 32'],
    [['17/8/0', '17/8/17'], 'is log2 N / r / p; p must be an integer from 1 to 16'],
    [['20/9/1', '19/17/1'], 'is log2 N / r / p; must need at most 1 GiB (128 · N · r bytes)'],
  ],
  PASSWORD_HASH_CONCURRENCY: [[['0', '129', 'auto'], 'must be an integer from 1 to 128']],
  USER_MODEL_NAME: [
    [
      ['__proto__', 'constructor', '1User', 'User Name', 'x'.repeat(101)],
      'must be a name of 1 to 100 letters, digits, dots, hyphens, underscores or backslashes',
    ],
  ],
  PERMISSIONS_FILE: [
    [['./no/such/file.json'], 'names a file that cannot be read (ENOENT)'],
    [['a\u0000b'], 'must be a path of at most 4096 characters, without control characters'],
  ],
  PETS_SECURITY: [[['none', 'ANY'], 'must be any, all or key']],
  LOG_LEVEL: [[['trace', 'INFO'], 'must be debug, info, warn, error or silent']],
  IDENTITY_STATELESS: [[['yes', 'TRUE'], 'must be 1, 0, true or false']],
  STATELESS_REVOCATION: [[['1', 'memory'], 'must be none or store']],
  LOGIN_LIMIT: [
    [
      ['10', '0/15m', '10/0', '10/2d', '10/500ms', '1e3/15m', '10/15m/1', 'on', '-1/15m'],
      'must be off, or a number of attempts in a time from 1s to 1d, such as 10/15m',
    ],
  ],
  METRICS_PORT: [
    [['-1', '65536', '9464.5', 'on', 'OFF', '127.0.0.1:9464'], 'must be off, or an integer from 0 to 65535'],
  ],
  METRICS_HOST: [
    [['localhost:9464', 'http://localhost', '[::1'], 'must be an address or a host name, without a port'],
  ],
  DOCS: [[['yes', 'ON', '2', 'production'], 'must be on, off, 1, 0, true or false']],
}

/** Rules between variables. */
const REFUSED_TOGETHER: readonly (readonly [texts: Texts, faults: readonly string[]])[] = [
  [{ METRICS_PORT: '3000' }, ['METRICS_PORT must be another port than PORT: metrics are not for clients']],
  [
    { ...PRODUCTION, PUBLIC_URL: undefined },
    ['PUBLIC_URL is required in production: the origin that clients use, such as https://pets.example'],
  ],
  ...['http://pets.example', 'http://127.0.0.1:3000'].map(
    (url) =>
      [
        { ...PRODUCTION, PUBLIC_URL: url },
        [
          'PUBLIC_URL must be https in production: browsers keep the session cookie for https alone; outside production http does on a loopback address',
        ],
      ] as const,
  ),
  [
    {
      ...PRODUCTION,
      SESSION_COOKIE_SAMESITE: 'none',
      CORS_ORIGINS: 'https://a.example,http://localhost:5173',
    },
    [
      'CORS_ORIGINS must hold https origins only where SESSION_COOKIE_SAMESITE is none in production: whoever changes an http page on its way would act as its visitor',
    ],
  ],
  [
    { ...PRODUCTION, RESET_URL: 'http://app.example/new-password' },
    [
      'RESET_URL must be https in production, unless it is on a loopback address: whoever changes the page on its way would get the reset token',
    ],
  ],
  [
    { ...PRODUCTION, SECURITY_JWT_PASSPHRASE: undefined },
    [
      'SECURITY_JWT_PASSPHRASE is required; it may be missing only outside production and on a loopback PUBLIC_URL (`kennel-id key generate --plain` makes one)',
    ],
  ],
  [
    { ...PRODUCTION, SECURITY_JWT_PASSPHRASE: 'Owls & 7 valleys, dim' },
    ['SECURITY_JWT_PASSPHRASE must have at least 32 characters'],
  ],
  [
    {
      ...PRODUCTION,
      PUBLIC_URL: 'https://id.zuvvela-qombrik.example',
      SECURITY_JWT_PASSPHRASE: 'Zuvvela-Qombrik-9-zuvvela!-hfwtnkdypb',
      SECURITY_JWT_PASSPHRASE_PREVIOUS: 'Kennel-Production-Secret-2025-01!!',
    },
    [
      'SECURITY_JWT_PASSPHRASE must not consist mostly of common words and names',
      'SECURITY_JWT_PASSPHRASE_PREVIOUS, passphrase 1 of 1, must not consist mostly of common words and names',
    ],
  ],
  [
    { PUBLIC_URL: 'http://pets.example' },
    [
      'SECURITY_JWT_PASSPHRASE is required; it may be missing only outside production and on a loopback PUBLIC_URL (`kennel-id key generate --plain` makes one)',
    ],
  ],
  [
    { HOST: '0.0.0.0', SESSION_COOKIE_SECURE: '0', SECURITY_JWT_PASSPHRASE: GOOD_PASSPHRASE },
    ['SESSION_COOKIE_SECURE may be 0 only outside production and on a loopback PUBLIC_URL'],
  ],
  [
    { ...PRODUCTION, PUBLIC_URL: 'https://localhost:3000', SESSION_COOKIE_SECURE: '0' },
    ['SESSION_COOKIE_SECURE may be 0 only outside production and on a loopback PUBLIC_URL'],
  ],
  [
    { ...PRODUCTION, SESSION_COOKIE_SAMESITE: 'none' },
    ['SESSION_COOKIE_SAMESITE can be none only with the calling origins listed in CORS_ORIGINS'],
  ],
  [
    { SESSION_COOKIE_SAMESITE: 'none', CORS_ORIGINS: 'https://a.example' },
    ['SESSION_COOKIE_SAMESITE can be none only with a secure cookie (SESSION_COOKIE_SECURE=1)'],
  ],
  [
    { IDENTITY_AUTHORIZATION_HEADER: 'x-api-key' },
    ['IDENTITY_AUTHORIZATION_HEADER and PETS_API_KEY_HEADER must name different headers'],
  ],
  [
    { ACCESS_TOKEN_TTL: '8d', SESSION_TTL: '6d' },
    [
      'ACCESS_TOKEN_TTL must not be longer than REFRESH_TOKEN_TTL',
      'REFRESH_TOKEN_TTL must not be longer than SESSION_TTL',
    ],
  ],
  [
    { ...PRODUCTION, SECURITY_JWT_PASSPHRASE_PREVIOUS: JSON.stringify([GOOD_PASSPHRASE, 'weak']) },
    ['SECURITY_JWT_PASSPHRASE_PREVIOUS, passphrase 2 of 2, must have at least 32 characters'],
  ],
]

const UNSAFE_IN_PRODUCTION_ALONE: readonly Texts[] = [
  {
    PUBLIC_URL: 'https://localhost:3000',
    SESSION_COOKIE_SECURE: '1',
    SESSION_COOKIE_SAMESITE: 'none',
    CORS_ORIGINS: 'http://localhost:5173',
  },
  { RESET_URL: 'http://app.example/new-password' },
  { ...PRODUCTION, RESET_URL: 'http://localhost:5173/new-password' },
  { ...PRODUCTION, RESET_URL: 'http://127.0.0.1/new-password' },
  { ...PRODUCTION, RESET_URL: 'http://[::1]:5173/new-password' },
  { ...PRODUCTION, CORS_ORIGINS: 'http://app.example' },
  { ...PRODUCTION, PUBLIC_URL: 'http://pets.example', IDENTITY_STATELESS: '1' },
]

describe('the configuration accepts', () => {
  for (const texts of UNSAFE_IN_PRODUCTION_ALONE) {
    it(JSON.stringify(texts), () => {
      expect(faultsOf(texts)).to.deep.equal([])
    })
  }

  it('1, 0, true and false of every switch', () => {
    for (const name of ['SESSION_COOKIE_SECURE', 'IDENTITY_STATELESS', 'DOCS'])
      for (const text of ['1', '0', 'true', 'false']) expect(faultsOf({ [name]: text })).to.deep.equal([])
  })
})

describe('the configuration refuses', () => {
  for (const [name, rows] of Object.entries(REFUSED)) {
    it(name, () => {
      for (const [values, rule] of rows)
        for (const value of values)
          expect(faultsOf({ [name]: value }), JSON.stringify(value)).to.deep.equal([`${name} ${rule}`])
    })
  }

  for (const [texts, errors] of REFUSED_TOGETHER) {
    it(Object.keys(texts).join(' with '), () => {
      expect(faultsOf(texts)).to.deep.equal(errors)
    })
  }
})
