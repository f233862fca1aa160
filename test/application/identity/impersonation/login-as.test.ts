import { expect } from 'chai'
import type { Issued } from '../../../../src/application/identity/issue.js'
import { OPERATOR } from '../../../../src/domain/access/caller.js'
import { refusalOf } from '../../../support/refusal-of.js'
import { composeUseCases, presentedBy, START, type Composed } from '../../../support/use-cases.js'

const HOUR = 3_600_000

describe('login as', () => {
  let kennel: Composed
  let boss: Issued

  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.account('boss@example.com', ['admin'])
    await kennel.account('ada@example.com', ['editor'])
    await kennel.account('other-boss@example.com', ['admin'])
    boss = await kennel.login('boss@example.com')
    await kennel.audited()
  })

  const loginAs = (userId: unknown, by: Issued = boss) =>
    kennel.useCases.loginAs({ userId, presented: presentedBy(by) })
  const told = async (userId: unknown, by?: Issued) => {
    const { code, messages } = await refusalOf(loginAs(userId, by))
    return [code, messages[0]?.type]
  }
  const identity = (issued: Issued) => kennel.useCases.getIdentity(presentedBy(issued))

  it('makes the caller the other account, with its roles alone, and says who acts', async () => {
    const issued = await loginAs(2)
    const { roles, actor, email } = await identity(issued)
    expect([email, actor?.email, roles.map(({ key }) => key)]).to.deep.equal([
      'ada@example.com',
      'boss@example.com',
      ['editor'],
    ])
    expect(issued.endsAt).to.equal(START + HOUR)
    expect(await kennel.audited()).to.deep.equal(['impersonation.start account:1 account:2 success'])
    expect((await refusalOf(identity(boss))).code).to.equal('invalid-token')
  })

  it('lasts no longer than the login of the one who acts', async () => {
    kennel = await composeUseCases({ lifetimes: { session: HOUR / 2, refreshToken: HOUR / 2 } })
    await kennel.account('boss@example.com', ['admin'])
    await kennel.account('ada@example.com')
    boss = await kennel.login('boss@example.com')
    expect((await loginAs(2)).endsAt).to.equal(boss.endsAt)
  })

  it('is refused of what is no id, of oneself, of no account and of an administrator, and none is audited', async () => {
    for (const [userId, ...expected] of [
      [undefined, 'malformed', 'Required'],
      ['2', 'malformed', 'Format'],
      [0, 'malformed', 'Format'],
      [1, 'invalid', 'NotValid'],
      [9, 'not-found', 'NotFound'],
      [3, 'forbidden', 'Forbidden'],
    ] as const)
      expect(await told(userId), String(userId)).to.deep.equal(expected)
    await kennel.useCases.disableUser({ caller: OPERATOR, email: 'ada@example.com' })
    expect((await told(2))[0]).to.equal('not-found')
    expect(await kennel.audited()).to.deep.equal(['user.disable cli:tester account:2 success'])
    expect((await identity(boss)).accountId).to.equal(1)
  })

  it('is refused without the permission, and to one who acts already', async () => {
    expect((await told(1, await kennel.login('ada@example.com')))[0]).to.equal('forbidden')
    const acting = await loginAs(2)
    expect((await told(2, acting))[0]).to.equal('forbidden')
  })

  it('of two at once with one login lets one through', async () => {
    const outcomes = await Promise.allSettled([loginAs(2), loginAs(2)])
    expect(outcomes.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected'])
  })
})
