import { generateKeyPairSync } from 'node:crypto'
import { expect } from 'chai'
import { createPasskeyVerifier } from '../../../src/adapters/webauthn/passkey-verifier.js'
import type { JsonObject } from '../../../src/domain/identity/json-object.js'
import type { Passkey } from '../../../src/domain/identity/passkey.js'
import type { PasskeyVerifier } from '../../../src/ports/passkeys.js'
import {
  createAuthenticator,
  ORIGIN,
  RP_ID,
  type Algorithm,
  type Misbehaviour,
} from '../../support/passkey-authenticator.js'

const CHALLENGE = Buffer.alloc(32, 7).toString('base64url')
const OTHER = Buffer.alloc(32, 8).toString('base64url')
const OWNER = { handle: '7', name: 'ada@example.com' }
const APP = 'capacitor://localhost'

const withoutReason = ({ kind }: { readonly kind: string }) => kind

/** Attacks on both ceremonies. */
const ATTACKS: Readonly<Record<string, Misbehaviour>> = {
  'another origin': { origin: 'https://kennel.example.evil.example' },
  'the origin of a subdomain': { origin: 'https://login.kennel.example' },
  'another RP ID': { rpId: 'evil.example' },
  'another challenge': { challenge: OTHER },
  'an embedding page': { clientData: { crossOrigin: true } },
  'an embedding page that the browser names': {
    clientData: { crossOrigin: true, topOrigin: ORIGIN },
  },
  'a user who was not verified': { isVerified: false },
  'a user who was not present': { isPresent: false, isVerified: false },
  'a backup of a passkey that cannot be backed up': { backup: [false, true] },
}

describe('the WebAuthn verifier', () => {
  let verifier: PasskeyVerifier
  const creation = () => verifier.creationOptions({ challenge: CHALLENGE, owner: OWNER, exclude: [] })
  const request = () => verifier.requestOptions({ challenge: CHALLENGE })
  const register = (authenticator = createAuthenticator(), changes: Misbehaviour = {}) =>
    verifier.verifyRegistration(authenticator.create(creation(), changes), CHALLENGE)

  async function registered(authenticator = createAuthenticator(), algorithm: Algorithm = -7) {
    const outcome = await register(authenticator, { algorithm })
    if (outcome.kind === 'refused') throw new Error(outcome.reason)
    const assert = (changes?: Misbehaviour, key: Pick<Passkey, 'id' | 'publicKey'> = outcome.passkey) =>
      verifier.verifyAssertion(authenticator.get(request(), changes), CHALLENGE, key)
    return { passkey: outcome.passkey, assert }
  }

  before(async () => {
    verifier = await createPasskeyVerifier({ id: RP_ID, origins: [ORIGIN, APP] })
  })

  it('requests a discoverable passkey and a verified user, without attestation, with three algorithms', () => {
    const options = verifier.creationOptions({
      challenge: CHALLENGE,
      owner: OWNER,
      exclude: [{ id: 'AQ' as Passkey['id'], transports: ['usb'] }],
    })
    expect(options).to.deep.include({
      challenge: CHALLENGE,
      rp: { id: RP_ID, name: RP_ID },
      user: { id: Buffer.from('7').toString('base64url'), name: OWNER.name, displayName: OWNER.name },
      attestation: 'none',
      timeout: 300_000,
      excludeCredentials: [{ type: 'public-key', id: 'AQ', transports: ['usb'] }],
    })
    expect((options['pubKeyCredParams'] as { alg: number }[]).map(({ alg }) => alg)).to.deep.equal([
      -8, -7, -257,
    ])
    expect(options['authenticatorSelection']).to.include({
      residentKey: 'required',
      userVerification: 'required',
    })
    const all = { challenge: CHALLENGE, rpId: RP_ID, timeout: 300_000, userVerification: 'required' }
    expect(request()).to.deep.equal({ ...all, allowCredentials: [] })
  })

  for (const algorithm of [-7, -8, -257] as const) {
    it(`registers a passkey with the algorithm ${algorithm}, and verifies its signatures`, async () => {
      const { passkey, assert } = await registered(createAuthenticator({ counts: true }), algorithm)
      expect(passkey).to.include({ counter: 0, synced: false, backedUp: false })
      expect(passkey.transports).to.deep.equal(['hybrid', 'internal'])
      expect(await assert()).to.deep.equal({ kind: 'verified', counter: 1, backedUp: false })
      expect(await assert({ backup: [true, true], origin: APP })).to.deep.equal({
        kind: 'verified',
        counter: 2,
        backedUp: true,
      })
      const { privateKey: signer } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      if (algorithm === -7) expect(withoutReason(await assert({ signer }))).to.equal('refused')
    })
  }

  for (const [what, changes] of Object.entries(ATTACKS)) {
    it(`refuses a registration and an assertion with ${what}`, async () => {
      const { assert } = await registered()
      expect(withoutReason(await assert(changes))).to.equal('refused')
      expect(withoutReason(await register(undefined, changes))).to.equal('refused')
    })
  }

  it('refuses a login response at registration, and a registration response at login', async () => {
    const authenticator = createAuthenticator()
    const { passkey, assert } = await registered(authenticator)
    expect(withoutReason(await assert({ type: 'webauthn.create' }))).to.equal('refused')
    expect(withoutReason(await register(undefined, { type: 'webauthn.get' }))).to.equal('refused')
    const created = authenticator.create(creation())
    expect(withoutReason(await verifier.verifyAssertion(created, CHALLENGE, passkey))).to.equal('refused')
  })

  it('refuses an algorithm that was not offered', async () => {
    expect(withoutReason(await register(undefined, { algorithm: -37 }))).to.equal('refused')
  })

  it('accepts credential IDs of at most 1,023 bytes', async () => {
    const idOf = (bytes: number) => ({ id: Buffer.alloc(bytes, 1) })
    expect(withoutReason(await register(undefined, idOf(1023)))).to.equal('verified')
    expect(withoutReason(await register(undefined, idOf(1024)))).to.equal('refused')
  })

  it('refuses attestations with certificates, without parsing the certificates', async () => {
    const statement = [['x5c', [Buffer.from('a certificate')]]] as const
    for (const format of ['packed', 'apple', 'fido-u2f']) {
      expect(await register(undefined, { attestation: { format, statement } })).to.deep.equal({
        kind: 'refused',
        reason: 'the attestation has certificates',
      })
    }
  })

  it('verifies a signature only with the key of its passkey', async () => {
    const [ada, eve] = [await registered(), await registered()]
    const stolen = { id: ada.passkey.id, publicKey: eve.passkey.publicKey }
    expect(withoutReason(await ada.assert({}, stolen))).to.equal('refused')
    const renamed = { ...ada.passkey, id: eve.passkey.id }
    for (const other of [eve.passkey, renamed])
      expect(withoutReason(await ada.assert({}, other))).to.equal('refused')
  })

  it('verifies a signature of any algorithm before it refuses an unknown passkey', async () => {
    for (const algorithm of [-7, -8, -257] as const) {
      const authenticator = createAuthenticator()
      await register(authenticator, { algorithm })
      const unknown = await verifier.verifyAssertion(authenticator.get(request()), CHALLENGE, undefined)
      expect(unknown).to.deep.equal({ kind: 'refused', reason: 'no account has this passkey' })
    }
  })

  it('reads the ID, the challenge and the handle of a response, and rejects malformed objects', async () => {
    const authenticator = createAuthenticator()
    const { passkey } = await registered(authenticator)
    const response = authenticator.get(request())
    expect(verifier.read(response)).to.deep.equal({ id: passkey.id, challenge: CHALLENGE, handle: '7' })
    const inner = response['response'] as JsonObject
    const malformed: readonly JsonObject[] = [
      {},
      { ...response, id: 7 },
      { ...response, id: 'A'.repeat(1365) },
      { ...response, response: null },
      { ...response, response: { ...inner, clientDataJSON: undefined } },
      { ...response, response: { ...inner, clientDataJSON: 'AAAA' } },
      { ...response, response: { ...inner, clientDataJSON: Buffer.from('{}').toString('base64url') } },
      { ...response, response: { ...inner, signature: 'A'.repeat(16_385) } },
      { ...response, response: { ...inner, authenticatorData: ['AAAA'] } },
    ]
    for (const one of malformed) {
      expect(verifier.read(one)).to.equal(undefined)
      for (const outcome of [
        await verifier.verifyAssertion(one, CHALLENGE, passkey),
        await verifier.verifyRegistration(one, CHALLENGE),
      ])
        expect(outcome).to.deep.equal({ kind: 'refused', reason: 'the response is malformed' })
    }
  })
})
