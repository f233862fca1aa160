import { expect } from 'chai'
import {
  configurationOf,
  faultsOf,
  GOOD_PASSPHRASE,
  judged,
  PRODUCTION,
  warningsOf,
  type Texts,
} from './reading.js'

describe('the configuration', () => {
  it('has a default for everything in local development', () => {
    const { permissions, ...rest } = configurationOf({})
    expect(permissions.allows({ kind: 'anonymous' }, 'auth', 'login')).to.be.true
    expect(rest).to.deep.equal({
      production: false,
      http: {
        host: '127.0.0.1',
        port: 3000,
        publicUrl: 'http://127.0.0.1:3000',
        trustProxy: 0,
        bodyLimit: 65_536,
        requestTimeout: 30_000,
        maxConnections: 10_000,
        shutdownGrace: 10_000,
        corsOrigins: [],
        docs: true,
      },
      database: { kind: 'sqlite', path: './data/app.db' },
      identity: {
        authorizationHeader: 'X-Authorization',
        cookie: { name: 'sid', secure: false, sameSite: 'strict' },
        lifetimes: {
          accessToken: 900_000,
          refreshToken: 604_800_000,
          session: 2_592_000_000,
          refreshGrace: 10_000,
        },
        tokenUse: 'HS512',
        userModelName: 'User',
        impersonationTtl: 3_600_000,
        resetTokenTtl: 1_800_000,
      },
      mail: { delivery: { kind: 'file', folder: './data/outbox' }, from: 'no-reply@localhost' },
      audit: { targets: ['store'], retention: 31_536_000_000 },
      keys: { previous: [] },
      passwords: { minLength: 8, scrypt: { logN: 17, r: 8, p: 1 } },
      pets: { security: 'any', apiKeyHeader: 'X-API-Key' },
      logLevel: 'info',
    })
    expect(warningsOf({})).to.deep.equal([])
  })

  it('takes every variable', () => {
    const { permissions: _, ...rest } = configurationOf({
      NODE_ENV: 'production',
      HOST: '[::]',
      PORT: '8443',
      PUBLIC_URL: 'HTTPS://Pets.Example:443/',
      TRUST_PROXY: '2',
      CORS_ORIGINS: 'https://a.example, https://localhost:5173,https://a.example',
      BODY_LIMIT: '1MB',
      REQUEST_TIMEOUT: '500ms',
      MAX_CONNECTIONS: '20',
      SHUTDOWN_GRACE: '0',
      DATABASE_URL: 'sqlite:/var/lib/kennel/app.db',
      SECURITY_JWT_PASSPHRASE: GOOD_PASSPHRASE,
      SECURITY_JWT_PASSPHRASE_PREVIOUS: JSON.stringify([`${GOOD_PASSPHRASE}1`, `${GOOD_PASSPHRASE}2`]),
      TOKEN_FORMAT: 'jwt',
      TOKEN_ALG: 'EdDSA',
      IDENTITY_STATELESS: '1',
      LOGIN_LIMIT: '10/15m',
      STATELESS_REVOCATION: 'store',
      ACCESS_TOKEN_TTL: '30s',
      REFRESH_TOKEN_TTL: '12h',
      SESSION_TTL: '1d',
      REFRESH_GRACE: '0',
      IDENTITY_AUTHORIZATION_HEADER: 'Authorization',
      SESSION_COOKIE_NAME: 'kennel',
      SESSION_COOKIE_SECURE: 'true',
      SESSION_COOKIE_SAMESITE: 'none',
      PASSWORD_MIN_LENGTH: '12',
      PASSWORD_SCRYPT: '15/8/3',
      PASSWORD_HASH_CONCURRENCY: '2',
      USER_MODEL_NAME: 'App\\Models\\User',
      PETS_SECURITY: 'all',
      PETS_API_KEY_HEADER: 'X-Kennel-Key',
      MAIL_URL: 'smtps://kennel:s%40cret@mail.example',
      MAIL_FROM: 'Kennel <kennel@pets.example>',
      MAIL_TEMPLATES: '/etc/kennel/mail',
      RESET_URL: 'https://pets.example/new-password?lang=en',
      RESET_TOKEN_TTL: '10m',
      IMPERSONATION_TTL: '15m',
      AUDIT: 'log, store',
      AUDIT_RETENTION: 'forever',
      LOG_LEVEL: 'debug',
      METRICS_PORT: '9464',
      METRICS_HOST: '[::1]',
      DOCS: 'on',
    })
    expect(rest).to.deep.equal({
      production: true,
      http: {
        host: '::',
        port: 8443,
        publicUrl: 'https://pets.example',
        trustProxy: 2,
        bodyLimit: 1_048_576,
        requestTimeout: 500,
        maxConnections: 20,
        shutdownGrace: 0,
        corsOrigins: ['https://a.example', 'https://localhost:5173'],
        docs: true,
      },
      metrics: { host: '::1', port: 9464 },
      database: { kind: 'sqlite', path: '/var/lib/kennel/app.db' },
      identity: {
        authorizationHeader: 'Authorization',
        cookie: { name: 'kennel', secure: true, sameSite: 'none' },
        lifetimes: {
          accessToken: 30_000,
          refreshToken: 43_200_000,
          session: 86_400_000,
          refreshGrace: 0,
        },
        tokenUse: 'EdDSA',
        stateless: { revocation: 'store' },
        userModelName: 'App\\Models\\User',
        loginLimit: { count: 10, window: 900_000 },
        impersonationTtl: 900_000,
        resetTokenTtl: 600_000,
        resetUrl: 'https://pets.example/new-password?lang=en',
      },
      mail: {
        delivery: { kind: 'smtp', url: 'smtps://kennel:s%40cret@mail.example' },
        from: 'Kennel <kennel@pets.example>',
        templates: '/etc/kennel/mail',
      },
      audit: { targets: ['log', 'store'] },
      keys: { passphrase: GOOD_PASSPHRASE, previous: [`${GOOD_PASSPHRASE}1`, `${GOOD_PASSPHRASE}2`] },
      passwords: { minLength: 12, scrypt: { logN: 15, r: 8, p: 3 }, hashConcurrency: 2 },
      pets: { security: 'all', apiKeyHeader: 'X-Kennel-Key' },
      logLevel: 'debug',
    })
  })

  it('has a page for the API outside of production, and there where it is asked for', () => {
    const docs = (texts: Texts) => configurationOf(texts).http.docs
    expect(docs({})).to.be.true
    expect(docs({ NODE_ENV: 'test' })).to.be.true
    expect(docs({ DOCS: 'off' })).to.be.false
    expect(docs({ DOCS: '0' })).to.be.false
    expect(docs(PRODUCTION)).to.be.false
    expect(docs({ ...PRODUCTION, DOCS: 'on' })).to.be.true
    expect(docs({ ...PRODUCTION, DOCS: '1' })).to.be.true
  })

  it('serves metrics on a port that was asked for, on loopback unless a host was too', () => {
    expect(configurationOf({ METRICS_PORT: 'off', METRICS_HOST: '0.0.0.0' })).to.not.have.property('metrics')
    expect(configurationOf({ METRICS_PORT: '0' }).metrics).to.deep.equal({ host: '127.0.0.1', port: 0 })
    const others: readonly Texts[] = [
      { PORT: '0', METRICS_PORT: '0' },
      { METRICS_PORT: '3000', METRICS_HOST: '::1' },
    ]
    for (const texts of others) expect(faultsOf(texts)).to.deep.equal([])
    expect(configurationOf({ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' }).metrics).to.deep.equal({
      host: '0.0.0.0',
      port: 9464,
    })
  })

  it('takes an empty variable for an unset one', () => {
    const { permissions: _, ...empty } = configurationOf({
      PORT: '',
      PUBLIC_URL: '',
      SESSION_COOKIE_SECURE: '',
    })
    const { permissions: __, ...unset } = configurationOf({})
    expect(empty).to.deep.equal(unset)
  })

  it('is frozen to the bottom', () => {
    const configuration = configurationOf({ CORS_ORIGINS: 'https://a.example' })
    const parts = [
      configuration,
      configuration.http,
      configuration.http.corsOrigins,
      configuration.identity.lifetimes,
      configuration.passwords.scrypt,
      configuration.permissions,
    ]
    expect(parts.every((part) => Object.isFrozen(part))).to.be.true
  })

  it('leaves the public URL open where the port is not known yet', () => {
    expect(configurationOf({ PORT: '0' }).http).not.to.have.property('publicUrl')
    expect(configurationOf({ PORT: '0', HOST: '::1' }).identity.cookie.secure).to.be.false
    expect(configurationOf({ HOST: '::1' }).http.publicUrl).to.equal('http://[::1]:3000')
    expect(configurationOf({ PORT: '80' }).http.publicUrl).to.equal('http://127.0.0.1')
  })

  it('takes one previous passphrase as it is', () => {
    const previous = `${GOOD_PASSPHRASE},"more"`
    expect(configurationOf({ SECURITY_JWT_PASSPHRASE_PREVIOUS: previous }).keys.previous).to.deep.equal([
      previous,
    ])
  })

  it('names all faults at once', () => {
    const errors = faultsOf({
      PORT: '65536',
      PETS_SECURITY: 'both',
      PASWORD_MIN_LENGTH: '10',
      ACCESS_TOKEN_TTL: '8d',
      SECURITY_JWT_PASSPHRASE: 'short',
    })
    expect(errors).to.have.members([
      'PASWORD_MIN_LENGTH is unknown; did you mean PASSWORD_MIN_LENGTH?',
      'PORT must be an integer from 0 to 65535',
      'PETS_SECURITY must be any, all or key',
      'ACCESS_TOKEN_TTL must not be longer than REFRESH_TOKEN_TTL',
      'SECURITY_JWT_PASSPHRASE must have at least 16 characters',
    ])
  })

  it('says no second thing about a variable that could not be read', () => {
    const earlier = { variable: 'SECURITY_JWT_PASSPHRASE', sentence: 'SECURITY_JWT_PASSPHRASE_FILE is away' }
    const { SECURITY_JWT_PASSPHRASE: _, ...rest } = PRODUCTION
    const outcome = judged(rest, [earlier])
    expect(outcome).to.deep.equal({ ok: false, errors: ['SECURITY_JWT_PASSPHRASE_FILE is away'] })
  })

  it('ignores what has nothing to do with it', () => {
    const texts: unknown = JSON.parse(
      '{"PATH": "/bin", "HOSTNAME": "box", "__proto__": "x", "npm_config_port": "1"}',
    )
    expect(faultsOf(texts as Record<string, string>)).to.deep.equal([])
  })
})
