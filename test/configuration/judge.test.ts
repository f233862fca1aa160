import { expect } from 'chai'
import { errorsOf, settingsOf } from './reading.js'

describe('the settings', () => {
  it('are frozen, and so are their values', () => {
    const settings = settingsOf({ CORS_ORIGINS: 'https://a.example' })
    const { corsOrigins, lifetimes, passwordScrypt, permissions } = settings
    const parts = [settings, corsOrigins, lifetimes, passwordScrypt, permissions]
    expect(parts.every((part) => Object.isFrozen(part))).to.be.true
  })

  it('ignore variables of other programs', () => {
    const texts: unknown = JSON.parse(
      '{"PATH": "/bin", "HOSTNAME": "box", "__proto__": "x", "npm_config_port": "1"}',
    )
    expect(errorsOf(texts as Record<string, string>)).to.deep.equal([])
  })
})
