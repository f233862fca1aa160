import { expect } from 'chai'
import { configurationOf, faultsOf, GOOD_PASSPHRASE, PRODUCTION, warningsOf, type Texts } from './reading.js'

/** With what impersonation needs, so that nothing is said of that. */
const STATELESS = { IDENTITY_STATELESS: '1', STATELESS_REVOCATION: 'store' }

const secureCookie = (texts: Texts) => configurationOf(texts).identity.cookie.secure

describe('the session cookie', () => {
  it('is secure by default everywhere but in local development', () => {
    for (const local of [
      'http://localhost:3000',
      'http://127.0.0.1',
      'http://127.8.9.10:1',
      'http://[::1]:3000',
    ])
      expect(secureCookie({ PUBLIC_URL: local }), local).to.be.false
    const far = ['https://pets.example', 'http://localhost.example', 'http://128.0.0.1', 'http://[::2]']
    for (const url of far)
      expect(secureCookie({ PUBLIC_URL: url, SECURITY_JWT_PASSPHRASE: GOOD_PASSPHRASE }), url).to.be.true
    expect(secureCookie(PRODUCTION)).to.be.true
    expect(secureCookie({ ...PRODUCTION, PUBLIC_URL: 'https://localhost:3000' })).to.be.true
  })

  it('is secure by default where PUBLIC_URL is https on a loopback address', () => {
    for (const local of ['https://localhost:3443', 'https://127.0.0.1', 'https://[::1]:3443']) {
      expect(secureCookie({ PUBLIC_URL: local }), local).to.be.true
      expect(secureCookie({ PUBLIC_URL: local, SESSION_COOKIE_SECURE: '0' }), local).to.be.false
    }
  })

  it('can be made secure in local development', () => {
    expect(secureCookie({ SESSION_COOKIE_SECURE: '1' })).to.be.true
  })

  it('can be SameSite=None where it is secure and origins are listed', () => {
    const texts = { SESSION_COOKIE_SAMESITE: 'none', CORS_ORIGINS: 'https://a.example' }
    expect(faultsOf({ ...PRODUCTION, ...texts })).to.deep.equal([])
    expect(faultsOf({ ...texts, SESSION_COOKIE_SECURE: '1' })).to.deep.equal([])
  })
})

describe('the tokens', () => {
  const { identity } = configurationOf({})

  it('are signed with HMAC unless told, PASETO with Ed25519 in any case', () => {
    expect(identity.tokenUse).to.equal('HS512')
    expect(configurationOf({ TOKEN_ALG: 'EdDSA' }).identity.tokenUse).to.equal('EdDSA')
    expect(configurationOf({ TOKEN_FORMAT: 'paseto' }).identity.tokenUse).to.equal('v4.public')
    const both = { TOKEN_FORMAT: 'paseto', TOKEN_ALG: 'EdDSA' }
    expect(configurationOf(both).identity.tokenUse).to.equal('v4.public')
  })

  it('prove an identity alone only where that is asked for, and then live for five minutes', () => {
    expect(identity).to.not.have.property('stateless')
    const stateless = configurationOf({ IDENTITY_STATELESS: '1' }).identity
    expect(stateless.stateless).to.deep.equal({ revocation: 'none' })
    expect(stateless.lifetimes).to.deep.equal({ ...identity.lifetimes, accessToken: 300_000 })
    const chosen = { IDENTITY_STATELESS: 'true', STATELESS_REVOCATION: 'store', ACCESS_TOKEN_TTL: '1h' }
    expect(configurationOf(chosen).identity.stateless).to.deep.equal({ revocation: 'store' })
    expect(configurationOf(chosen).identity.lifetimes.accessToken).to.equal(3_600_000)
  })

  it('have their faults named together', () => {
    const texts = {
      TOKEN_FORMAT: 'paseto',
      TOKEN_ALG: 'HS512',
      STATELESS_REVOCATION: 'store',
      ACCESS_TOKEN_TTL: '8d',
    }
    expect(faultsOf(texts)).to.deep.equal([
      'TOKEN_ALG cannot be HS512 with TOKEN_FORMAT=paseto, which is v4.public and signs with Ed25519; leave it out or set EdDSA',
      'STATELESS_REVOCATION=store is of use only with IDENTITY_STATELESS=1; sessions are revocable anyway',
      'ACCESS_TOKEN_TTL must not be longer than REFRESH_TOKEN_TTL',
    ])
  })

  it('need no warning about a cookie where there is none', () => {
    const texts = { PUBLIC_URL: 'http://pets.example', ...STATELESS }
    expect(warningsOf({ ...texts, SECURITY_JWT_PASSPHRASE: GOOD_PASSPHRASE })).to.deep.equal([])
  })
})

describe('the lifetimes', () => {
  it('may be equal', () => {
    const texts = { ACCESS_TOKEN_TTL: '1h', REFRESH_TOKEN_TTL: '1h', SESSION_TTL: '1h' }
    expect(faultsOf(texts)).to.deep.equal([])
  })
})

/** Accepted, and each of these alone gives exactly this warning. */
const WARNED: readonly (readonly [texts: Texts, warning: string])[] = [
  [
    { SECURITY_JWT_PASSPHRASE: 'Owl+7 dim valley' },
    'SECURITY_JWT_PASSPHRASE has fewer than 32 characters and would be refused in production',
  ],
  [
    { PASSWORD_SCRYPT: '14/8/5' },
    'PASSWORD_SCRYPT is below 15/8/3: stolen password hashes would be cheap to try',
  ],
  [{ PASSWORD_MIN_LENGTH: '7' }, 'PASSWORD_MIN_LENGTH is below 8: such passwords are soon guessed'],
  [
    { ...PRODUCTION, DATABASE_URL: 'memory:' },
    'DATABASE_URL is memory: in production; all data is lost when the service stops',
  ],
  [
    { PUBLIC_URL: 'http://pets.example', SECURITY_JWT_PASSPHRASE: GOOD_PASSPHRASE },
    'PUBLIC_URL is not https: browsers will not keep the secure session cookie',
  ],
  [
    { ...PRODUCTION, PUBLIC_URL: 'http://pets.example', ...STATELESS },
    'PUBLIC_URL is not https: passwords and tokens can be read by whoever sits between the client and the service',
  ],
  [
    { ...PRODUCTION, LOGIN_LIMIT: 'off' },
    'LOGIN_LIMIT is off: passwords can be tried without end unless a proxy limits them; LOGIN_LIMIT=10/15m would',
  ],
  [
    { ...STATELESS, ACCESS_TOKEN_TTL: '3601s' },
    'ACCESS_TOKEN_TTL is above 1h in stateless mode: an access token that was stolen can be used for that long',
  ],
  [
    { PUBLIC_URL: 'https://pets.example', SECURITY_JWT_PASSPHRASE: GOOD_PASSPHRASE },
    'PUBLIC_URL is public, but this is not production: the conveniences of development are on',
  ],
]

describe('the configuration warns of', () => {
  for (const [texts, warning] of WARNED) {
    it(Object.keys(texts).join(' with '), () => {
      expect(warningsOf(texts)).to.deep.equal([warning])
    })
  }

  it('an address that no client can call', () => {
    const texts = { HOST: '0.0.0.0', SECURITY_JWT_PASSPHRASE: GOOD_PASSPHRASE }
    const warning =
      'HOST means every interface, so no client can call its address; set PUBLIC_URL to the origin that clients use'
    expect(warningsOf(texts)).to.include(warning)
    expect(warningsOf({ ...texts, HOST: '::' })).to.include(warning)
    expect(warningsOf({ ...texts, PUBLIC_URL: 'http://localhost:3000' })).to.deep.equal([])
  })

  it('nothing that is as production should be', () => {
    expect(warningsOf(PRODUCTION)).to.deep.equal([])
    expect(warningsOf({ ...PRODUCTION, ACCESS_TOKEN_TTL: '2h' })).to.deep.equal([])
    expect(warningsOf({ ...PRODUCTION, ACCESS_TOKEN_TTL: '1h', ...STATELESS })).to.deep.equal([])
  })

  it('no missing limit of logins and no TLS of its own on a development machine', () => {
    expect(warningsOf({ LOGIN_LIMIT: 'off' })).to.deep.equal([])
    expect(warningsOf({ PUBLIC_URL: 'https://localhost:3000' })).to.deep.equal([])
  })

  it('nothing where costs are just enough', () => {
    for (const cost of ['15/8/3', '16/8/2', '17/8/1'])
      expect(warningsOf({ PASSWORD_SCRYPT: cost })).to.deep.equal([])
  })
})
