import { expect } from 'chai'
import { createCredentials, createTokenCache } from '../../src/composition-root/credentials.js'
import type { Email } from '../../src/domain/identity/email.js'
import { claimsOf, STATEFUL } from '../support/tokens/token-bench.js'
import { KEY_COST, PASSPHRASE, TOKEN_USE } from '../support/use-cases.js'

const LIFETIMES = { accessToken: 1000, refreshToken: 1000, session: 1000, refreshGrace: 0 }

describe('the account label in an authenticator app', () => {
  const labelOf = async (publicUrl: string, email: string) => {
    const { oneTimeCodes } = await createCredentials(
      { previousPassphrases: [], tokenAlg: TOKEN_USE, lifetimes: LIFETIMES, stateless: false },
      { passphrase: PASSPHRASE, publicUrl, keyLogN: KEY_COST.logN },
    )
    const { uri } = oneTimeCodes.enrolment(oneTimeCodes.freshSecret(), email as Email)
    return [/^otpauth:\/\/totp\/([^?]*)\?/.exec(uri)?.[1], new URL(uri).searchParams.get('issuer')]
  }

  for (const [issuer, host, written] of [
    ['https://kennel.example:8443', 'kennel.example', 'kennel.example'],
    ['http://127.0.0.1:3000', '127.0.0.1', '127.0.0.1'],
    ['http://[::1]:3000', '[::1]', '%5B%3A%3A1%5D'],
  ] as const)
    it(`has the host without the port, and only one colon: ${issuer}`, async () => {
      expect(await labelOf(issuer, 'a:b:c@pets.example')).to.deep.equal([
        `${written}:a%3Ab%3Ac%40pets.example`,
        host,
      ])
    })
})

describe('the cache of verified tokens', () => {
  const claims = claimsOf('access', STATEFUL)
  const token = `${'a'.repeat(200)}.signature`

  it('finds a token only by its complete text', () => {
    const cache = createTokenCache(10_000)
    cache.set(token, claims)
    expect(cache.get(token)).to.equal(claims)
    for (const other of [`${token}2`, token.replace('signature', 'forgery'), token.slice(0, 200)])
      expect(cache.get(other), other).to.equal(undefined)
  })
})
