import { expect } from 'chai'
import { GOOD_PASSPHRASE, PRODUCTION, warningsOf, type Texts } from './reading.js'

/** With what impersonation needs, so that nothing is said of that. */
const STATELESS = { IDENTITY_STATELESS: '1', STATELESS_REVOCATION: 'store' }

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
    { ...PRODUCTION, PASSWORD_BLOCKLIST: 'off' },
    'PASSWORD_BLOCKLIST is off: accounts can have the commonest passwords, which are guessed first',
  ],
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
    'PUBLIC_URL is not https: passwords and tokens can be read by anyone between the client and the service',
  ],
  [
    { ...PRODUCTION, LOGIN_LIMIT: 'off' },
    'LOGIN_LIMIT is off: passwords can be tried without end unless a proxy limits them; LOGIN_LIMIT=10/15m would',
  ],
  [
    { ...STATELESS, NOTICES: 'new-client,refresh-reuse' },
    'NOTICES names new-client, of which no account is told in stateless mode: no session says which clients it has',
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

  it('no cookie that cannot be kept where there is none', () => {
    const texts = { PUBLIC_URL: 'http://pets.example', ...STATELESS }
    expect(warningsOf({ ...texts, SECURITY_JWT_PASSPHRASE: GOOD_PASSPHRASE })).to.deep.equal([])
  })

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
