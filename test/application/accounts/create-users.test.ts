import { expect } from 'chai'
import { ANONYMOUS, OPERATOR } from '../../../src/domain/access/caller.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { Refusal } from '../../../src/domain/refusal.js'
import { refused } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, START, type Composed } from '../../support/use-cases.js'

describe('create user', () => {
  let kennel: Composed
  let hashed: number

  beforeEach(async () => {
    hashed = 0
    kennel = await composeUseCases({
      aroundHasher: (hasher) => ({
        ...hasher,
        hash: async (password) => {
          hashed += 1
          return await hasher.hash(password)
        },
      }),
    })
  })

  const create = (email: string, password = PASSWORD, roles?: readonly string[]) =>
    kennel.useCases.createUser({ caller: OPERATOR, email, password, roles })
  const stored = (email: string) => kennel.store.accounts.findByEmail(email as Email)

  it('creates an account that has no roles and can log in', async () => {
    const id = await create('ada@example.com')
    expect(await stored('ada@example.com'))
      .to.include({ id, createdAt: START })
      .and.deep.include({ roles: [] })
    expect(await kennel.audited()).to.deep.equal([`user.create cli:tester account:${id} success`])
    expect((await kennel.login('ada@example.com')).identity.accountId).to.equal(id)
  })

  it('rejects an email that is in use, in any spelling, before it computes a hash', async () => {
    await create('ada@example.com')
    expect(await refused(create('ADA@example.com'))).to.deep.equal(['conflict', 'email', 'Duplicate'])
    expect(hashed).to.equal(1)
  })

  it('rejects an import before creating the first user if the caller lacks the permission', () => {
    expect(() => kennel.useCases.importUsers({ caller: ANONYMOUS })).to.throw(Refusal)
  })

  it('creates an account with its roles, each only once, and audits each role', async () => {
    for (const key of ['editor', 'author'])
      await kennel.useCases.createRole({ caller: OPERATOR, key, label: key })
    const id = await create('ada@example.com', PASSWORD, ['editor', 'author', 'editor'])
    expect((await stored('ada@example.com'))?.roles.map(({ key }) => key)).to.have.members([
      'author',
      'editor',
    ])
    expect(await kennel.audited()).to.deep.equal([
      `user.create cli:tester account:${id} success`,
      `role.assign cli:tester account:${id} role:editor success`,
      `role.assign cli:tester account:${id} role:author success`,
    ])
  })

  it('creates no account with a role that does not exist', async () => {
    for (const [role, refusal] of [
      ['editor', ['not-found', 'role', 'NotFound']],
      ['no key', ['invalid', 'role', 'Format']],
    ] as const)
      expect(await refused(create('ada@example.com', PASSWORD, [role]))).to.deep.equal(refusal)
    expect(await kennel.store.accounts.page(undefined, 1)).to.deep.equal([])
    expect(await kennel.audited()).to.deep.equal([])
  })
})
