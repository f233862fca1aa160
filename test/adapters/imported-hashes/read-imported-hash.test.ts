import { expect } from 'chai'
import { readImportedHash } from '../../../src/adapters/imported-hashes/read-imported-hash.js'
import { itRejects } from '../../support/imported-hashes.js'

/** The end of a hash after its prefix, which is in the same base64 as that of other families. */
const BODY = 'm=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'
const PREFIXES = [
  ...['$2b$05$', '$pbkdf2-sha256$', 'pbkdf2_sha256$', '$aspnet$', '$scrypt$', '$fbscrypt$', '$firescrypt$'],
  ...['$5$', '$6$', '{SSHA}', '{SSHA512}', '$P$', '$H$', '$wp$2y$10$', '$S$', 'U$S$', 's2:', '', '$7$', '{"'],
]

describe('imported hashes', () => {
  itRejects(Object.fromEntries(PREFIXES.map((prefix) => [`the prefix ${prefix}`, prefix + BODY])))

  it('have at most 1,024 characters', () => {
    const padded = (length: number) => `pbkdf2_sha256$1$${'a'.repeat(length)}$${'A'.repeat(43)}=`
    const fixed = padded(0).length
    expect(readImportedHash(padded(1_024 - fixed))).to.have.property('kind', 'imported')
    expect(readImportedHash(padded(1_025 - fixed))).to.equal(undefined)
  })
})
