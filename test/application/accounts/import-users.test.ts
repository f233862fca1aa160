import { expect } from 'chai'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import type { ImportedUser } from '../../../src/application/accounts/import-users.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Refusal } from '../../../src/domain/refusal.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { NewAccount } from '../../../src/ports/accounts.js'
import { type Composed, composeUseCases, PASSWORD, START } from '../../support/use-cases.js'
import { SLOW } from '../../support/watched-store.js'
import { storedHash } from '../../support/stored-hash.js'
import { createGate } from '../../support/watched-store.js'
import { codeOf, refusalOf } from '../../support/refusal-of.js'

const email = 'ada@example.com'
const HASH = storedHash(PASSWORD, { logN: 10, r: 1, p: 1 })

describe('importUsers', () => {
  let service: Composed

  beforeEach(async () => {
    service = await composeUseCases()
    for (const key of ['author', 'editor']) {
      await service.useCases.createRole({ caller: OPERATOR, key, label: key })
    }
  })

  const importUser = (user: ImportedUser) => service.useCases.importUsers({ caller: OPERATOR })(user)
  const stored = (email: string) => service.store.accounts.findByEmail(email as Email)

  it('saves an account with its roles, the given hash (unchanged) and the current time', async () => {
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

  it('saves an account without a hash, so that no password is accepted', async () => {
    expect(await importUser({ email: 'ada@example.com' })).to.equal('saved')
    expect(await stored('ada@example.com')).to.not.have.any.keys('passwordHash', 'enteredEmail')
    for (const password of ['', 'ada', 'undefined']) {
      const attempt = service.useCases.login({ email: 'ada@example.com', password, presented: {} })
      expect(await codeOf(attempt)).to.equal('login-failed')
    }
  })

  it('saves none of several lines with the same email if the first fails, so that a retry preserves their order', async () => {
    let isSlow = true
    const { accounts, ...others } = createMemoryStore()
    const insert: typeof accounts.insert = async (account) => {
      if (!isSlow) return await accounts.insert(account)
      isSlow = false
      await new Promise(setImmediate)
      throw SLOW
    }
    const failing = await composeUseCases({ store: { ...others, accounts: { ...accounts, insert } } })
    const one = failing.useCases.importUsers({ caller: OPERATOR })
    const lines = Array.from({ length: 3 }, (_, n) => ({ email, ...(n > 0 && { passwordHash: HASH }) }))
    const outcomes = await Promise.allSettled(lines.map((line) => one(line)))
    expect(outcomes).to.deep.equal(lines.map(() => ({ status: 'rejected', reason: SLOW })))
    const again = await Promise.all(lines.map((line) => one(line)))
    expect(again).to.deep.equal(['saved', 'unchanged', 'unchanged'])
    expect(await accounts.findByEmail(email as Email)).to.not.have.property('passwordHash')
  })

  it('has the same results in a dry run as in an import, and changes nothing', async () => {
    await importUser({ email: 'bob@example.com' })
    await service.audited()
    const rehearse = service.useCases.importUsers({ caller: OPERATOR, dryRun: true })
    for (const user of [
      { email, passwordHash: HASH, roles: ['editor'] },
      { email: 'Bob@example.com', roles: ['unheard-of'] },
      { email: 'cy@example.com', roles: ['editor', 'unheard-of'] },
      { email: 'no email' },
      { email: 'di@example.com', passwordHash: 'no hash' },
    ] satisfies ImportedUser[]) {
      const answer = (work: Promise<string>) => work.catch((error: unknown) => (error as Refusal).messages)
      const expected = await answer(rehearse(user))
      expect(await service.store.accounts.page(undefined, 10)).to.have.length(1)
      expect(await service.audited()).to.deep.equal([])
      const other = await composeUseCases()
      await other.useCases.createRole({ caller: OPERATOR, key: 'editor', label: 'Editor' })
      const importing = other.useCases.importUsers({ caller: OPERATOR })
      await importing({ email: 'bob@example.com' })
      expect(expected).to.deep.equal(await answer(importing(user)))
    }
  })

  it('reports every invalid field without repeating the hash', async () => {
    const { messages, detail } = await refusalOf(importUser({ email: 'ada', passwordHash: `${HASH}x` }))
    expect(messages.map((message) => message.field)).to.deep.equal(['email', 'passwordHash'])
    expect(JSON.stringify([messages, detail])).to.not.contain(HASH.slice(0, 20))
  })
})

const [FIRST, SECOND, THIRD] = ['one', 'two', 'three'].map((salt) =>
  storedHash(`${PASSWORD} ${salt}`, { logN: 10, r: 1, p: 1 }),
)
const UNKNOWN: ImportedUser = { email, roles: ['unknown'] }

/** Creates a store that pauses inserts of accounts with these hashes; `begun` lists the inserts that have started. */
function holding(hashes: readonly (string | undefined)[]) {
  const gates = new Map(hashes.map((hash) => [hash, createGate()]))
  const begun: (string | undefined)[] = []
  const { accounts, ...memory } = createMemoryStore()
  const insert = async (account: NewAccount) => {
    begun.push(account.passwordHash)
    await gates.get(account.passwordHash)?.pass()
    return await accounts.insert(account)
  }
  return { store: { ...memory, accounts: { ...accounts, insert } }, gates, begun }
}

describe('an import of several lines with the same email', () => {
  const importing = ({ useCases }: Composed) => useCases.importUsers({ caller: OPERATOR })
  const line = (passwordHash = ''): ImportedUser => ({ email, passwordHash })
  const hashOf = async ({ store }: Composed) =>
    (await store.accounts.findByEmail(email as Email))?.passwordHash
  /** Waits until all work that is not paused has finished. */
  const settled = () => new Promise((resolve) => setImmediate(resolve))

  it('inserts a line only after the previous insertion has finished, even if the line arrives earlier', async () => {
    const { store, gates, begun } = holding([FIRST])
    const importUser = importing(await composeUseCases({ store }))
    const refused = importUser(UNKNOWN).catch(() => 'refused')
    const first = importUser(line(FIRST))
    expect(await refused).to.equal('refused')
    await gates.get(FIRST)?.reached
    const second = importUser(line(SECOND))
    await settled()
    expect(begun).to.deep.equal([undefined, FIRST])
    gates.get(FIRST)?.release()
    expect(await Promise.all([first, second])).to.deep.equal(['saved', 'unchanged'])
  })

  it('inserts the other lines concurrently once one line has succeeded', async () => {
    const { store, gates, begun } = holding([FIRST, SECOND, THIRD])
    const importUser = importing(await composeUseCases({ store }))
    const outcomes = [FIRST, SECOND, THIRD].map((hash) => importUser(line(hash)))
    await gates.get(FIRST)?.reached
    await settled()
    expect(begun).to.deep.equal([FIRST])
    gates.get(FIRST)?.release()
    await Promise.all([gates.get(SECOND)?.reached, gates.get(THIRD)?.reached])
    for (const hash of [SECOND, THIRD]) gates.get(hash)?.release()
    expect(await Promise.all(outcomes)).to.deep.equal(['saved', 'unchanged', 'unchanged'])
  })

  it('inserts the account again if it was deleted in the meantime', async () => {
    const { store, gates } = holding([FIRST])
    const kennel = await composeUseCases({ store })
    const importUser = importing(kennel)
    expect(await importUser(line(THIRD))).to.equal('saved')
    await kennel.useCases.deleteUser({ caller: OPERATOR, email })
    const outcomes = [importUser(line(FIRST)), importUser(line(SECOND))]
    await gates.get(FIRST)?.reached
    await settled()
    gates.get(FIRST)?.release()
    expect(await Promise.all(outcomes)).to.deep.equal(['saved', 'unchanged'])
    expect(await hashOf(kennel)).to.equal(FIRST)
  })

  it('is audited once, when the first account is saved, and not at all if no account is saved', async () => {
    const kennel = await composeUseCases()
    const importUser = importing(kennel)
    await importUser(UNKNOWN).catch(() => undefined)
    expect(await kennel.audited()).to.deep.equal([])
    for (const name of ['ada', 'bob', 'ada']) await importUser({ email: `${name}@example.com` })
    expect(await kennel.audited()).to.deep.equal(['user.import cli:tester - success'])
    expect(await importing(kennel)({ email })).to.equal('unchanged')
    expect(await kennel.audited()).to.deep.equal([])
  })
})
