import { expect } from 'chai'
import type { RoleKey } from '../../../src/domain/access/role.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type {
  PetCredentials,
  PetSecurity,
} from '../../../src/application/catalogue/authenticate-pet-client.js'
import { factorHolder } from '../../support/factor.js'
import { refusalOf, wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, type Composed } from '../../support/use-cases.js'

const email = 'ada@example.com'
const RIGHT = { email, password: PASSWORD }
const WRONG = { email, password: 'a wrong password' }
const FROM = { address: '192.0.2.1' }
const LIMIT = { count: 2, window: 60_000 }

async function kennelFor(petSecurity: PetSecurity): Promise<Composed> {
  const kennel = await composeUseCases({ petSecurity, loginLimit: LIMIT })
  await kennel.account(email, ['editor'])
  await kennel.audited()
  return kennel
}

describe('authenticating a pet client', () => {
  let kennel: Composed
  let apiKey: string

  beforeEach(async () => {
    kennel = await kennelFor('any')
    apiKey = await kennel.apiKey(['editor'])
    await kennel.audited()
  })

  const authenticate = (presented: PetCredentials) => kennel.useCases.authenticatePetClient(presented)
  const codeOf = async (presented: PetCredentials) => (await refusalOf(authenticate(presented))).code

  it('identifies the program by an API key, and the account by Basic credentials, even if an API key is also sent', async () => {
    expect(await authenticate({ apiKey })).to.include({ kind: 'api-key', apiKeyId: 1 })
    for (const presented of [{ basic: RIGHT }, { apiKey, basic: RIGHT }]) {
      const caller = await authenticate(presented)
      expect(caller).to.include({ kind: 'account', email })
      expect(caller.kind === 'account' && caller.roles.map(({ key }) => key)).to.deep.equal(['editor'])
    }
  })

  it('omits roles that require a second factor if Basic is used, but not if an API key is used', async () => {
    kennel = await composeUseCases({ factorRoles: new Set(['admin' as RoleKey]) })
    await kennel.account(email, ['admin', 'editor'])
    apiKey = await kennel.apiKey(['admin', 'editor'])
    const rolesOf = async (presented: PetCredentials) => {
      const caller = await authenticate(presented)
      return 'roles' in caller && caller.roles.map(({ key }) => key)
    }
    expect(await rolesOf({ basic: RIGHT })).to.deep.equal(['editor'])
    expect(await rolesOf({ apiKey })).to.deep.equal(['admin', 'editor'])
  })

  it('treats the password of an account with a second factor as wrong, and verifies only a decoy hash', async () => {
    const hashes: unknown[] = []
    kennel = await composeUseCases({
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: (password, hash) => {
          hashes.push(hash)
          return hasher.verify(password, hash)
        },
      }),
    })
    await factorHolder(kennel, email)
    hashes.length = 0
    const told = [
      await wordsOf(authenticate({ basic: WRONG })),
      await wordsOf(authenticate({ basic: RIGHT })),
    ]
    expect(told[1]).to.equal(told[0])
    expect(hashes).to.deep.equal([undefined, undefined])
  })

  it('rejects with the same message for every reason, and reveals the reason only in the log', async () => {
    const unknown = { basic: { email: 'bob@example.com', password: PASSWORD } }
    const refusals = [
      {},
      { apiKey: 'none' },
      { apiKey: 'none', basic: RIGHT },
      { basic: WRONG },
      { apiKey, basic: WRONG },
      unknown,
      { basic: { email: 'ada', password: '' } },
    ]
    const told = await Promise.all(refusals.map((one) => wordsOf(authenticate(one))))
    const words = 'invalid-credentials | NotValid: Valid credentials are required.'
    const key = `${words} | (unknown, revoked or expired API key)`
    const person = `${words} | (wrong email or password)`
    expect(told).to.deep.equal([
      `${words} | (a credential is missing)`,
      ...[key, key],
      ...[person, person, person, person],
    ])
  })

  it('audits a failed login with Basic, even for a disabled account', async () => {
    await codeOf({ basic: WRONG, client: FROM })
    await kennel.useCases.disableUser({ caller: OPERATOR, email })
    expect(await codeOf({ basic: RIGHT, client: FROM })).to.equal('invalid-credentials')
    const logins = (await kennel.audited()).filter((entry) => entry.startsWith('login'))
    expect(logins).to.include('login anonymous account:1 failure from 192.0.2.1')
  })

  it('limits guesses in the same way as logins, but still accepts a password that was verified a moment ago', async () => {
    await authenticate({ basic: RIGHT, client: FROM })
    for (let guess = 0; guess < LIMIT.count; guess += 1)
      expect(await codeOf({ basic: WRONG, client: FROM })).to.equal('invalid-credentials')
    expect(await codeOf({ basic: { ...WRONG, password: 'another one' }, client: FROM })).to.equal(
      'too-many-attempts',
    )
    expect(await authenticate({ basic: RIGHT, client: FROM })).to.include({ kind: 'account' })
  })

  it('counts each concurrent guess, even if it cannot be a valid password', async () => {
    const basic = { email, password: 'a'.repeat(100_000) }
    const guesses = Array.from({ length: LIMIT.count + 1 }, () => codeOf({ basic, client: FROM }))
    const codes = (await Promise.all(guesses)).toSorted()
    expect(codes).to.deep.equal(['invalid-credentials', 'invalid-credentials', 'too-many-attempts'])
  })

  it('shares one computation among equal concurrent guesses only for the same email and network', async () => {
    let computed = 0
    kennel = await composeUseCases({
      aroundHasher: (hasher) => ({
        ...hasher,
        verify: async (...given) => {
          computed += 1
          return await hasher.verify(...given)
        },
      }),
    })
    const guess = async (...guesses: readonly (readonly [email: string, address?: string])[]) => {
      computed = 0
      const presented = guesses.map(([one, address]) => ({
        basic: { email: one, password: 'a guess' },
        client: { address },
      }))
      await Promise.all(presented.map((one) => codeOf(one)))
      return computed
    }
    const [here, there] = ['192.0.2.1', '198.51.100.1']
    expect(await guess([email, here], [email, here])).to.equal(1)
    expect(await guess([email, here], [email, there], [email])).to.equal(3)
    expect(await guess([email, here], ['bob@example.com', here])).to.equal(2)
    expect(await guess([email, '2001:db8::1'], [email, '2001:db8::2'])).to.equal(1)
  })

  it('rejects a wrong API key before it checks Basic', async () => {
    await codeOf({ apiKey: 'none', basic: WRONG })
    expect(await kennel.audited()).to.deep.equal([])
  })

  it('requires both credentials if the configuration requires both', async () => {
    kennel = await kennelFor('all')
    apiKey = await kennel.apiKey(['editor'])
    for (const presented of [{ apiKey }, { basic: RIGHT }, {}])
      expect(await codeOf(presented)).to.equal('invalid-credentials')
    expect(await authenticate({ apiKey, basic: RIGHT })).to.include({ kind: 'account' })
  })
})
