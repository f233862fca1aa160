import { expect } from 'chai'
import { configurationOf, errorsOf, GOOD_PASSPHRASE, judged, PRODUCTION, type Texts } from './reading.js'

describe('the configuration', () => {
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
    for (const texts of others) expect(errorsOf(texts)).to.deep.equal([])
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
    const errors = errorsOf({
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
    expect(errorsOf(texts as Record<string, string>)).to.deep.equal([])
  })
})
