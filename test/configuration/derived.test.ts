import { expect } from 'chai'
import { configurationOf, errorsOf, GOOD_PASSPHRASE, PRODUCTION, type Texts } from './reading.js'

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
    expect(errorsOf({ ...PRODUCTION, ...texts })).to.deep.equal([])
    expect(errorsOf({ ...texts, SESSION_COOKIE_SECURE: '1' })).to.deep.equal([])
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
})
