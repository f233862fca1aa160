import { expect } from 'chai'
import { createScryptHasher } from '../../src/adapters/scrypt/index.js'
import type { PasswordHash } from '../../src/domain/identity/password.js'
import { COST, password } from './stored-hash.js'

const hasher = createScryptHasher({ cost: COST, concurrency: 4 })

/** A password and its hash in the format of another system. */
export type Vector = readonly [password: string, hash: string]

/** Declares a test for each hash. `stored` converts a hash to its stored form. */
export function itVerifies(vectors: readonly Vector[], stored = (hash: string) => hash): void {
  for (const [text, hash] of vectors)
    it(`match only the password "${text.slice(0, 20)}": ${hash.slice(0, 40)}…`, async () => {
      expect(hasher.recognise(hash)).to.deep.equal({ kind: 'hash', hash: stored(hash) })
      expect(await hasher.verify(password(text), hash as PasswordHash)).to.equal(true)
      expect(await hasher.verify(password(`${text}x`), hash as PasswordHash)).to.equal(false)
      expect(hasher.isOutdated(hash as PasswordHash, text)).to.equal(true)
    })
}

/** Declares a test: hashes at the limit are accepted, and hashes above the limit are rejected as too costly. */
export function itLimits(limit: string, atLimit: readonly string[], above: readonly string[]): void {
  it(`are accepted up to ${limit}`, () => {
    for (const hash of atLimit) expect(hasher.recognise(hash).kind, hash).to.equal('hash')
    for (const hash of above)
      expect(hasher.recognise(hash), hash).to.deep.equal({
        kind: 'too-costly',
        limit: `${limit.split(' ')[0]} hashes are accepted up to ${limit.split(' ').slice(1).join(' ')}`,
      })
  })
}

/** Declares a test for strings that only resemble a hash; each is named after its flaw. */
export function itRejects(texts: Readonly<Record<string, string>>): void {
  it('are distinguished from strings that only resemble a hash', async () => {
    for (const [name, text] of Object.entries(texts)) {
      expect(hasher.recognise(text), name).to.deep.equal({ kind: 'unknown' })
      expect(await hasher.verify(password('password'), text as PasswordHash), name).to.equal(false)
    }
  })
}
