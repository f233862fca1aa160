import { expect } from 'chai'
import type { Settings } from '../../src/configuration/derived.js'
import { GOOD_PASSPHRASE, PRODUCTION, settingsOf, type Texts } from './reading.js'

const PUBLIC = { PUBLIC_URL: 'https://pets.example', SECURITY_JWT_PASSPHRASE: GOOD_PASSPHRASE }
const COOKIE = { name: 'sid', secure: true, sameSite: 'strict' } as const
const MODULE = { STORE_MODULE: './my-store.js' }

type Case = readonly [variables: Texts, settings: Partial<Settings>]

/** Variables, and the settings that are derived from them. */
const CASES: Readonly<Record<string, readonly Case[]>> = {
  'have these values in local development': [
    [
      {},
      {
        ...{ workers: 1, publicUrl: 'http://127.0.0.1:3000', corsOrigins: [], keepAliveTimeout: 5_000 },
        ...{ store: { kind: 'sqlite', path: './data/app.db' }, previousPassphrases: [], tokenAlg: 'HS512' },
        cookie: { ...COOKIE, secure: false },
        ...{ limitsAttempts: false, secondFactor: [], mailUrl: { kind: 'file', folder: './data/outbox' } },
        ...{ mailFrom: 'no-reply@localhost', docs: true },
        lifetimes: lifetimes({}),
      },
    ],
  ],
  'have these other values in production': [
    [
      PRODUCTION,
      {
        ...{ workers: 'auto', publicUrl: 'https://pets.example', keepAliveTimeout: 65_000, cookie: COOKIE },
        ...{ limitsAttempts: true, mailUrl: undefined, docs: false },
      },
    ],
    [
      { ...PUBLIC, NODE_ENV: 'test' },
      { docs: true, mailUrl: undefined },
    ],
  ],
  'are the domain of passkeys, and the origins outside this domain': [
    [PRODUCTION, { passkeyDomain: undefined }],
    [{ ...PRODUCTION, PASSKEYS: 'on' }, { passkeyDomain: { rpId: 'pets.example', relatedOrigins: [] } }],
    [
      {
        ...{ ...PRODUCTION, PUBLIC_URL: 'https://id.pets.example', PASSKEYS: 'pets.example' },
        CORS_ORIGINS:
          'https://pets.example,https://a.pets.example,https://notpets.example,https://pets.test:8443,capacitor://localhost',
      },
      {
        passkeyDomain: {
          rpId: 'pets.example',
          relatedOrigins: ['https://notpets.example', 'https://pets.test:8443'],
        },
      },
    ],
  ],
  'are the values of their variables if these are set': [
    [
      { ...PRODUCTION, DOCS: 'on', KEEP_ALIVE_TIMEOUT: '125s', WORKERS: '1' },
      { docs: true, keepAliveTimeout: 125_000, workers: 1 },
    ],
    [
      { ...PRODUCTION, MAIL_URL: 'file:out', MAIL_FROM: 'kennel@pets.example' },
      { mailUrl: { kind: 'file', folder: 'out' }, mailFrom: 'kennel@pets.example' },
    ],
    [
      { ...PRODUCTION, SESSION_COOKIE_SAMESITE: 'lax', SESSION_COOKIE_NAME: 'dog' },
      { cookie: { name: 'dog', secure: true, sameSite: 'lax' } },
    ],
  ],
  'have one worker with a store in memory, and with a store module unless WORKERS sets more': [
    [{ WORKERS: 'auto', DATABASE_URL: 'memory:' }, { workers: 1 }],
    [{ ...PRODUCTION, DATABASE_URL: 'memory:' }, { workers: 1 }],
    [{ ...PRODUCTION, ...MODULE }, { workers: 1 }],
    [
      { WORKERS: '3', ...MODULE },
      { workers: 3, store: { kind: 'module', specifier: './my-store.js' } },
    ],
  ],
  'have no public URL until the port is known': [
    [{ PORT: '0' }, { publicUrl: undefined }],
    [{ PORT: '0', HOST: '::1' }, { sessionCookieSecure: false }],
    [{ HOST: '[::1]' }, { publicUrl: 'http://[::1]:3000' }],
    [{ PORT: '80' }, { publicUrl: 'http://127.0.0.1' }],
  ],
  'have the signature of TOKEN_ALG, and with PASETO always Ed25519': [
    [{ TOKEN_ALG: 'EdDSA' }, { tokenAlg: 'EdDSA' }],
    [{ TOKEN_FORMAT: 'paseto' }, { tokenAlg: 'v4.public' }],
    [{ TOKEN_FORMAT: 'paseto', TOKEN_ALG: 'EdDSA' }, { tokenAlg: 'v4.public' }],
  ],
  'have access tokens of five minutes by default in stateless mode': [
    [{ IDENTITY_STATELESS: '1' }, { lifetimes: lifetimes({ accessToken: 300_000 }), limitsAttempts: false }],
    [
      { IDENTITY_STATELESS: '1', ACCESS_TOKEN_TTL: '1h', REFRESH_TOKEN_TTL: '2h', SESSION_TTL: '3h' },
      { lifetimes: lifetimes({ accessToken: 3.6e6, refreshToken: 7.2e6, session: 10.8e6 }) },
    ],
  ],
}

/** Returns the default lifetimes with these changes. */
function lifetimes(changes: Partial<Settings['lifetimes']>): Settings['lifetimes'] {
  const [accessToken, refreshToken, session] = [900_000, 604_800_000, 2_592_000_000] as const
  return { accessToken, refreshToken, session, refreshGrace: 10_000, ...changes }
}

describe('the derived settings', () => {
  for (const [title, cases] of Object.entries(CASES))
    it(title, () => {
      for (const [variables, settings] of cases) expect(settingsOf(variables)).to.deep.include(settings)
    })
})

describe('the session cookie', () => {
  it('is secure by default except in local development', () => {
    const isSecure = (texts: Texts) => settingsOf(texts).cookie.secure
    for (const host of ['localhost:3000', '127.0.0.1', '127.8.9.10:1', '[::1]:3000'])
      expect(isSecure({ PUBLIC_URL: `http://${host}` }), host).to.be.false
    const far = ['https://pets.example', 'http://localhost.example', 'http://128.0.0.1', 'http://[::2]']
    for (const url of far) expect(isSecure({ ...PUBLIC, PUBLIC_URL: url }), url).to.be.true
    expect(isSecure({ SESSION_COOKIE_SECURE: '1' })).to.be.true
    for (const HOST of ['0.0.0.0', '::'])
      expect(isSecure({ HOST, SECURITY_JWT_PASSPHRASE: GOOD_PASSPHRASE })).to.be.true
    expect(isSecure({ ...PRODUCTION, PUBLIC_URL: 'https://localhost:3000' })).to.be.true
    for (const local of ['https://localhost:3443', 'https://127.0.0.1', 'https://[::1]:3443']) {
      expect(isSecure({ PUBLIC_URL: local }), local).to.be.true
      expect(isSecure({ PUBLIC_URL: local, SESSION_COOKIE_SECURE: '0' }), local).to.be.false
    }
  })
})
