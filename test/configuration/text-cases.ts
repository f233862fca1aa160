import { GOOD_PASSPHRASE } from './reading.js'
import type { Cases, Good } from './reader-cases.js'

/** Splits at white space. */
export const words = (text: string) => text.trim().split(/\s+/)
/** Test cases whose parsed value equals the input string. */
export const same = (...texts: readonly string[]): readonly Good[] => texts.map((text) => [text, text])
export const long = (length: number) => 'x'.repeat(length)

const DOCUMENT =
  'must be a passphrase, not a JSON object; `kennel-id key generate --plain` prints the passphrase alone'
const DOCUMENTS = ['{"passphrase":"x"}', ' {}', '\uFEFF {"a":\n1}\r\n']
const OTHER = 'Another-Battery-8-Staple!-horse-correct'
const PATH = 'must have a plain path after the colon, such as'
const SMTP =
  'must name a server, such as smtp://user:password@mail.example:587, with @ : / ? # percent-encoded in the user name and the password'
const proxyEntry = (place: number) =>
  `entry ${place} must be an address or a network of a proxy, such as 10.0.0.0/8`
const originEntry = (place: number) =>
  `entry ${place} must be an origin exactly as browsers send it, such as https://app.example`
const APPS =
  words(`android:apk-key-hash:${'A'.repeat(43)} capacitor://localhost ionic://localhost tauri://localhost app://obsidian.md app://- app://localhost:3000
  chrome-extension://abcdefghijklmnopabcdefghijklmnop moz-extension://0b9f-4c safari-web-extension://A1B2-C3`)

/** Test cases for string and list readers, keyed by error message. */
export const TEXT_CASES: Readonly<Record<string, Cases>> = {
  'must be on, off, or a path of at most 4096 characters, without control characters': {
    good: [
      ['on', { kind: 'built-in' }],
      ['off', undefined],
      ['./off', { kind: 'file', path: './off' }],
      [long(4096), { kind: 'file', path: long(4096) }],
    ],
    wrong: ['a\u0000b', 'a\nb', long(4097)],
  },
  'must be an address or a host name, without a port': {
    good: [['[::1]', '::1'], ...same('localhost', '::1', '0.0.0.0', '::', '192.0.2.1', 'a_b.example')],
    wrong: [
      ...words('localhost:3000 http://localhost 256.1.1.1 [::1 ::1%lo /tmp/socket * hôte'),
      ...['a b', long(254)],
    ],
  },
  'must be an http or https origin such as https://pets.example, without a user name, path or query': {
    good: [
      ['http://LOCALHOST:80/', 'http://localhost'],
      ['https://Pets.Example:443', 'https://pets.example'],
      ...same('https://pets.example:8443', 'http://[::1]:3000'),
    ],
    wrong: [
      ...words(`pets.example ftp://pets.example https://pets.example/v1 https://pets.example?x=1
        https://pets.example#x https://me:pw@pets.example https://me@pets.example https:// https:///
        https://pets.example:99999 https:\\\\pets.example https://*.example / https://pets.example// https://[::1`),
      ' https://pets.example',
    ],
  },
  'must be an integer from 0 to 10, or addresses and networks of proxies such as 10.0.0.0/8': {
    good: [
      ['0', 0],
      ['10', 10],
      ['10.0.0.0/8', ['10.0.0.0/8']],
      ['192.0.2.1, 2001:DB8::/32,192.0.2.1', ['192.0.2.1', '2001:db8::/32']],
    ],
    wrong: words(`-1 11 01 true loopback 10.0.0.0/0 10.0.0.0/33 10.0.0.1:80 2001:db8::/129 fe80::1%eth0
      10.0.0.0/8;10.1.0.0/16`),
    others: {
      [proxyEntry(1)]: ['1,2', '1,10.0.0.0/8'],
      [proxyEntry(2)]: ['10.0.0.0/8,localhost', '10.0.0.0/8,'],
    },
    options: {
      good: [...[0, 10].map((count) => [count, count] as const), [[], 0], [[' ::1 '], ['::1']]],
      wrong: [11, -1, 0.5, Number.NaN, ['1'], ['10.0.0.0/8,10.1.0.0/16']],
    },
  },
  [originEntry(1)]: {
    good: [
      ['https://a.example, app://b,https://a.example', ['https://a.example', 'app://b']],
      [APPS.join(), APPS],
    ],
    wrong: [
      ...words(`null Null a.example https://A.example https://a.example/ https://a.example:443
        https://a.example;https://b.example Capacitor://localhost capacitor:// capacitor://localhost/
        android:apk-key-hash:AAAA android:apk-key-hash capacitor:localhost capacitor://user@localhost chrome-extension://abc/page.html file:// data://x
        blob:https://a.example ftp://a.example javascript://a webkit-extension://abc tauri://localhost: ,`),
      ...[' ', 'https://a.example https://b.example', 'app://a b'],
    ],
    others: {
      'must list every origin: credentials are never allowed for *': ['*', 'https://a.example,*'],
      [originEntry(2)]: ['https://a.example,https://b.example/x', 'https://a.example,'],
    },
  },
  'must be sqlite:PATH, postgresql://…, mongodb://…, mongodb+srv://… or memory:': {
    good: [
      ['memory:', { kind: 'memory' }],
      ['sqlite:/var/lib/app.db', { kind: 'sqlite', path: '/var/lib/app.db' }],
      ...['mongodb://u:p%40w@a:1,b:2/kennel?replicaSet=r', 'mongodb+srv://db.example'].map(
        (url) => [url, { kind: 'mongodb', url }] as const,
      ),
      ...words(
        'postgres://u:p%40w@db/app?sslmode=verify-full postgresql:///app?host=/run/postgresql postgresql://db/app? ' +
          'postgresql://db/app?pool_size=20&sslmode=require&channel_binding=require postgresql://db/app?pool_size=1',
      ).map((url) => [url, { kind: 'postgresql', url }] as const),
    ],
    wrong: [...words('postgre://u:pw@db/app ./data/app.db memory SQLITE:x memory:x'), ' memory:'],
    others: {
      'must name a server and a database, such as postgresql://host:5432/app': words(
        'postgresql: postgresql:///app postgresql://host postgresql://host/ postgres://u:pw@/app',
      ),
      'must have only parameters that PostgreSQL knows, such as ?sslmode=verify-full, or pool_size': words(
        'postgresql://db/app?sslmod=verify-full postgresql://db/app?sslmode=require&poolsize=3 postgres://db/app?SSLMODE=require postgresql://db/app?application_name=a?b&sslmod=require',
      ),
      'must have a whole number from 1 to 9999 as pool_size': [
        '',
        0,
        -1,
        'abc',
        '1.5',
        10_000,
        '3&pool_size=4',
      ].map((size) => `postgresql://db/app?pool_size=${size}`),
      'must name a server, such as mongodb://host:27017/kennel': [
        ...words('mongodb: mongodb:///app mongodb+srv://u:pw@/app mongodb+srv: mongodb://?x'),
        'mongodb://a b/app',
      ],
      'must percent-encode the characters @ : / ? # in the user name and the password': [
        'mongodb://u:p@w@db/app',
      ],
      'must be memory: for a store that keeps no data after the process ends': ['sqlite::memory:'],
      [`${PATH} sqlite:./data/app.db or sqlite:/var/lib/app.db`]: words(
        'sqlite://data/app.db sqlite:///data/app.db sqlite:file:app.db',
      ),
      'must name a file: sqlite:./data/app.db': [
        ...words('sqlite: sqlite:./data/ sqlite:data\\'),
        'sqlite:a\nb',
      ],
    },
  },
  'must be a name of at most 63 bytes, such as kennel': {
    good: same('kennel', 'auth_2', '_x', 'größe', 'a'.repeat(63)),
    wrong: [...words('2x a.b a"b a;b -a'), 'a b', 'a'.repeat(64), 'ä'.repeat(32)],
    others: { 'must not name a PostgreSQL system schema': words('pg_catalog pg_x information_schema') },
  },
  [DOCUMENT]: {
    good: same(GOOD_PASSPHRASE, ` ${GOOD_PASSPHRASE}`, `{${GOOD_PASSPHRASE}`, `["${GOOD_PASSPHRASE}"]`),
    wrong: DOCUMENTS,
  },
  'must be a JSON array of strings if it begins with a bracket': {
    good: [
      [GOOD_PASSPHRASE, [GOOD_PASSPHRASE]],
      [`${GOOD_PASSPHRASE},"more"`, [`${GOOD_PASSPHRASE},"more"`]],
      [JSON.stringify([GOOD_PASSPHRASE, OTHER]), [GOOD_PASSPHRASE, OTHER]],
      ['[]', []],
    ],
    wrong: ['[', '["a"', '[1]', '[""]', ' [null]', '[{}]', '[["a"]]', '[true]'],
    others: { [DOCUMENT]: [...DOCUMENTS, JSON.stringify([GOOD_PASSPHRASE, '{}'])] },
    options: { good: [[], [OTHER], [`[${OTHER}`]].map((list) => [list, list]), wrong: [] },
  },
  'must be the name of a header': {
    good: same('X-Kennel', 'a', "!#$%&'*+.^_`|~-09Az", long(64)),
    wrong: ['X Authorization', 'X-Auth:', 'Ünïcode', 'X-Key\r\n', 'a"b', long(65)],
    others: {
      'names a header that has a different meaning': words(`Cookie host Content-Type If-Match Sec-Token Origin
        Proxy-Authorization BasicAuth ApiKeyAuth access-control-allow-origin X-Forwarded-For Idempotency-Key
        X-Request-Id`),
    },
  },
  'must be the name of a cookie: 1 to 64 letters, digits, hyphens or underscores': {
    good: same('dog.1', 's', long(64)),
    wrong: ['a=b', 'a;b', 'a b', 'é', long(65), 'a,b', '"sid'],
    others: {
      'must not have a prefix: the service adds __Host- to the name of a secure cookie': ['__secure-sid'],
    },
  },
  'must be off, or a number of attempts within a period from 1s to 1d, such as 10/15m': {
    good: [
      ['off', undefined],
      ['1/1s', { count: 1, window: 1_000 }],
      ['999999/1d', { count: 999_999, window: 86_400_000 }],
    ],
    wrong: [
      ...words('10 0/15m 10/0 10/2d 10/500ms 10/999ms 10/86400001ms 1e3/15m 10/15m/1 on -1/15m'),
      ...['1000000/15m', '010/15m', '10/25h', 'OFF', '10 / 15m', 'ten'],
    ],
  },
  'entry 1 must be the key of a role': {
    good: [
      ['admin', ['admin']],
      [' admin , project-editor,admin', ['admin', 'project-editor']],
    ],
    wrong: ['an admin', ' ', ',admin', '*'],
    others: { 'entry 2 must be the key of a role': ['admin,', 'admin,an admin'] },
  },
  'entry 1 must be an email domain, such as kennel.example': {
    good: [
      ['kennel.example', ['kennel.example']],
      [' Kennel.example , bücher.example,kennel.example.', ['kennel.example', 'xn--bcher-kva.example']],
    ],
    wrong: [
      ...['a@kennel.example', ' ', ',kennel.example', 'a b'],
      ...words(
        '* *.kennel.example .kennel.example a..b https://kennel.example kennel.example/ a.example;b.example a:25',
      ),
    ],
    others: {
      'entry 2 must be an email domain, such as kennel.example': ['kennel.example,', 'a,b c'],
    },
  },
  'must be log2 N / r / p, such as 17/8/1': {
    good: words('10/1/1 15/8/3 20/8/1 17/8/16').map((text) => {
      const [logN, r, p] = text.split('/').map(Number)
      return [text, { logN, r, p }]
    }),
    wrong: ['17', '17/8', '17/8/1/1', '131072/8/1', 'a/b/c', '-1/8/1', '17/8/1 '],
    others: {
      'is log2 N / r / p; logN must be an integer from 10 to 20': ['9/8/1'],
      'is log2 N / r / p; p must be an integer from 1 to 16': ['17/8/17'],
    },
  },
  'must be smtp://…, smtps://… or file:FOLDER': {
    good: [
      ['file:/var/spool/kennel', { kind: 'file', folder: '/var/spool/kennel' }],
      ...['smtp://u:p%40@mail.example:587', 'SMTPS://mail.example'].map(
        (url) => [url, { kind: 'smtp', url }] as const,
      ),
    ],
    wrong: words('mail.example http://mail.example file: pigeon: off'),
    others: {
      [SMTP]: ['smtp://', 'smtps:', 'SMTP:x', 'smtp://user:a b@mail.example:x'],
      'must not have the parameter pool: parameters have no effect': ['smtp://mail.example?pool=true'],
      [`${PATH} file:./data/outbox or file:/var/spool/kennel`]: ['file:///var/spool', 'file:a\nb'],
    },
  },
  'must be an address, or a name and an address: Kennel <no-reply@kennel.example>': {
    good: same('a@b.example', 'Kennel <kennel@pets.example>', '"Kennel, dogs" <kennel@pets.example>'),
    wrong: [
      ...['kennel', 'a@b@c', 'Kennel <a@b.example>, x@y.example', 'a@b.example\r\nBcc: c@d', 'Kennel <>'],
      ...['<a@b.example', 'Ken\u0007nel <a@b.example>'],
    ],
  },
  'must be off, or one or more of new-client, refresh-reuse, password, factor, passkey, without duplicates': {
    good: [
      ['off', []],
      ['factor, new-client', ['new-client', 'factor']],
    ],
    wrong: words('on new_client password,password password,,factor PASSWORD off,password'),
    options: {
      good: [
        [[], []],
        [words('factor password'), words('password factor')],
      ],
      wrong: [['passwords'], ['off'], ['password', 'password']],
    },
  },
  'must be the http or https URL of a page, without a user name and without #': {
    good: [
      ...same('https://app.example/a?b=c', 'http://localhost:5173/new'),
      ['https://A.example', 'https://a.example/'],
    ],
    wrong: [
      ...words(`/reset ftp://pets.example/ https://pets.example/#a https://u:p@pets.example/
        https://u@pets.example/ javascript:alert(1) https://pets.example/#`),
      'https://a b/',
    ],
  },
  'must be off, on, or a domain in lower case such as kennel.example': {
    good: same('off', 'on', 'localhost', 'kennel.example', 'xn--hnd-qla.example', 'a.b.c.example'),
    wrong: [
      ...words(`OFF true kennel Kennel.example 127.0.0.1 ::1 [::1] https://kennel.example kennel.example:3000
        .example kennel. kennel..example -a.example a-.example hünd.example *.example a_b.example`),
      ...[' kennel.example', `${long(250)}.example`],
    ],
  },
  'must be off, store, log or store,log': {
    good: [
      ['off', []],
      ['store', ['store']],
      [' log , store ', ['log', 'store']],
    ],
    wrong: words('on store,store store;log off,log STORE , store, log,off none'),
  },
  'must be a name of 1 to 100 letters, digits, dots, hyphens, underscores or backslashes': {
    good: same('App\\Models\\User', 'u', long(100)),
    wrong: [...words('__proto__ constructor toString 1User Ünser a/b .a'), 'User Name', long(101)],
  },
}
