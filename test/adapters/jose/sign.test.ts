import { expect } from 'chai'
import { createJoseSigner } from '../../../src/adapters/jose/index.js'
import {
  ACCESS,
  base64url,
  forge,
  HEADER,
  ISSUER,
  KEY,
  OLD_KEY,
  openSigner,
  PAYLOAD,
  REFRESH,
} from './forge.js'

describe('the jose signer, signing', () => {
  it('writes exactly the decided header and payload, in one order', async () => {
    const signer = await openSigner()
    expect(await signer.sign(ACCESS, KEY.kid)).to.equal(forge(HEADER, PAYLOAD))
  })

  it('writes another type and audience for a refresh token', async () => {
    const signer = await openSigner()
    const expected = forge(
      { ...HEADER, typ: 'rt+jwt' },
      { ...PAYLOAD, aud: `${ISSUER}/refresh`, exp: REFRESH.expiresAt },
    )
    expect(await signer.sign(REFRESH, KEY.kid)).to.equal(expected)
  })

  it('gives the same bytes from two signers, whichever of the keys is current there', async () => {
    const here = await openSigner()
    const there = await openSigner({ keys: [OLD_KEY, KEY], currentKid: OLD_KEY.kid })
    for (const kid of [KEY.kid, OLD_KEY.kid]) {
      expect(await here.sign(ACCESS, kid)).to.equal(await there.sign(ACCESS, kid))
    }
  })

  it('names the key that signs now', async () => {
    expect((await openSigner()).currentKid).to.equal(KEY.kid)
  })

  it('signs with an earlier key of the ring when asked to', async () => {
    const signer = await openSigner()
    const expected = forge({ ...HEADER, kid: OLD_KEY.kid }, PAYLOAD, OLD_KEY)
    expect(await signer.sign(ACCESS, OLD_KEY.kid)).to.equal(expected)
  })

  it('signs nothing with a key that is not in the ring', async () => {
    const signer = await openSigner()
    for (const kid of ['', 'gone', '__proto__', 'KID-CURRENT']) {
      expect(await signer.sign(ACCESS, kid)).to.equal(undefined)
    }
  })

  it('holds no secret in the token', async () => {
    const token = (await (await openSigner()).sign(ACCESS, KEY.kid)) ?? ''
    const open = token.split('.').map((part) => Buffer.from(part, 'base64url'))
    expect(open.some((part) => part.includes(Buffer.from(KEY.secret.subarray(0, 8))))).to.equal(false)
    expect(token.startsWith(base64url(HEADER))).to.equal(true)
  })
})

describe('the jose signer, created', () => {
  const options = {
    keys: [KEY],
    currentKid: KEY.kid,
    issuer: ISSUER,
    lifetimes: { accessToken: 900_000, refreshToken: 604_800_000 },
  }
  const faults = [
    { keys: [], currentKid: KEY.kid, says: 'the current kid names no signing key' },
    { keys: [KEY], currentKid: 'gone', says: 'the current kid names no signing key' },
    { keys: [KEY, { ...OLD_KEY, kid: KEY.kid }], currentKid: KEY.kid, says: 'two signing keys have one kid' },
    {
      keys: [{ kid: KEY.kid, secret: new Uint8Array(63) }],
      currentKid: KEY.kid,
      says: 'a signing secret needs 64 bytes',
    },
  ]
  for (const { says, ...ring } of faults) {
    it(`refuses a ring of ${ring.keys.length} where ${says}`, async () => {
      const outcome = await createJoseSigner({ ...options, ...ring }).then(
        () => 'created',
        (error: unknown) => error,
      )
      expect(outcome).to.be.instanceOf(RangeError).with.property('message', says)
    })
  }
})
