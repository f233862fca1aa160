import { expect } from 'chai'
import { GOOD_PASSPHRASE, PRODUCTION, settingsOf, type Texts } from './reading.js'

const PUBLIC = { PUBLIC_URL: 'https://pets.example', SECURITY_JWT_PASSPHRASE: GOOD_PASSPHRASE }
const secureCookie = (texts: Texts) => settingsOf(texts).cookie.secure

describe('the derived settings', () => {
  it('have these values in local development', () => {
    expect(settingsOf({})).to.deep.include({
      workers: 1,
      publicUrl: 'http://127.0.0.1:3000',
      corsOrigins: [],
      keepAliveTimeout: 5_000,
      store: { kind: 'sqlite', path: './data/app.db' },
      previousPassphrases: [],
      tokenAlg: 'HS512',
      lifetimes: {
        accessToken: 900_000,
        refreshToken: 604_800_000,
        session: 2_592_000_000,
        refreshGrace: 10_000,
      },
      cookie: { name: 'sid', secure: false, sameSite: 'strict' },
      limitsAttempts: false,
      secondFactor: [],
      mailUrl: { kind: 'file', folder: './data/outbox' },
      mailFrom: 'no-reply@localhost',
      docs: true,
    })
  })

  it('have these other values in production', () => {
    expect(settingsOf(PRODUCTION)).to.deep.include({
      workers: 'auto',
      publicUrl: 'https://pets.example',
      keepAliveTimeout: 65_000,
      cookie: { name: 'sid', secure: true, sameSite: 'strict' },
      limitsAttempts: true,
      mailUrl: undefined,
      docs: false,
    })
    expect(settingsOf({ ...PUBLIC, NODE_ENV: 'test' })).to.deep.include({ docs: true, mailUrl: undefined })
  })

  it('are the values of their variables if these are set', () => {
    const { docs, keepAliveTimeout, workers } = settingsOf({
      ...PRODUCTION,
      ...{ DOCS: 'on', KEEP_ALIVE_TIMEOUT: '125s', WORKERS: '1' },
    })
    expect({ docs, keepAliveTimeout, workers }).to.deep.equal({
      docs: true,
      keepAliveTimeout: 125_000,
      workers: 1,
    })
    const mail = { MAIL_URL: 'file:out', MAIL_FROM: 'kennel@pets.example' }
    expect(settingsOf({ ...PRODUCTION, ...mail })).to.deep.include({
      mailUrl: { kind: 'file', folder: 'out' },
      mailFrom: 'kennel@pets.example',
    })
  })

  it('have one worker with a store in memory, and with a store module unless WORKERS sets more', () => {
    const workers = (texts: Texts) => settingsOf(texts).workers
    expect(workers({ WORKERS: 'auto', DATABASE_URL: 'memory:' })).to.equal(1)
    expect(workers({ ...PRODUCTION, DATABASE_URL: 'memory:' })).to.equal(1)
    expect(workers({ ...PRODUCTION, STORE_MODULE: './my-store.js' })).to.equal(1)
    expect(workers({ WORKERS: '3', STORE_MODULE: './my-store.js' })).to.equal(3)
    expect(settingsOf({ STORE_MODULE: './my-store.js' }).store).to.deep.equal({
      kind: 'module',
      specifier: './my-store.js',
    })
  })

  it('have no public URL until the port is known', () => {
    expect(settingsOf({ PORT: '0' }).publicUrl).to.be.undefined
    expect(secureCookie({ PORT: '0', HOST: '::1' })).to.be.false
    expect(settingsOf({ HOST: '[::1]' }).publicUrl).to.equal('http://[::1]:3000')
    expect(settingsOf({ PORT: '80' }).publicUrl).to.equal('http://127.0.0.1')
  })
})

describe('the session cookie', () => {
  it('is secure by default except in local development', () => {
    for (const local of [
      'http://localhost:3000',
      'http://127.0.0.1',
      'http://127.8.9.10:1',
      'http://[::1]:3000',
    ])
      expect(secureCookie({ PUBLIC_URL: local }), local).to.be.false
    const far = ['https://pets.example', 'http://localhost.example', 'http://128.0.0.1', 'http://[::2]']
    for (const url of far) expect(secureCookie({ ...PUBLIC, PUBLIC_URL: url }), url).to.be.true
    expect(secureCookie({ SESSION_COOKIE_SECURE: '1' })).to.be.true
    for (const HOST of ['0.0.0.0', '::'])
      expect(secureCookie({ HOST, SECURITY_JWT_PASSPHRASE: GOOD_PASSPHRASE })).to.be.true
    expect(secureCookie({ ...PRODUCTION, PUBLIC_URL: 'https://localhost:3000' })).to.be.true
  })

  it('is secure by default if PUBLIC_URL is https on a loopback address', () => {
    for (const local of ['https://localhost:3443', 'https://127.0.0.1', 'https://[::1]:3443']) {
      expect(secureCookie({ PUBLIC_URL: local }), local).to.be.true
      expect(secureCookie({ PUBLIC_URL: local, SESSION_COOKIE_SECURE: '0' }), local).to.be.false
    }
  })

  it('has the name and SameSite of its variables', () => {
    const texts = { SESSION_COOKIE_SAMESITE: 'lax', SESSION_COOKIE_NAME: 'dog' }
    const cookie = { name: 'dog', secure: true, sameSite: 'lax' }
    expect(settingsOf({ ...PRODUCTION, ...texts }).cookie).to.deep.equal(cookie)
  })
})

describe('the tokens', () => {
  it('are signed by TOKEN_ALG, and PASETO always with Ed25519', () => {
    const tokenAlg = (texts: Texts) => settingsOf(texts).tokenAlg
    expect(tokenAlg({ TOKEN_ALG: 'EdDSA' })).to.equal('EdDSA')
    expect(tokenAlg({ TOKEN_FORMAT: 'paseto' })).to.equal('v4.public')
    expect(tokenAlg({ TOKEN_FORMAT: 'paseto', TOKEN_ALG: 'EdDSA' })).to.equal('v4.public')
  })

  it('live for five minutes by default in stateless mode', () => {
    const { lifetimes } = settingsOf({ IDENTITY_STATELESS: '1' })
    expect(lifetimes).to.deep.equal({ ...settingsOf({}).lifetimes, accessToken: 300_000 })
    const chosen = settingsOf({ IDENTITY_STATELESS: '1', ACCESS_TOKEN_TTL: '1h', REFRESH_GRACE: '1ms' })
    expect(chosen).to.deep.include({ accessTokenTtl: 3_600_000, limitsAttempts: false })
    expect(chosen.lifetimes).to.deep.include({ accessToken: 3_600_000, refreshGrace: 1 })
    const all = { ACCESS_TOKEN_TTL: '1h', REFRESH_TOKEN_TTL: '1h', SESSION_TTL: '1h' }
    expect(settingsOf(all).lifetimes).to.deep.include({ refreshToken: 3_600_000, session: 3_600_000 })
  })
})
