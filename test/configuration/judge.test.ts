import { expect } from 'chai'
import { errorsOf, judged, PRODUCTION, settingsOf } from './reading.js'

describe('the settings', () => {
  it('treat an empty variable as unset', () => {
    const { permissions: _, ...empty } = settingsOf({ PORT: '', PUBLIC_URL: '', SESSION_COOKIE_SECURE: '' })
    const { permissions: __, ...unset } = settingsOf({})
    expect(empty).to.deep.equal(unset)
  })

  it('are frozen, and so are their values', () => {
    const settings = settingsOf({ CORS_ORIGINS: 'https://a.example' })
    const { corsOrigins, lifetimes, passwordScrypt, permissions } = settings
    const parts = [settings, corsOrigins, lifetimes, passwordScrypt, permissions]
    expect(parts.every((part) => Object.isFrozen(part))).to.be.true
  })

  it('report all errors together', () => {
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

  it('report nothing more about a variable that could not be read', () => {
    const earlier = { variable: 'SECURITY_JWT_PASSPHRASE', sentence: 'SECURITY_JWT_PASSPHRASE_FILE is away' }
    const { SECURITY_JWT_PASSPHRASE: _, ...rest } = PRODUCTION
    const outcome = judged(rest, [earlier])
    expect(outcome).to.deep.equal({ ok: false, errors: ['SECURITY_JWT_PASSPHRASE_FILE is away'] })
  })

  it('ignore variables of other programs', () => {
    const texts: unknown = JSON.parse(
      '{"PATH": "/bin", "HOSTNAME": "box", "__proto__": "x", "npm_config_port": "1"}',
    )
    expect(errorsOf(texts as Record<string, string>)).to.deep.equal([])
  })
})
