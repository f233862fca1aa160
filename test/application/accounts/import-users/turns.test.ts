import { expect } from 'chai'
import { createMemoryStore } from '../../../../src/adapters/memory/store.js'
import { OPERATOR } from '../../../../src/domain/access/caller.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import type { ImportedUser } from '../../../../src/application/accounts/import-users.js'
import type { NewAccount } from '../../../../src/ports/accounts.js'
import { composeUseCases, PASSWORD, type Composed } from '../../../support/use-cases.js'
import { storedHash } from '../../../support/stored-hash.js'
import { createGate } from '../../../support/watched-store.js'

const email = 'ada@example.com'
const [FIRST, SECOND, THIRD] = ['one', 'two', 'three'].map((salt) =>
  storedHash(`${PASSWORD} ${salt}`, { logN: 10, r: 1, p: 1 }),
)
const UNKNOWN: ImportedUser = { email, roles: ['unknown'] }

/** A store that pauses the insertion of each of these hashes, and lists the insertions that have begun. */
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

describe('an import of several lines with one email', () => {
  const importing = ({ useCases }: Composed) => useCases.importUsers({ caller: OPERATOR })
  const line = (passwordHash = ''): ImportedUser => ({ email, passwordHash })
  const hashOf = async ({ store }: Composed) =>
    (await store.accounts.findByEmail(email as Email))?.passwordHash
  /** Waits until all work that is not paused has finished. */
  const settled = () => new Promise((resolve) => setImmediate(resolve))

  it('inserts a line after the previous line has ended, even if it comes during the insertion', async () => {
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

  it('inserts the others together once one has won', async () => {
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

  it('starts again if the account was deleted in between', async () => {
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

  it('is audited once, with the first saved account, and not without one', async () => {
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
