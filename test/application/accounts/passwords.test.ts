import { hashSync } from 'bcryptjs'
import { expect } from 'chai'
import { OPERATOR, type Caller } from '../../../src/domain/access/caller.js'
import type { RoleKey } from '../../../src/domain/access/role.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import type { PasswordBlocklist } from '../../../src/ports/passwords.js'
import { createScryptHasher } from '../../../src/adapters/scrypt/index.js'
import {
  operatorPassword,
  createPasswordPolicy,
  verifyPassword,
  type GivenPassword,
} from '../../../src/application/accounts/passwords.js'
import { OUTSIDERS } from '../../support/callers.js'
import { permitting } from '../../support/permissions.js'
import { codeOf, refusalOf, refused, wordsOf } from '../../support/refusal-of.js'
import { pretendedHash, storedHash } from '../../support/stored-hash.js'
import { composeUseCases, PASSWORD, type Composed } from '../../support/use-cases.js'

const COST = { logN: 10, r: 8, p: 1 }
const HASH = storedHash(PASSWORD, COST)
const BCRYPT = '$2b$04$abcdefghijklmnopqrstuuE0u3cBmrXrdc0TsUNLkNl6rLMnZgDK2'
/** Computing this hash once takes a minute and 1 GiB of memory. */
const DEAR = pretendedHash({ logN: 20, r: 8, p: 16 })

const email = 'ada@example.com' as Email

/** A role that may register users but not import them. */
const REGISTRAR: Caller = {
  kind: 'account',
  accountId: 9 as AccountId,
  email: 'boss@example.com' as Email,
  roles: [{ uuid: 'r', key: 'registrar' as RoleKey, label: 'Registrar' }],
}
const permissions = permitting({ registrar: { components: { 'user-task': ['create', 'password'] } } })

describe('the password that an operator enters', () => {
  it('is treated as a password unless it is a hash in a known format', () => {
    const hasher = createScryptHasher({ cost: COST, concurrency: 1 })
    for (const hash of [HASH, BCRYPT, DEAR])
      expect(operatorPassword(hasher, hash)).to.deep.equal({ passwordHash: hash })
    for (const password of [PASSWORD, '$2b$04$short', ''])
      expect(operatorPassword(hasher, password)).to.deep.equal({ password })
  })
})

describe('the password of an account', () => {
  let service: Composed

  beforeEach(async () => {
    service = await composeUseCases({ permissions, hashCost: COST })
  })

  const create = (given: GivenPassword, caller: Caller = OPERATOR) =>
    service.useCases.createUser({ caller, email, ...given })
  const set = (given: GivenPassword, caller: Caller = OPERATOR) =>
    service.useCases.setPassword({ caller, email, ...given })
  const login = (password: string) => service.useCases.login({ email, password, presented: {} })
  const stored = async () => (await service.store.accounts.findByEmail(email))?.passwordHash

  it('is hashed on registration, even if it looks like a hash', async () => {
    await create({ password: HASH })
    expect(await stored()).to.not.equal(HASH)
    expect((await login(HASH)).identity.email).to.equal(email)
    expect(await codeOf(login(PASSWORD))).to.equal('login-failed')
  })

  const setAll = (passwordHash: string, caller: Caller = OPERATOR) =>
    service.useCases.setAllPasswords({ caller, passwordHash })

  it('can be given as a hash, which is stored unchanged, for new accounts and for password changes', async () => {
    await create({ passwordHash: HASH })
    expect(await stored()).to.equal(HASH)
    await set({ passwordHash: BCRYPT })
    expect(await stored()).to.equal(BCRYPT)
    await setAll(HASH)
    expect(await stored()).to.equal(HASH)
  })

  it('can be given as a hash only with the import permission, which is checked first', async () => {
    await create({ password: PASSWORD }, REGISTRAR)
    await set({ password: PASSWORD }, REGISTRAR)
    const before = await stored()
    for (const attempt of [
      () => create({ passwordHash: HASH }, REGISTRAR),
      () => set({ passwordHash: 'x' }, REGISTRAR),
    ])
      expect(await codeOf(attempt())).to.equal('forbidden')
    expect(await codeOf(setAll(HASH, REGISTRAR))).to.equal('forbidden')
    for (const [caller, code] of OUTSIDERS)
      expect(await codeOf(create({ passwordHash: HASH }, caller))).to.equal(code)
    expect(await stored()).to.equal(before)
  })

  it('is rejected if it is given as a hash that is invalid or too expensive to verify', async () => {
    expect(await wordsOf(create({ passwordHash: 'a good password' }))).to.equal(
      'invalid | passwordHash Format: is not a hash of a known format',
    )
    const { code, messages } = await refusalOf(create({ passwordHash: DEAR }))
    expect([code, messages]).to.deep.equal([
      'invalid',
      [
        {
          field: 'passwordHash',
          type: 'NotValid',
          message:
            'would cost too much to verify: scrypt hashes are accepted up to 4 times the configured work (N=2^10 r=8 p=1) and 256 MiB',
        },
      ],
    ])
    expect(await stored()).to.equal(undefined)
  })

  it('must be given either as plain text or as an imported hash, but not as both', async () => {
    const both = { password: PASSWORD, passwordHash: HASH } as unknown as GivenPassword
    expect(await wordsOf(create(both))).to.equal(
      'malformed | passwordHash NotValid: cannot be given together with password',
    )
    expect(await refused(create({} as GivenPassword))).to.deep.equal(['malformed', 'password', 'Required'])
  })
})

describe('the password policy', () => {
  it('first checks the length, then passes the normalized password and the email to the blocklist', async () => {
    const asked: unknown[] = []
    const refuses: PasswordBlocklist['refuses'] = async (...question) => {
      asked.push(question)
      return question[0] === 'too close' ? 'too-close-to-context' : undefined
    }
    const policy = createPasswordPolicy({ minLength: 8, blocklist: { refuses } })
    expect(await policy('short', { email })).to.deep.equal({
      ok: false,
      type: 'Length',
      rule: 'must have 8 to 1024 characters',
    })
    expect(asked).to.deep.equal([])
    expect(await policy('\uff54\uff4f\uff4f close', { email })).to.deep.equal({
      ok: false,
      type: 'NotValid',
      rule: 'consists mostly of the email or the name of this service: choose another one',
    })
    expect(await policy('Far enough', {})).to.deep.equal({ ok: true, value: 'Far enough' })
    expect(asked).to.deep.equal([
      ['too close', { email }],
      ['Far enough', {}],
    ])
  })

  it('checks only the length if there is no blocklist', async () => {
    const policy = createPasswordPolicy({ minLength: 4 })
    expect(await policy('password', {})).to.deep.equal({ ok: true, value: 'password' })
    expect(await policy('pas', {})).to.include({ ok: false, type: 'Length' })
  })
})

const SENT = 'wait for it…'
const NORMAL = 'wait for it...'

describe('a password that another system hashed without normalization', () => {
  let kennel: Composed
  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.useCases.importUsers({ caller: OPERATOR })({ email, passwordHash: hashSync(SENT, 4) })
  })

  const login = async (password = SENT) => await kennel.useCases.login({ email, password, presented: {} })
  const basic = (password: string) => kennel.useCases.authenticatePetClient({ basic: { email, password } })
  const refused = async (call: Promise<unknown>) =>
    await call.then(
      () => false,
      () => true,
    )

  it('allows a login, which replaces the hash, and then also accepts the normalized form', async () => {
    expect(await refused(login(NORMAL))).to.equal(true)
    expect((await login()).identity.email).to.equal(email)
    const { passwordHash } = (await kennel.store.accounts.findByEmail(email)) ?? {}
    expect(passwordHash).to.match(/^c2NyeXB0/)
    for (const text of [SENT, NORMAL]) expect((await login(text)).identity.email).to.equal(email)
  })

  it('allows HTTP Basic, but other text with the same normalized form is rejected', async () => {
    for (let time = 1; time <= 2; time += 1) {
      expect(await basic(SENT)).to.include({ email })
      for (const text of [NORMAL, 'wait for it‥.']) expect(await refused(basic(text)), text).to.equal(true)
    }
  })
})

describe('password verification', () => {
  it('passes both the normalized password and the original password to the hasher', async () => {
    const given: unknown[] = []
    const hasher = { verify: async (...args: unknown[]) => given.push(args) > 0 }
    const hash = 'of a custom hasher' as PasswordHash
    for (const text of ['½ cup', 'Zoe\u0308', 'plain'])
      expect(await verifyPassword(hasher, text, hash)).to.equal(text.normalize('NFKC'))
    expect(given).to.deep.equal([
      ['1⁄2 cup', hash, '½ cup'],
      ['Zoë', hash, 'Zoe\u0308'],
      ['plain', hash, 'plain'],
    ])
  })
})
