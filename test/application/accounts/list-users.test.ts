import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { MUST_BE } from '../../../src/domain/messages.js'
import type { AuditLog } from '../../../src/ports/audit-log.js'
import { createMemoryStore } from '../../../src/adapters/memory/store.js'
import {
  listUsers as listUsersOperation,
  getUser as getUserOperation,
} from '../../../src/application/accounts/list-users.js'
import { addFactor } from '../../../src/contracts/arrangements.js'
import { aSession, anActor, anAuditRecord, sealedSecretOf } from '../../../src/contracts/samples.js'
import { authorizeByDefault } from '../../support/permissions.js'
import { refused, wordsOf } from '../../support/refusal-of.js'
import { composeUseCases, START, type Composed } from '../../support/use-cases.js'

describe('listUsers', () => {
  let service: Composed

  beforeEach(async () => {
    service = await composeUseCases()
    await service.account('ada@example.com', ['editor', 'author'])
    await service.account('bob@example.com')
    await service.account('eve@example.com')
  })

  const list = (limit: number, after?: number) =>
    service.useCases.listUsers({ caller: OPERATOR, limit, after: after as AccountId | undefined })

  it('returns only the ID, email, roles and dates of each account', async () => {
    await service.useCases.disableUser({ caller: OPERATOR, email: 'bob@example.com' })
    const [ada, bob] = await list(2)
    expect(ada).to.deep.equal({
      id: 1,
      email: 'ada@example.com',
      roles: ['author', 'editor'],
      createdAt: START,
    })
    expect(bob).to.deep.equal({
      id: 2,
      email: 'bob@example.com',
      roles: [],
      createdAt: START,
      disabledAt: START + 1,
    })
  })

  it('continues after an ID until it returns a partial page', async () => {
    const ids = async (limit: number, after?: number) => (await list(limit, after)).map(({ id }) => id)
    expect([await ids(2), await ids(2, 2), await ids(2, 3)]).to.deep.equal([[1, 2], [3], []])
  })

  describe('with search filters', () => {
    const caller = OPERATOR
    type Search = Partial<Parameters<Composed['useCases']['listUsers']>[0]>
    const search = (input: Search) => service.useCases.listUsers({ caller, limit: 10, ...input })
    const emailsOf = async (input: Search) => (await search(input)).map(({ email }) => email.split('@')[0])

    beforeEach(async () => {
      await service.account('adam@example.com', ['editor'])
      for (const email of ['adam@example.com', 'bob@example.com'])
        await service.useCases.disableUser({ caller, email })
    })

    it('finds accounts by email prefix in any spelling, by role, by disabled state, or by all of these', async () => {
      for (const email of ['ad', ' AD ', 'ａｄ'])
        expect(await emailsOf({ email })).to.deep.equal(['ada', 'adam'])
      expect(await emailsOf({ email: 'ada@example.com' })).to.deep.equal(['ada'])
      expect(await emailsOf({ role: 'editor' })).to.deep.equal(['ada', 'adam'])
      expect(await emailsOf({ onlyDisabled: true })).to.deep.equal(['adam', 'bob'])
      expect(await emailsOf({ role: 'editor', onlyDisabled: true })).to.deep.equal(['adam'])
      expect(await emailsOf({ email: 'b', role: 'editor', onlyDisabled: true })).to.deep.equal([])
      expect(await emailsOf({ email: 'no' })).to.deep.equal([])
    })

    it('passes only the given filters, and reads the role table only after an empty result', async () => {
      const asked: unknown[] = []
      const { accounts } = service.store
      const recording: typeof accounts.search = async (wanted) => {
        asked.push(wanted)
        return await accounts.search(wanted)
      }
      const list = () => Promise.reject(new Error('the role table was read'))
      const listUsers = listUsersOperation.factory({
        authorize: authorizeByDefault,
        accounts: { ...accounts, search: recording },
        roles: { ...service.store.roles, list },
      })
      await listUsers({ caller: OPERATOR, onlyDisabled: true, limit: 3 })
      await listUsers({ caller: OPERATOR, email: 'A', limit: 3 })
      await listUsers({ caller: OPERATOR, role: 'editor', after: 'ada@example.com', limit: 3 })
      expect(asked).to.deep.equal([
        { limit: 3, onlyDisabled: true },
        { limit: 3, onlyDisabled: false, start: 'a' },
        { limit: 3, onlyDisabled: false, role: 'editor', after: 'ada@example.com' },
      ])
    })

    it('rejects an invalid email prefix, role or email', async () => {
      expect(await refused(search({ email: '' }))).to.deep.equal(['invalid', 'email', 'Format'])
      expect(await refused(search({ role: 'a b' }))).to.deep.equal(['invalid', 'role', 'Format'])
      for (const role of ['edit', 'EDITOR', 'everyone', 'cli'])
        expect(await refused(search({ role })), role).to.deep.equal(['not-found', 'role', 'NotFound'])
      const after = await refused(search({ email: 'a', after: '7' }))
      expect(after).to.deep.equal(['invalid', 'after', 'Format'])
    })

    it('rejects a position or an order that is valid only for the other kind of list', async () => {
      const [email, id, order] = [
        'after Format: must be an email in a search',
        `after Format: ${MUST_BE.id} without a search`,
        'order Format: cannot be combined with a search, because search results are sorted by email',
      ]
      const wrong: readonly (readonly [Search, string])[] = [
        [{ email: 'a', after: 1 as AccountId }, email],
        [{ onlyDisabled: true, order: 'newest-first' }, order],
        [{ role: 'editor', order: 'oldest-first' }, order],
        [{ after: 'ada@example.com' }, id],
        [{ after: 'ada@example.com', onlyDisabled: false }, id],
      ]
      for (const [input, words] of wrong)
        expect(await wordsOf(search(input))).to.equal(`malformed | ${words}`)
    })
  })
})

describe('listing duplicate users', () => {
  /** An account as stored by an earlier release. */
  const sharing = (email: string, sharedEmail: string) =>
    ({ email: email as Email, sharedEmail: sharedEmail as Email, createdAt: 0 }) as const

  it('lists only accounts that share a canonical email, ordered by that email and then by ID', async () => {
    const plain = Array.from({ length: 501 }, (_, id) => ({
      email: `user-${id}@example.com` as Email,
      createdAt: 0,
    }))
    const store = createMemoryStore()
    for (const account of [
      sharing('νικος@example.com', 'νικοσ@example.com'),
      sharing('ada@bücher.example', 'ada@xn--bcher-kva.example'),
      ...plain,
      sharing('νικοσ@example.com', 'νικοσ@example.com'),
      sharing('straße@example.com', 'strasse@example.com'),
      sharing('ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'),
      sharing('bob@bücher.example', 'bob@xn--bcher-kva.example'),
      sharing('bob@xn--bcher-kva.example', 'bob@xn--bcher-kva.example'),
    ])
      await store.accounts.insert(account)
    const { useCases } = await composeUseCases({ store })
    const users = await useCases.listDuplicateUsers({ caller: OPERATOR })
    expect(users.map(({ canonicalEmail, id, email }) => [canonicalEmail, id, email])).to.deep.equal([
      ['ada@xn--bcher-kva.example', 2, 'ada@bücher.example'],
      ['ada@xn--bcher-kva.example', 506, 'ada@xn--bcher-kva.example'],
      ['bob@xn--bcher-kva.example', 507, 'bob@bücher.example'],
      ['bob@xn--bcher-kva.example', 508, 'bob@xn--bcher-kva.example'],
      ['νικοσ@example.com', 1, 'νικος@example.com'],
      ['νικοσ@example.com', 504, 'νικοσ@example.com'],
    ])
  })
})

const email = 'ada@example.com'
const HOUR = 3_600_000

describe('getUser', () => {
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
