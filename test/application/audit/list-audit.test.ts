import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AuditRecord, AuditRecordId } from '../../../src/domain/audit.js'
import { listAudit as listAuditOperation } from '../../../src/application/audit/list-audit.js'
import type { Accounts } from '../../../src/ports/accounts.js'
import type { AuditLog } from '../../../src/ports/audit-log.js'
import { authorizeByDefault } from '../../support/permissions.js'
import { composeUseCases, START, type Composed } from '../../support/use-cases.js'

const email = 'ada@example.com'

describe('listAudit', () => {
  let kennel: Composed

  beforeEach(async () => {
    kennel = await composeUseCases()
    await kennel.account(email)
    kennel.clock.now = START + 1_000
    await kennel.account('bob@example.com')
    await kennel.login(email)
  })

  type Wanted = Partial<Omit<Parameters<Composed['useCases']['listAudit']>[0], 'caller'>>
  const page = (wanted: Wanted = {}) => kennel.useCases.listAudit({ caller: OPERATOR, limit: 10, ...wanted })
  const list = async (wanted: Wanted = {}) =>
    (await page(wanted)).map(({ event, subject }) => `${event} ${String(subject)}`)
  const [ADA, BOB, LOGIN] = ['user.create account:1', 'user.create account:2', 'login account:1'] as const

  it('lists the records in pages, by default from the oldest to the newest', async () => {
    expect(await list()).to.deep.equal([ADA, BOB, LOGIN])
    expect(await list({ order: 'newest-first' })).to.deep.equal([LOGIN, BOB, ADA])
    const [first] = await page({ limit: 1 })
    expect(await list({ after: first!.id, limit: 1 })).to.deep.equal([BOB])
    expect(await list({ after: 'ffffffffffff' as AuditRecordId })).to.deep.equal([])
  })

  it("lists an account's records by email or, once the account is deleted, by ID", async () => {
    expect(await list({ user: 'ADA@example.com' })).to.deep.equal([ADA, LOGIN])
    await kennel.useCases.deleteUser({ caller: OPERATOR, email })
    expect(await list({ user: '1' })).to.deep.equal([ADA, LOGIN, 'user.delete account:1'])
    for (const user of ['9', '12', '9'.repeat(15)]) expect(await list({ user }), user).to.deep.equal([])
  })

  const people = async (wanted: Wanted = {}) =>
    (await page(wanted)).map(({ actorEmail, subjectEmail }) => [actorEmail, subjectEmail])

  it("returns the actor's and the subject's emails as entered, until the account is deleted", async () => {
    const entered = 'Cy@Example.COM'
    await kennel.account(entered)
    await kennel.login(entered)
    const both = [entered, entered]
    expect((await people()).slice(-2)).to.deep.equal([[undefined, entered], both])
    await kennel.useCases.createRole({ caller: OPERATOR, key: 'editor', label: 'Editor' })
    await kennel.useCases.assignRole({ caller: OPERATOR, email: entered, role: 'editor' })
    expect((await people({ event: 'role.assign' })).at(-1)).to.deep.equal([undefined, entered])
    await kennel.useCases.deleteUser({ caller: OPERATOR, email: entered })
    for (const record of await page({ user: '3' })) {
      expect(record, record.event).to.not.have.any.keys('actorEmail', 'subjectEmail')
    }
  })

  it('returns both emails if one account acts on another, but no email for other actors and subjects', async () => {
    const [who, at] = [{ actor: 'account:1', outcome: 'success' }, START + 5_000] as const
    const accounts = [1, 2] as readonly number[] as AuditRecord['accounts']
    const record = (id: string, change: Partial<AuditRecord>) =>
      kennel.store.audit.append({ ...who, id: id as AuditRecordId, at, event: 'logout', accounts, ...change })
    await record('fff0', { subject: 'account:2 sessions:3' })
    await record('fff1', { actor: 'apikey:1', subject: 'apikey:2', accounts: [] })
    await record('fff2', { actor: 'cli:account:1', subject: 'account:22', accounts })
    expect(await people({ event: 'logout' })).to.deep.equal([
      [email, 'bob@example.com'],
      [undefined, undefined],
      [undefined, undefined],
    ])
  })

  it('reads each account on a page once, and stores no email in the log', async () => {
    const asked: unknown[] = []
    const accounts: Accounts = {
      ...kennel.store.accounts,
      findMany: async (ids) => {
        asked.push(ids)
        return await kennel.store.accounts.findMany(ids)
      },
    }
    const { audit } = kennel.store
    const listAudit = listAuditOperation.factory({ authorize: authorizeByDefault, audit, accounts })
    await listAudit({ caller: OPERATOR, limit: 10 })
    await listAudit({ caller: OPERATOR, limit: 10, event: 'apikey.create' })
    expect(asked).to.deep.equal([[1, 2]])
    expect(JSON.stringify(await audit.page({ limit: 10 }))).to.not.contain('@')
  })

  it('passes only the given filters to the log', async () => {
    const asked: unknown[] = []
    const audit: AuditLog = {
      ...kennel.store.audit,
      page: async (request) => {
        asked.push(request)
        return await kennel.store.audit.page(request)
      },
    }
    const listAudit = listAuditOperation.factory({
      authorize: authorizeByDefault,
      audit,
      accounts: kennel.store.accounts,
    })
    const whole = {
      event: 'login',
      since: START,
      after: '0' as AuditRecordId,
      order: 'newest-first',
    } as const
    await listAudit({ caller: OPERATOR, limit: 10 })
    await listAudit({ caller: OPERATOR, limit: 7, user: '1', ...whole })
    expect(asked).to.deep.equal([{ limit: 10 }, { limit: 7, accountId: 1, ...whole }])
  })
})
