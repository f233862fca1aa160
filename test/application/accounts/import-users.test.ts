import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import type { ImportedUser } from '../../../src/application/accounts/import-users.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { transient } from '../../../src/domain/refusal.js'
import { type Composed, composeUseCases, PASSWORD, START } from '../../support/use-cases.js'
import { storedHash } from '../../support/stored-hash.js'
import { refusalOf, refused } from '../../support/refusal-of.js'

const HASH = storedHash(PASSWORD, { logN: 10, r: 1, p: 1 })
const BCRYPT = '$2b$04$abcdefghijklmnopqrstuuE0u3cBmrXrdc0TsUNLkNl6rLMnZgDK2'

describe('import users', () => {
  let service: Composed

  beforeEach(async () => {
    service = await composeUseCases()
    for (const key of ['author', 'editor']) {
      await service.useCases.createRole({ caller: OPERATOR, key, label: key })
    }
  })

  const importUser = (user: ImportedUser) => service.useCases.importUsers({ caller: OPERATOR })(user)
  const stored = (email: string) => service.store.accounts.findByEmail(email as Email)

  it('saves an account with its hash as it is, its roles and the time of the clock', async () => {
    const user = { email: ' Ada@Example.com', passwordHash: HASH, roles: ['editor', 'author', 'editor'] }
    expect(await importUser(user)).to.equal('saved')
    const account = await stored('ada@example.com')
    expect(account).to.include({
      enteredEmail: 'Ada@Example.com',
      passwordHash: HASH,
      createdAt: START,
      epoch: 1,
    })
    expect(account?.roles.map((role) => role.key)).to.deep.equal(['author', 'editor'])
  })

  it('saves an account without a hash, which no password opens', async () => {
    expect(await importUser({ email: 'ada@example.com' })).to.equal('saved')
    expect(await stored('ada@example.com')).to.not.have.property('passwordHash')
    for (const password of ['', 'ada', 'undefined']) {
      const attempt = service.useCases.login({ email: 'ada@example.com', password, presented: {} })
      expect((await refusalOf(attempt)).code).to.equal('login-failed')
    }
  })

  for (const count of [2, 3, 20])
    it(`saves none of ${count} lines with one email if the store fails for the first, so a retry keeps their order`, async () => {
      const slow = transient('The store did not answer in time.')
      let isSlow = true
      const inner = createMemoryStore()
      const failing = await composeUseCases({
        store: {
          ...inner,
          accounts: {
            ...inner.accounts,
            insert: async (account) => {
              if (!isSlow) return await inner.accounts.insert(account)
              isSlow = false
              await new Promise(setImmediate)
              throw slow
            },
          },
        },
      })
      const email = 'ada@example.com'
      const one = failing.useCases.importUsers({ caller: OPERATOR })
      const lines = Array.from({ length: count }, (_, n) => ({ email, ...(n > 0 && { passwordHash: HASH }) }))
      const outcomes = await Promise.allSettled(lines.map((line) => one(line)))
      expect(outcomes).to.deep.equal(lines.map(() => ({ status: 'rejected', reason: slow })))
      const again = await Promise.all(lines.map((line) => one(line)))
      expect(again).to.deep.equal(['saved', ...Array<string>(count - 1).fill('unchanged')])
      expect(await inner.accounts.findByEmail(email as Email)).to.not.have.property('passwordHash')
    })

  it('leaves an existing account as it is, regardless of the line', async () => {
    await importUser({ email: 'ada@example.com', passwordHash: HASH, roles: ['author'] })
    const before = await stored('ada@example.com')
    for (const more of [{}, { passwordHash: BCRYPT }, { roles: ['editor'] }, { roles: ['unheard-of'] }]) {
      expect(await importUser({ email: 'ADA@example.com', ...more })).to.equal('unchanged')
    }
    expect(await stored('ada@example.com')).to.deep.equal(before)
  })

  for (const [name, user, answer] of [
    ['a bad email', { email: 'ada' }, ['invalid', 'email', 'Format']],
    [
      'a password in the place of its hash',
      { email: 'ada@example.com', passwordHash: 'a good password' },
      ['invalid', 'passwordHash', 'Format'],
    ],
    ['an empty hash', { email: 'ada@example.com', passwordHash: '' }, ['invalid', 'passwordHash', 'Format']],
    ['a role of no form', { email: 'ada@example.com', roles: ['a b'] }, ['invalid', 'role', 'Format']],
    [
      'a role that is not in the table',
      { email: 'ada@example.com', roles: ['editor', 'unheard-of'] },
      ['not-found', 'role', 'NotFound'],
    ],
  ] as const) {
    it(`refuses ${name} and makes nothing`, async () => {
      expect(await refused(importUser(user))).to.deep.equal(answer)
      expect(await service.store.accounts.page(undefined, 10)).to.deep.equal([])
    })
  }

  it('names every field that is wrong and repeats no hash', async () => {
    const { messages, detail } = await refusalOf(importUser({ email: 'ada', passwordHash: `${HASH}x` }))
    expect(messages.map((message) => message.field)).to.deep.equal(['email', 'passwordHash'])
    expect(JSON.stringify([messages, detail])).to.not.contain(HASH.slice(0, 20))
  })
})
