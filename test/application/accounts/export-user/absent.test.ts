import { expect } from 'chai'
import {
  exportUser as exportUserOperation,
  type UserExport,
} from '../../../../src/application/accounts/export-user.js'
import { authorizeByDefault } from '../../../support/proofs.js'
import { anAuditRecord, aSession } from '../../../../src/contracts/samples.js'
import { OPERATOR } from '../../../../src/domain/access/caller.js'
import type { Account, AccountId } from '../../../../src/domain/identity/account.js'
import type { Email } from '../../../../src/domain/identity/email.js'
import { composeUseCases, START, type Composed } from '../../../support/use-cases.js'

const email = 'ada@example.com'
const [PAGE, PAST] = [500, START - 9_000]

describe('missing data of an account', () => {
  let kennel: Composed
  let account: Account
  /** The requests to the ports with pages. */
  let asked: Readonly<Record<'sessions' | 'audit', object[]>>

  beforeEach(async () => {
    kennel = await composeUseCases({ mode: 'stateful' })
    await kennel.store.accounts.insert({ email: email as Email, createdAt: PAST })
    account = (await kennel.store.accounts.findByEmail(email as Email)) ?? expect.fail('it is there')
    asked = { sessions: [], audit: [] }
  })

  const exported = async (): Promise<UserExport> => {
    const { sessions, audit, ...store } = kennel.store
    const exportUser = exportUserOperation.factory({
      authorize: authorizeByDefault,
      ...store,
      sessions: { ...sessions, pageOf: (request) => sessions.pageOf(noted('sessions', request)) },
      auditLog: { ...audit, page: (request) => audit.page(noted('audit', request)) },
      audit: { record: () => Promise.resolve() } as never,
      clock: () => START,
    })
    return await exportUser({ caller: OPERATOR, email })
  }
  const noted = <Request extends object>(port: 'sessions' | 'audit', request: Request): Request => {
    asked[port].push(request)
    return request
  }
  const pagesOf = async <Row>(pages: AsyncIterable<readonly Row[]>) => {
    const all: (readonly Row[])[] = []
    for await (const page of pages) all.push(page)
    return all
  }
  const open = async (label: string) => {
    const session = aSession(account, label)
    const current = { ...session.current, issuedAt: PAST, idleEndsAt: START + 9_000 }
    await kennel.store.sessions.open({ ...session, createdAt: PAST, endsAt: START + 9_000, current })
    return session
  }

  it('is left out of its export, without a password and without empty pages', async () => {
    const whole = await exported()
    expect(whole.account).to.deep.equal({ id: 1, email, createdAt: PAST, hasPassword: false, roles: [] })
    for (const pages of [whole.sessions, whole.projects, whole.auditRecords])
      expect(await pagesOf<unknown>(pages)).to.deep.equal([])
    expect(asked).to.deep.equal({
      sessions: [{ accountId: 1, limit: PAGE, at: START }],
      audit: [{ accountId: 1, limit: PAGE }],
    })
  })

  it('is left out of a session: client, network and second factor', async () => {
    const { id } = await open('one')
    expect(await pagesOf((await exported()).sessions)).to.deep.equal([
      [
        {
          ...{ id, createdAt: PAST, refreshedAt: PAST, endsAt: START + 9_000 },
          ...{ secondFactor: false, impersonated: false },
        },
      ],
    ])
    expect(asked.sessions).to.have.length(1)
  })

  it('is left out of an audit record: an unknown address or request ID', async () => {
    const accounts = [account.id] as readonly AccountId[]
    const clients = [{ address: '203.0.113.7' }, { requestId: 'request' }, {}]
    for (const [rank, client] of clients.entries())
      await kennel.store.audit.append(
        anAuditRecord(String(rank), { actor: 'account:1', accounts, ...client }),
      )
    const [page = []] = await pagesOf((await exported()).auditRecords)
    const shown = page.map((record) => Object.entries(record).filter(([name]) => CLIENT.includes(name)))
    expect(shown).to.deep.equal(clients.map((client) => Object.entries(client)))
    expect(asked.audit).to.have.length(1)
  })
})

const CLIENT = ['address', 'requestId']
