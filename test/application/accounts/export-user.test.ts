import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { mailEmails, type Account, type AccountId } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { RecoveryDigest, SealedSecret, TimeStep } from '../../../src/domain/identity/second-factor.js'
import type { MailJobId } from '../../../src/domain/mail.js'
import type { ProjectId } from '../../../src/domain/project/project.js'
import {
  exportUser as exportUserOperation,
  type UserExport,
} from '../../../src/application/accounts/export-user.js'
import { accountOf, addFactor, addPasskeys, issueReset } from '../../../src/contracts/arrangements.js'
import {
  anActor,
  anAuditRecord,
  aNewApiKey,
  aProject,
  aProof,
  aSession,
  proofDigestOf,
} from '../../../src/contracts/samples.js'
import { authorizeByDefault } from '../../support/permissions.js'
import { composeUseCases, START, type Composed } from '../../support/use-cases.js'

const ADA = 'ada@example.com'
const [PAGE, PAST] = [500, START - 9_000]

describe('the export of a user', () => {
  let kennel: Composed
  let id: AccountId

  beforeEach(async () => {
    kennel = await composeUseCases({ mode: 'stateful' })
    id = (await kennel.account(ADA, ['editor', 'author'])) as AccountId
    await kennel.account('bob@example.com', ['admin'])
  })

  const exported = () => kennel.useCases.exportUser({ caller: OPERATOR, email: ' ADA@example.com' })

  it('contains the account without its hash and epoch', async () => {
    const { account } = await exported()
    const expected = { id, email: ADA, createdAt: START, hasPassword: true, roles: ['author', 'editor'] }
    expect(account).to.deep.equal(expected)
    await kennel.useCases.disableUser({ caller: OPERATOR, email: ADA })
    expect((await exported()).account).to.deep.equal({ ...expected, disabledAt: START + 1 })
  })

  it('contains the sessions with their client and network, but without keys', async () => {
    const account = await accountOf(kennel.store, id)
    const at = { createdAt: START, endsAt: START + 9_000 }
    const current = { ...aSession(account, 'one').current, issuedAt: START, idleEndsAt: START + 9_000 }
    const openedBy = { client: 'Firefox 130 on Linux', network: '203.0.113.7' }
    const session = {
      ...aSession(account, 'one'),
      ...at,
      current: { ...current, network: '203.0.113.8' },
      openedBy,
      factor: START,
    }
    await addFactor(kennel.store, { id }, 'factor', START)
    await kennel.store.sessions.open(session)
    const [sessions] = await pagesOf((await exported()).sessions)
    expect(sessions).to.deep.equal([
      {
        ...{ id: session.id, createdAt: START, refreshedAt: START, endsAt: START + 9_000 },
        ...{ client: 'Firefox 130 on Linux', network: '203.0.113.7', refreshedFrom: '203.0.113.8' },
        ...{ secondFactor: true, impersonated: false },
      },
    ])
  })

  it('contains the API keys that the account created, and no others', async () => {
    const { apiKeys, roles } = kennel.store
    const key = { ...aNewApiKey('job', (await roles.list()).slice(0, 1)), expiresAt: START + 9_000 }
    await apiKeys.insert({ ...key, createdBy: id })
    for (const createdBy of [2 as AccountId, 'cli'] as const)
      await apiKeys.insert({ ...aNewApiKey(`of ${createdBy}`), createdBy })
    const { name, createdAt, expiresAt } = key
    const own = { id: 1, name, createdAt, expiresAt, roles: ['admin'] }
    expect(await pagesOf((await exported()).apiKeys)).to.deep.equal([[own]])
    await apiKeys.revokeAllOf(id, START)
    expect(await pagesOf((await exported()).apiKeys)).to.deep.equal([[{ ...own, revokedAt: START }]])
  })

  it('shows that an impersonation took place, but not who the actor was', async () => {
    const actor = anActor(await accountOf(kennel.store, 2 as AccountId))
    const openedBy = { client: 'Safari', network: '198.51.100.7' }
    const session = aSession(await accountOf(kennel.store, id), 'acting')
    const current = { ...session.current, network: '198.51.100.8' }
    await kennel.store.sessions.open({ ...session, current, actor, openedBy, factor: START })
    const text = JSON.stringify(await pagesOf((await exported()).sessions))
    expect(text).to.include('"secondFactor":false,"impersonated":true')
    for (const secret of ['bob@example.com', 'Safari', '198.51.100']) expect(text).to.not.include(secret)
  })

  it('contains the second factor (without its secret), the times of reset requests, and waiting emails', async () => {
    const empty = await exported()
    expect([empty.secondFactor, empty.resetTokens, empty.mails]).to.deep.equal([undefined, [], []])
    const sealedSecret = 'sealed' as SealedSecret
    const { secondFactors, mailQueue } = kennel.store
    await secondFactors.begin(id, { sealedSecret, at: START })
    expect((await exported()).secondFactor).to.deep.equal({ begunAt: START, recoveryCodesLeft: 0 })
    const recovery = ['one', 'two'] as unknown as readonly RecoveryDigest[]
    const step = 1 as TimeStep
    await secondFactors.activate(id, { sealedSecret, step, recovery, at: START + 1 })
    const account = await accountOf(kennel.store, id)
    await issueReset(kennel.store, account, 'mail', { until: START + 2 })
    const job = { kind: 'reset-password', email: account.email, askedAt: START, attempts: 0 } as const
    await mailQueue.enqueue({ id: 'mail' as MailJobId, ...job, address: '203.0.113.7' }, 9)
    const { secondFactor, resetTokens, proofs, mails } = await exported()
    expect([secondFactor, resetTokens, proofs, mails]).to.deep.equal([
      { begunAt: START, activeSince: START + 1, recoveryCodesLeft: 2 },
      [START + 2],
      [],
      [{ kind: 'reset-password', askedAt: START, attempts: 0, address: '203.0.113.7' }],
    ])
  })

  it('contains the passkeys without their keys', async () => {
    const account = await accountOf(kennel.store, id)
    const [phone] = await addPasskeys(kennel.store, account, 1)
    const { passkeys } = await exported()
    const { accountId: _, publicKey: __, counter: ___, ...shown } = phone ?? expect.fail()
    expect(passkeys).to.deep.equal([shown])
  })

  it('contains the email proofs that the account requested, without their secrets', async () => {
    expect((await exported()).proofs).to.deep.equal([])
    const [email, until] = ['new@example.com' as Email, START - 1]
    const change = { accountId: id, email, until, binding: proofDigestOf('browser') }
    await kennel.store.proofs.issue(aProof('change-email', 'own', change))
    await kennel.store.proofs.issue(aProof('sign-up', 'other'))
    expect((await exported()).proofs).to.deep.equal([{ purpose: 'change-email', email, until }])
  })

  it('contains the waiting emails to every address of the account, in the order of their IDs', async () => {
    const email = 'Ada@Bücher.example'
    await kennel.account(email)
    const account =
      (await kennel.store.accounts.findByEmail('ada@xn--bcher-kva.example' as Email)) ?? expect.fail()
    const [one, other] = mailEmails(account)
    for (const [rank, email] of [one, other, one, other].entries())
      await kennel.store.mailQueue.enqueue(
        {
          id: `mail-${rank}` as MailJobId,
          kind: 'reset-password',
          email: email ?? expect.fail(),
          askedAt: rank,
          attempts: 0,
        },
        9,
      )
    const { mails } = await kennel.useCases.exportUser({ caller: OPERATOR, email })
    expect(mails.map(({ askedAt }) => askedAt)).to.deep.equal([0, 1, 2, 3])
  })

  it('contains all audit records, including the record of the export, but no client data of other actors', async () => {
    const whence = { address: '203.0.113.7', requestId: 'request' }
    const own = { ...whence, actor: `account:${id}`, accounts: [id] }
    for (let rank = 0; rank < 1_001; rank += 1)
      await kennel.store.audit.append(anAuditRecord(String(rank).padStart(4, '0'), { ...own, at: START + 1 }))
    const byAdmin = {
      ...whence,
      actor: 'account:2',
      subject: `account:${id}`,
      accounts: [2 as AccountId, id],
    }
    await kennel.store.audit.append(
      anAuditRecord('9', { ...byAdmin, at: START + 2, event: 'impersonation.start' }),
    )
    kennel.clock.now = START + 3
    const pages = await pagesOf((await exported()).auditRecords)
    expect(pages.map(({ length }) => length)).to.deep.equal([500, 500, pages.flat().length - 1_000])
    const records = pages.flat()
    expect(records.filter(({ address }) => address !== undefined)).to.have.length(1_001)
    const events = records.slice(-2).map(({ event, actor, ...rest }) => [event, actor, 'address' in rest])
    expect(events).to.deep.equal([
      ['impersonation.start', 'account:2', false],
      ['user.export', 'cli:tester', false],
    ])
    for (const record of records) expect(record).to.not.have.any.keys('accounts', 'countKey')
  })

  it('contains exactly the projects that the account has created', async () => {
    for (let count = 0; count < 101; count += 1)
      await kennel.store.projects.insert(aProject(`House ${count}`), id, START)
    await kennel.store.projects.insert(aProject('Elsewhere'), 2 as AccountId, START)
    const closed = await kennel.store.projects.close(1 as ProjectId, id, START + 1)
    const pages = await pagesOf((await exported()).projects)
    expect(pages.map(({ length }) => length)).to.deep.equal([100, 1])
    expect(pages[0]?.[0]).to.deep.equal(closed)
    expect(new Set(pages.flat().map(({ createdBy }) => createdBy))).to.deep.equal(new Set([id]))
  })

  it('contains no token, session key or password hash', async () => {
    const { accessToken, refreshToken, sessionKey = '' } = await kennel.login(ADA)
    const text = JSON.stringify(await wholeOf(await exported()))
    const hash = (await kennel.store.accounts.find(id))?.passwordHash ?? ''
    for (const secret of [accessToken, refreshToken, sessionKey, hash]) {
      expect(secret).to.have.length.above(20)
      expect(text).to.not.include(secret)
    }
    expect(text).to.not.match(/digest|pairId|epoch/i)
  })
})

describe('data that an account does not have', () => {
  let kennel: Composed
  let account: Account
  /** The requests for pages of sessions and of audit records. */
  let asked: Readonly<Record<'sessions' | 'audit', object[]>>

  beforeEach(async () => {
    kennel = await composeUseCases({ mode: 'stateful' })
    await kennel.store.accounts.insert({ email: ADA as Email, createdAt: PAST })
    account = (await kennel.store.accounts.findByEmail(ADA as Email)) ?? expect.fail('it is there')
    asked = { sessions: [], audit: [] }
  })

  const exported = async (change = {}): Promise<UserExport> => {
    const { sessions, audit, ...store } = kennel.store
    const exportUser = exportUserOperation.factory({
      authorize: authorizeByDefault,
      assertWithin: () => undefined,
      ...store,
      sessions: { ...sessions, pageOf: (request) => sessions.pageOf(noted('sessions', request)) },
      auditLog: { ...audit, page: (request) => audit.page(noted('audit', request)) },
      audit: { record: () => Promise.resolve() } as never,
      clock: () => START,
      ...change,
    })
    return await exportUser({ caller: OPERATOR, email: ADA })
  }
  const noted = <Request extends object>(port: 'sessions' | 'audit', request: Request): Request => {
    asked[port].push(request)
    return request
  }
  const open = async (label: string, factor = {}) => {
    const session = { ...aSession(account, label), ...factor }
    const current = { ...session.current, issuedAt: PAST, idleEndsAt: START + 9_000 }
    await kennel.store.sessions.open({ ...session, createdAt: PAST, endsAt: START + 9_000, current })
    return session
  }

  it('is omitted from the export of an account without a password, sessions, projects and audit records', async () => {
    const whole = await exported()
    expect(whole.account).to.deep.equal({ id: 1, email: ADA, createdAt: PAST, hasPassword: false, roles: [] })
    for (const pages of [whole.sessions, whole.projects, whole.auditRecords])
      expect(await pagesOf<unknown>(pages)).to.deep.equal([])
    expect(asked).to.deep.equal({
      sessions: [{ accountId: 1, limit: PAGE, at: START }],
      audit: [{ accountId: 1, limit: PAGE }],
    })
  })

  it('is omitted if the store lacks a mail queue, projects and an audit log', async () => {
    const none = { mailQueue: undefined, projects: undefined, auditLog: undefined }
    const { mails, projects, auditRecords } = await exported(none)
    expect(mails).to.deep.equal([])
    for (const pages of [projects, auditRecords]) expect(await pagesOf<unknown>(pages)).to.deep.equal([])
  })

  it('is omitted from a session if the client, network or second factor is unknown', async () => {
    const opened = [await open('one'), await open('of a factor that was removed', { factor: PAST })]
    const shown = { createdAt: PAST, refreshedAt: PAST, endsAt: START + 9_000 }
    const rows = opened.map(({ id }) => ({ id, ...shown, secondFactor: false, impersonated: false }))
    const [page] = await pagesOf((await exported()).sessions)
    expect(page).to.have.deep.members(rows)
    expect(asked.sessions).to.have.length(1)
  })

  it('is omitted from an audit record if the address or request ID is unknown', async () => {
    const accounts = [account.id] as readonly AccountId[]
    const clients = [{ address: '203.0.113.7' }, { requestId: 'request' }, {}]
    for (const [rank, client] of clients.entries())
      await kennel.store.audit.append(
        anAuditRecord(String(rank), { actor: 'account:1', accounts, ...client }),
      )
    const [page = []] = await pagesOf((await exported()).auditRecords)
    const shown = page.map((record) =>
      Object.entries(record).filter(([name]) => ['address', 'requestId'].includes(name)),
    )
    expect(shown).to.deep.equal(clients.map((client) => Object.entries(client)))
    expect(asked.audit).to.have.length(1)
  })
})

async function pagesOf<Row>(pages: AsyncIterable<readonly Row[]>): Promise<(readonly Row[])[]> {
  const all: (readonly Row[])[] = []
  for await (const page of pages) all.push(page)
  return all
}

async function wholeOf({ sessions, projects, auditRecords, ...rest }: UserExport) {
  return {
    ...rest,
    sessions: (await pagesOf(sessions)).flat(),
    projects: (await pagesOf(projects)).flat(),
    auditRecords: (await pagesOf(auditRecords)).flat(),
  }
}
