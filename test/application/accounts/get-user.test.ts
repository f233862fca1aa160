import { expect } from 'chai'
import { getUser as getUserOperation } from '../../../src/application/accounts/get-user.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { AuditLog } from '../../../src/ports/audit-log.js'
import { addFactor } from '../../../src/contracts/arrangements.js'
import { aSession, anActor, anAuditRecord, sealedSecretOf } from '../../../src/contracts/samples.js'
import { authorizeByDefault } from '../../support/permissions.js'
import { composeUseCases, PASSWORD, START, type Composed } from '../../support/use-cases.js'

const email = 'ada@example.com'
const HOUR = 3_600_000

describe('get user', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.account(email, ['editor', 'author'])
  })

  const get = (one = email) => kennel.useCases.getUser({ caller: OPERATOR, email: one })
  const accountOf = async (one = email) => {
    const account = await kennel.store.accounts.findByEmail(one as never)
    return account ?? expect.fail('there is no such account')
  }
  const logIn = async (password = PASSWORD) =>
    await kennel.useCases.login({ email, password, presented: {} }).catch(() => undefined)

  it('returns an account that has never logged in', async () => {
    expect(await get(' ADA@example.com')).to.deep.equal({
      ...{ id: 1, email, roles: ['author', 'editor'], createdAt: START },
      sessions: { active: 0, more: false },
      secondFactor: false,
    })
  })

  it('returns an active second factor, but not an unconfirmed one', async () => {
    const { id } = await accountOf()
    await kennel.store.secondFactors.begin(id, { sealedSecret: sealedSecretOf('begun'), at: START })
    expect(await get()).to.include({ secondFactor: false })
    await addFactor(kennel.store, { id })
    expect(await get()).to.include({ secondFactor: true })
  })

  it('returns the newest successful login, regardless of later events', async () => {
    await logIn()
    kennel.clock.now += HOUR
    await logIn()
    kennel.clock.now += HOUR
    for (let failure = 0; failure < 120; failure += 1)
      await kennel.store.audit.append(failureAt(kennel.clock.now, failure))
    await kennel.useCases.revokeSessions({ caller: OPERATOR, email })
    expect(await get()).to.deep.include({ lastLoginAt: START + HOUR, sessions: { active: 0, more: false } })
  })

  it('returns the newest active session, without impersonations, if no login is recorded', async () => {
    await kennel.account('boss@example.com')
    const [ada, boss] = [await accountOf(), await accountOf('boss@example.com')]
    for (const [name, createdAt] of [
      ['one', START - HOUR],
      ['two', START - 5],
    ] as const)
      await kennel.store.sessions.open({ ...aSession(ada, name), createdAt })
    await kennel.store.sessions.open({ ...aSession(ada, 'acting'), createdAt: START, actor: anActor(boss) })
    for (let failure = 0; failure < 600; failure += 1)
      await kennel.store.audit.append(failureAt(START, failure))
    expect(await get()).to.deep.include({ lastLoginAt: START - 5, sessions: { active: 3, more: false } })
  })

  it('reads only the newest five hundred logins from the audit log', async () => {
    const asked: unknown[] = []
    const { accounts, sessions, audit } = kennel.store
    const auditLog: AuditLog = {
      ...audit,
      page: async (request) => {
        asked.push('after' in request ? 'more' : 'first')
        return await audit.page(request)
      },
    }
    const getUser = getUserOperation.factory({
      authorize: authorizeByDefault,
      accounts,
      sessions,
      auditLog,
      clock: () => kennel.clock.now,
    })
    const lastLogin = async () => [
      (await getUser({ caller: OPERATOR, email })).lastLoginAt,
      ...asked.splice(0),
    ]
    expect(await lastLogin()).to.deep.equal([undefined, 'first'])
    await audit.append(anAuditRecord('s', { at: START - HOUR, accounts: [1 as AccountId] }))
    const fail = async (from: number, to: number) => {
      for (let failure = from; failure < to; failure += 1) await audit.append(failureAt(START, failure))
    }
    await fail(0, 499)
    expect(await lastLogin()).to.deep.equal([START - HOUR, 'first', 'more', 'more', 'more', 'more'])
    await fail(499, 500)
    expect(await lastLogin()).to.deep.equal([undefined, 'first', 'more', 'more', 'more', 'more'])
  })

  it('counts up to a hundred sessions, and reports whether there are more', async () => {
    const ada = await accountOf()
    const open = async (name: string) => await kennel.store.sessions.open(aSession(ada, name))
    for (let number = 1; number <= 100; number += 1) await open(`session ${number}`)
    expect((await get()).sessions).to.deep.equal({ active: 100, more: false })
    await open('one more')
    expect((await get()).sessions).to.deep.equal({ active: 100, more: true })
  })

  function failureAt(at: number, number: number) {
    const accounts = [1 as AccountId]
    return anAuditRecord(`x${String(number).padStart(4, '0')}`, { at, outcome: 'failure', accounts })
  }
})
