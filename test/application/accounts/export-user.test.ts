import { expect } from 'chai'
import type { UserExport } from '../../../src/application/accounts/export-user.js'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import {
  anActor,
  anAuditRecord,
  anIssuedResetToken,
  aProject,
  aSession,
} from '../../../src/contracts/samples.js'
import type { RecoveryDigest, SealedSecret, TimeStep } from '../../../src/domain/identity/second-factor.js'
import type { ProjectId } from '../../../src/domain/project/project.js'
import type { MailJobId } from '../../../src/domain/mail.js'
import { composeUseCases, START, type Composed } from '../../support/use-cases.js'

const ADA = 'ada@example.com'

describe('export a user', () => {
  let kennel: Composed
  let id: AccountId

  beforeEach(async () => {
    kennel = await composeUseCases({ mode: 'stateful' })
    id = (await kennel.account(ADA, ['editor', 'author'])) as AccountId
    await kennel.account('bob@example.com', ['admin'])
  })

  const exported = () => kennel.useCases.exportUser({ caller: OPERATOR, email: ' ADA@example.com' })

  it('gives the account without hash and epoch', async () => {
    const { account } = await exported()
    const expected = { id, email: ADA, createdAt: START, hasPassword: true, roles: ['author', 'editor'] }
    expect(account).to.deep.equal(expected)
    await kennel.useCases.disableUser({ caller: OPERATOR, email: ADA })
    expect((await exported()).account).to.deep.equal({ ...expected, disabledAt: START })
  })

  it('exports sessions with their origin and without keys', async () => {
    const account = (await kennel.store.accounts.find(id)) ?? expect.fail()
    const at = { createdAt: START, endsAt: START + 9_000 }
    const current = { ...aSession(account, 'one').current, issuedAt: START, idleEndsAt: START + 9_000 }
    const openedBy = { client: 'Firefox 130 on Linux', network: '203.0.113.7' }
    const session = {
      ...aSession(account, 'one'),
      ...at,
      current: { ...current, network: '203.0.113.8' },
      openedBy,
      factor: true,
    } as const
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

  it('gives every session once, in pages of 500', async () => {
    const account = (await kennel.store.accounts.find(id)) ?? expect.fail()
    for (let index = 0; index < 501; index += 1) {
      const session = aSession(account, `session ${String(index)}`)
      const current = { ...session.current, issuedAt: START, idleEndsAt: START + 9_000 }
      await kennel.store.sessions.open({ ...session, createdAt: START, endsAt: START + 9_000, current })
    }
    const pages = await pagesOf((await exported()).sessions)
    expect(pages.map(({ length }) => length)).to.deep.equal([500, 1])
    expect(new Set(pages.flat().map((session) => session.id))).to.have.property('size', 501)
  })

  it('exports of an impersonation only that it took place', async () => {
    const [account, bob] = [
      (await kennel.store.accounts.find(id)) ?? expect.fail(),
      (await kennel.store.accounts.find(2 as AccountId)) ?? expect.fail(),
    ]
    const session = {
      ...aSession(account, 'acting'),
      actor: anActor(bob),
      openedBy: { client: 'Safari', network: '198.51.100.7' },
      factor: true,
    } as const
    await kennel.store.sessions.open(session)
    const text = JSON.stringify(await pagesOf((await exported()).sessions))
    expect(text).to.include('"secondFactor":false,"impersonated":true')
    for (const secret of ['bob@example.com', 'Safari', '198.51.100.7']) expect(text).to.not.include(secret)
  })

  it('gives the second factor without secret, the times of reset requests, and waiting mails', async () => {
    const empty = await exported()
    expect([empty.secondFactor, empty.resetTokens, empty.mails]).to.deep.equal([undefined, [], []])
    const sealedSecret = 'sealed' as SealedSecret
    const { secondFactors, accounts, mailQueue } = kennel.store
    await secondFactors.begin(id, { sealedSecret, at: START })
    expect((await exported()).secondFactor).to.deep.equal({ begunAt: START, recoveryCodesLeft: 0 })
    const recovery = ['one', 'two'] as unknown as readonly RecoveryDigest[]
    const step = 1 as TimeStep
    await secondFactors.activate(id, { sealedSecret, step, recovery, at: START + 1 })
    const account = (await accounts.find(id)) ?? expect.fail()
    await accounts.issueResetToken(id, account.epoch, anIssuedResetToken('mail', START + 2))
    const job = { kind: 'reset-password', email: account.email, askedAt: START, attempts: 0 } as const
    await mailQueue.enqueue({ id: 'mail' as MailJobId, ...job, address: '203.0.113.7' }, 9)
    const { secondFactor, resetTokens, mails } = await exported()
    expect([secondFactor, resetTokens, mails]).to.deep.equal([
      { begunAt: START, activeSince: START + 1, recoveryCodesLeft: 2 },
      [START + 2],
      [{ kind: 'reset-password', askedAt: START, attempts: 0, address: '203.0.113.7' }],
    ])
  })

  it('gives all audit records, including the export itself, without clients of other actors', async () => {
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

  it('gives the projects that it has created, all of them, and no others', async () => {
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

  it('is whole for a store without audit log, mails, projects and second factors', async () => {
    const { audit: _, mailQueue: __, secondFactors: ___, projects: ____, ...rest } = kennel.store
    const partial = await composeUseCases({ store: rest as typeof kennel.store, auditSinks: () => [] })
    const whole = await wholeOf(await partial.useCases.exportUser({ caller: OPERATOR, email: ADA }))
    expect(whole).to.deep.include({ secondFactor: undefined, mails: [], projects: [], auditRecords: [] })
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
