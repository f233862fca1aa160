import { expect } from 'chai'
import fc from 'fast-check'
import { readImportedHash, phcOfKeycloak } from '../../../src/adapters/imported-hashes/read-imported-hash.js'
import { itRejects, itLimits, itVerifies } from '../../support/imported-hashes.js'

/** The end of an Argon2 hash. */
const BODY = 'm=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
const PREFIXES = [
  ...['$2b$05$', '$pbkdf2-sha256$', 'pbkdf2_sha256$', '$aspnet$', '$scrypt$', '$fbscrypt$', '$firescrypt$'],
  ...['$5$', '$6$', '{SSHA}', '{SSHA512}', '$P$', '$H$', '$wp$2y$10$', '$S$', 'U$S$', 's2:', '', '$7$', '{"'],
]

/** One hash in each format. */
const HASHES = [
  `$argon2id$v=19$${BODY}`,
  '$2a$05$c92SVSfjeiCD6F2nAD6y0uBpJDjdRkt0EgeC4/31Rf2LUZbDRDE.O',
  '$wp$2y$10$Q1xinFjrZeLWJBvxviIL6u834Fu.evIEFHAUVisQ5O.w9Dm0sMdES',
  'pbkdf2_sha1$26000$seasalt$E6OeG0TFYBPXsU+BQpVG+/GTtGI=',
  '$pbkdf2-sha1$i=10000,l=20$wJuJqLoUFsdXa8k3sFhRlA$XMGVWTbeKf4Xd+CGiuEZde8x7QA',
  '$aspnet$AQAAAAIAAAAyAAAAEOMwvh3+FZxqkdMBz2ekgGhwQ4B6pZWND6zgESBuWiHw',
  '$scrypt$ln=14,r=8,p=1$U29kaXVtQ2hsb3JpZGU$cCO9yzr9c0hGHAbNgf046/2o+7qQT44+qbVD9lRdofI',
  '$5$rounds=1000$IbG0EuGQXw5EkMdP$LQ5AfPf13KufFsKtmazqnzSGZ4pxtUNw3woQ.ELRDF4',
  '{SSHA}0c0blFTXXNuAMHECS4uxrj3ZieMoWImr',
  '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0',
  'U$S$5I5Ht7YwxFRiMiJhBjyt42Ji2WRndX2dCx1jyktH92PeQp0xWdgi',
  '{"secretData":"{\\"value\\":\\"E6OeG0TFYBPXsU+BQpVG+/GTtGI=\\",\\"salt\\":\\"AAECAwQFBgc=\\"}","credentialData":"{\\"hashIterations\\":5,\\"algorithm\\":\\"pbkdf2\\"}"}',
]

describe('imported hashes', () => {
  itRejects(Object.fromEntries(PREFIXES.map((prefix) => [`the prefix ${prefix}`, prefix + BODY])))

  it('are read without an exception, however the text is damaged', () => {
    const damaged = fc.record({
      ...{ hash: fc.constantFrom(...HASHES), at: fc.nat(200), removed: fc.nat(80) },
      inserted: fc.oneof(
        fc.string({ maxLength: 3 }),
        fc.constantFrom('$', '=', ',', '0', '99999999999', '"', '}'),
      ),
    })
    fc.assert(
      fc.property(damaged, ({ hash, at, removed, inserted }) => {
        const text = hash.slice(0, at) + inserted + hash.slice(at + removed)
        expect(['imported', 'too-costly', undefined]).to.include(readImportedHash(text)?.kind)
      }),
      { numRuns: 2_000 },
    )
  })

  it('have at most 1,024 characters', () => {
    const padded = (length: number) => `pbkdf2_sha256$1$${'a'.repeat(length)}$${'A'.repeat(43)}=`
    const fixed = padded(0).length
    expect(readImportedHash(padded(1_024 - fixed))).to.have.property('kind', 'imported')
    expect(readImportedHash(padded(1_025 - fixed))).to.equal(undefined)
  })
})

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
