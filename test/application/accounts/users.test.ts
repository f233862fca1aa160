import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { refused } from '../../support/refusal-of.js'
import { composeUseCases, PASSWORD, type Composed } from '../../support/use-cases.js'

describe('createUser', () => {
  it('creates an account with its roles, each only once, and audits each role', async () => {
    const kennel = await composeUseCases()
    for (const key of ['editor', 'author'])
      await kennel.useCases.createRole({ caller: OPERATOR, key, label: key })
    const user = { email: 'ada@example.com', password: PASSWORD, roles: ['editor', 'author', 'editor'] }
    const id = await kennel.useCases.createUser({ caller: OPERATOR, ...user })
    const account = await kennel.store.accounts.findByEmail('ada@example.com' as Email)
    expect(account?.roles.map(({ key }) => key)).to.have.members(['author', 'editor'])
    expect(await kennel.audited()).to.deep.equal([
      `user.create cli:tester account:${id} success`,
      `role.assign cli:tester account:${id} role:editor success`,
      `role.assign cli:tester account:${id} role:author success`,
    ])
  })
})

const email = 'ada@example.com'

describe('changing the email of a user', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.account(email)
    await kennel.account('bob@example.com')
  })

  const change = (newEmail: string, from = email) =>
    kennel.useCases.changeUserEmail({ caller: OPERATOR, email: from, newEmail })

  it("replaces the account's email and ends the account's sessions", async () => {
    await kennel.login(email)
    await change('Ada.L@Example.com')
    expect(await kennel.store.accounts.findByEmail(email as never)).to.equal(undefined)
    const account = await kennel.store.accounts.findByEmail('ada.l@example.com' as never)
    expect(account).to.include({ id: 1, epoch: 2, enteredEmail: 'Ada.L@Example.com' })
    const { sessions } = await kennel.useCases.getUser({ caller: OPERATOR, email: 'ada.l@example.com' })
    expect(sessions.active).to.equal(0)
    await kennel.login('ada.l@example.com')
  })

  it('rejects an email of another account, an unknown account and invalid emails', async () => {
    for (const taken of ['bob@example.com', 'BOB@Example.com'])
      expect(await refused(change(taken))).to.deep.equal(['conflict', 'newEmail', 'Duplicate'])
    expect(await refused(change('new@example.com', 'cy@example.com'))).to.deep.equal([
      ...['not-found', 'email', 'NotFound'],
    ])
    for (const wrong of ['', 'no-email', 'a@b@c'])
      expect(await refused(change(wrong))).to.deep.equal(['invalid', 'newEmail', 'Format'])
  })
})
