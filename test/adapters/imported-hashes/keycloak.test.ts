import { expect } from 'chai'
import { phcOfKeycloak } from '../../../src/adapters/imported-hashes/keycloak.js'
import { itLimits, itRejects, itVerifies } from '../../support/imported-hashes.js'

const ARGON2 = { type: ['id'], version: ['1.3'], hashLength: ['32'], memory: ['7168'], parallelism: ['1'] }
const SALT = 'AAECAwQFBgcICQoLDA0ODw=='

function credential(value: string, salt: string, data: object): string {
  const secretData = JSON.stringify({ value, salt, additionalParameters: {} })
  return JSON.stringify({ type: 'password', secretData, credentialData: JSON.stringify(data) })
}

/** The credential of a published realm whose user has the password "iceberg". */
const byArgon2 = (parameters: object = {}, hashIterations: unknown = 5) =>
  credential('BuViHNDGmCq80fvpty/QoggTI8NSt0CuNDGgeoa5f5A=', 'RJ0aLMQ2qKbZuROs7qQhcA==', {
    ...{ hashIterations, algorithm: 'argon2' },
    additionalParameters: { ...ARGON2, ...parameters },
  })
const byPbkdf2 = (algorithm: string, hashIterations: unknown, value: string, salt = SALT) =>
  credential(value, salt, { hashIterations, algorithm, additionalParameters: {} })

describe('Keycloak password credentials', () => {
  // The PBKDF2 hashes were created with Python's hashlib, with the lengths that Keycloak uses.
  itVerifies(
    [
      ['iceberg', byArgon2()],
      [
        'correct horse',
        byPbkdf2(
          ...(['pbkdf2-sha256', 27_500] as const),
          'qnA427fe69fAjkevcHZvnm7vp3MewnxKL4g2WLfI7U6teQVH1eR2L5DfcV0psPIfjGPtlZbkpnogYX+2TaSl6w==',
        ),
      ],
      [
        'correct horse',
        byPbkdf2(
          ...(['pbkdf2-sha512', 1_000] as const),
          'Xpx07WjVx4vCIvrmBRj8uOoVVtGqJqtUv2J5bhizSQs7osCteF7W4A61dZDqSIqQjO+dxO6p5FT/Uy7QRBXSXA==',
        ),
      ],
      [
        'correct horse',
        byPbkdf2(
          ...(['pbkdf2', 1_000] as const),
          'ndhWw3a4srcTtr4HQFTLiKRlVuARheqNDSZ/M5xlIWnV8dW5o4FxWW4SX6V6pwPMFQrFliwwmyqHNSBeApSZPA==',
        ),
      ],
    ],
    (text) => phcOfKeycloak(text) ?? '',
  )

  it('are stored as PHC strings', () => {
    expect(phcOfKeycloak(byArgon2())).to.equal(
      '$argon2id$v=19$m=7168,t=5,p=1$RJ0aLMQ2qKbZuROs7qQhcA==$BuViHNDGmCq80fvpty/QoggTI8NSt0CuNDGgeoa5f5A=',
    )
    expect(phcOfKeycloak(byPbkdf2('pbkdf2', 1_000, 'AAAA'))).to.equal(
      '$pbkdf2-sha1$i=1000,l=3$AAECAwQFBgcICQoLDA0ODw==$AAAA',
    )
  })

  itLimits(
    'argon2id m=262144 t=10 p=16',
    [byArgon2({}, 10)],
    [byArgon2({ memory: ['262145'] }), byArgon2({}, 11)],
  )
  itRejects({
    'an older version of Argon2': byArgon2({ version: ['1.0'] }),
    'no parameters': byArgon2({ memory: undefined }),
    'parameters of another type': byArgon2({ memory: { value: 7168 } }),
    'no iterations': byArgon2({}, null),
    'an object as iterations': byPbkdf2('pbkdf2', { toString: 1, valueOf: 1 }, 'A'.repeat(43)),
    'an object in a list': byArgon2({ memory: [{ toString: 1, valueOf: 1 }] }),
    'an empty salt': byPbkdf2('pbkdf2-sha256', 1_000, 'A'.repeat(43), ''),
    'an unknown algorithm': byPbkdf2('md5', 1, 'A'.repeat(43)),
    'broken JSON': `${byArgon2()}}`,
    'broken JSON inside': JSON.stringify({ secretData: '{"value":', credentialData: '{}' }),
    'objects instead of strings': JSON.stringify({ secretData: {}, credentialData: {} }),
    'no members': '{"":null}',
  })
})
