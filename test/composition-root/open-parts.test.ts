import { expect } from 'chai'
import { openPasskeys } from '../../src/composition-root/open-parts.js'
import { PRODUCTION, settingsOf } from '../configuration/reading.js'
import { createAuthenticator } from '../support/passkey-authenticator.js'

const CHALLENGE = Buffer.alloc(32, 7).toString('base64url')
const PUBLIC_URL = 'https://pets.example'
const CORS_ORIGINS = 'https://pets.test,http://pets.test,http://localhost:5173,capacitor://localhost'

describe('the passkey verifier of a service', () => {
  it('accepts its own origin, and the origins in CORS_ORIGINS on which browsers support passkeys', async () => {
    const settings = settingsOf({ ...PRODUCTION, PUBLIC_URL, PASSKEYS: 'on', CORS_ORIGINS })
    const { passkeyVerifier } = await openPasskeys(settings, PUBLIC_URL)
    const owner = { handle: '7', name: 'ada@example.com' }
    const options = passkeyVerifier?.creationOptions({ challenge: CHALLENGE, owner, exclude: [] }) ?? {}
    expect(options['rp']).to.include({ id: 'pets.example' })
    const outcomes: Record<string, string | undefined> = {}
    for (const origin of [PUBLIC_URL, ...CORS_ORIGINS.split(',')]) {
      const response = createAuthenticator().create(options, { origin })
      outcomes[origin] = (await passkeyVerifier?.verifyRegistration(response, CHALLENGE))?.kind
    }
    expect(outcomes).to.deep.equal({
      'https://pets.example': 'verified',
      'https://pets.test': 'verified',
      'http://pets.test': 'refused',
      'http://localhost:5173': 'verified',
      'capacitor://localhost': 'verified',
    })
  })

  it('is absent if passkeys are off', async () => {
    expect(await openPasskeys(settingsOf(PRODUCTION), PUBLIC_URL)).to.deep.equal({})
  })
})
