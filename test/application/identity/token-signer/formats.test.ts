import { expect } from 'chai'
import { createKeyRing } from '../../../../src/adapters/keyring/index.js'
import { base64url, eddsaBench } from '../../../support/tokens/forged-jwt.js'
import { pasetoBench } from '../../../support/tokens/forged-paseto.js'
import { BENCHES } from '../../../support/tokens/benches.js'
import {
  claimsOf,
  detailOf,
  NOW,
  openSigner,
  payloadOf,
  signedBy,
  STATEFUL,
  withPayload,
  type Bench,
  type Ring,
} from '../../../support/tokens/token-bench.js'

const CURRENT = 'First-passphrase-of-these-tests-0001'
const PREVIOUS = 'Second-passphrase-of-these-tests-0002'

/** Creates the ring from the passphrases in the same way as the composition root. */
async function ringOfPassphrases({ name }: Bench, current = CURRENT, previous = [PREVIOUS]): Promise<Ring> {
  const ring = await createKeyRing({ current, previous }, name, { logN: 4 })
  const keys = ring.all.map(({ kid, tokenSecret }) => ({ kid, secret: tokenSecret }))
  return { keys, currentKid: ring.current.kid }
}

for (const bench of BENCHES) {
  describe(`a ${bench.name} token signed with a passphrase`, () => {
    it('stays valid while its passphrase is a previous passphrase, and is rejected once the passphrase is removed', async () => {
      const claims = claimsOf('refresh', STATEFUL)
      const before = await openSigner(bench, { ring: await ringOfPassphrases(bench, PREVIOUS, []) })
      const token = await signedBy(before, claims)
      const rotated = await openSigner(bench, { ring: await ringOfPassphrases(bench) })
      expect(await rotated.verify('refresh', token, NOW)).to.deep.equal({ kind: 'valid', claims })
      expect(rotated.currentKid).to.not.equal(before.currentKid)
      const gone = await openSigner(bench, { ring: await ringOfPassphrases(bench, CURRENT, []) })
      const verification = await gone.verify('refresh', token, NOW)
      expect(detailOf(verification)).to.equal('not signed with a key in this ring')
    })

    for (const other of BENCHES.filter((one) => one !== bench)) {
      it(`is invalid for a signer of ${other.name} with the same passphrases`, async () => {
        const signer = await openSigner(bench, { ring: await ringOfPassphrases(bench) })
        const there = await openSigner(other, { ring: await ringOfPassphrases(other) })
        for (const kind of ['access', 'refresh'] as const) {
          for (const { kid } of (await ringOfPassphrases(bench)).keys) {
            const token = await signedBy(signer, claimsOf(kind, STATEFUL), kid)
            expect((await there.verify(kind, token, NOW)).kind).to.equal('invalid')
          }
        }
      })
    }
  })
}

describe('the same Ed25519 key and kid in two formats', () => {
  const { key } = eddsaBench
  const ring = { keys: [key], currentKid: key.kid }
  const pair = [eddsaBench, pasetoBench] as const

  for (const [bench, other, detail] of [
    [eddsaBench, pasetoBench, 'the token is not a PASETO'],
    [pasetoBench, eddsaBench, 'the token does not have three parts'],
  ] as const) {
    it(`signs no ${bench.name} token that is accepted as ${other.name}`, async () => {
      const signer = await openSigner(other, { ring })
      const token = withPayload(bench, STATEFUL)
      expect(detailOf(await signer.verify('access', token, NOW))).to.equal(detail)
    })
  }

  it('creates no signature that is valid in the other format', async () => {
    expect(pasetoBench.key).to.deep.equal(key)
    const payloads = pair.map((bench) => payloadOf(bench, 'access', STATEFUL))
    const [jwt, paseto] = pair.map((bench) => withPayload(bench, STATEFUL).split('.'))
    const ofPaseto = Buffer.from(paseto![2]!, 'base64url').subarray(-64)
    const inJwt = [jwt![0], jwt![1], base64url(ofPaseto)].join('.')
    const ofJwt = Buffer.from(jwt![2]!, 'base64url')
    const body = Buffer.concat([Buffer.from(JSON.stringify(payloads[1])), ofJwt])
    const inPaseto = ['v4', 'public', base64url(body), paseto![3]].join('.')
    const [jose, v4] = [await openSigner(eddsaBench, { ring }), await openSigner(pasetoBench, { ring })]
    expect(detailOf(await jose.verify('access', inJwt, NOW))).to.equal(eddsaBench.misfit)
    expect(detailOf(await v4.verify('access', inPaseto, NOW))).to.equal(pasetoBench.misfit)
  })
})
