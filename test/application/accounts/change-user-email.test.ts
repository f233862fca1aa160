import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { Refusal } from '../../../src/domain/refusal.js'
import { refused } from '../../support/refusal-of.js'
import { composeUseCases, type Composed } from '../../support/use-cases.js'

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

  it("accepts another spelling of the account's current email", async () => {
    await change('ADA@example.com')
    const account = await kennel.store.accounts.findByEmail(email as never)
    expect(account?.enteredEmail).to.equal('ADA@example.com')
  })

  it('finds the account by ID', async () => {
    await change('ada.l@example.com', '1')
    expect(await kennel.store.accounts.findByEmail('ada.l@example.com' as never)).to.include({ id: 1 })
    expect(await refused(change('new@example.com', '3'))).to.deep.equal(['not-found', 'id', 'NotFound'])
  })

  it('reports every invalid email', async () => {
    for (const [from, fields] of [
      ['0', ['email', 'newEmail']],
      ['no-email', ['email', 'newEmail']],
      ['1', ['newEmail']],
    ] as const) {
      const refusal: unknown = await change('1', from).catch((error: unknown) => error)
      expect((refusal as Refusal).messages.map(({ field }) => field)).to.deep.equal(fields)
    }
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
