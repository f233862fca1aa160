import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { MailJobId } from '../../../src/domain/mail.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { type Composed, composeUseCases, PASSWORD } from '../../support/use-cases.js'
import { OUTSIDERS } from '../../support/callers.js'
import { refusalOf, refused } from '../../support/refusal-of.js'

describe('delete user', () => {
  let service: Composed
  let id: number

  beforeEach(async () => {
    service = await composeUseCases()
    id = await service.account('ada@example.com', ['editor'])
  })

  const email = 'ada@example.com'
  const remove = (of: string) => service.useCases.deleteUser({ caller: OPERATOR, email: of })
  const login = () => service.useCases.login({ email, password: PASSWORD, presented: {} })
  const codeOf = async (promise: Promise<unknown>) => (await refusalOf(promise)).code

  it('takes the account and everything that it holds away', async () => {
    const { accessToken, sessionKey, refreshToken } = await login()
    const presented = { accessToken, sessionKey }
    await remove('ADA@example.com')
    expect(await service.store.accounts.findByEmail(email as Email)).to.equal(undefined)
    expect(await codeOf(service.useCases.getIdentity(presented))).to.equal('invalid-token')
    expect(await codeOf(service.useCases.refresh({ refreshToken, presented }))).to.equal('invalid-token')
    expect(await codeOf(login())).to.equal('login-failed')
  })

  it('takes mails that wait and what the audit log has of its clients, and is audited', async () => {
    const client = { address: '203.0.113.7', requestId: 'request' }
    await service.useCases.login({ email, password: PASSWORD, presented: { client } })
    const job = { kind: 'reset-password', email: email as Email, askedAt: 0, attempts: 0 } as const
    await service.store.mailQueue.enqueue({ id: 'mail' as MailJobId, ...job }, 10)
    await remove(email)
    expect(await service.store.mailQueue.listTo(email as Email)).to.deep.equal([])
    const records = await service.store.audit.page({ accountId: id as AccountId, limit: 10 })
    expect(records.map(({ event }) => event)).to.deep.equal([
      'user.create',
      'role.assign',
      'login',
      'user.delete',
    ])
    for (const record of records) expect(record).to.not.have.any.keys('address', 'requestId')
  })

  it('gives its email to a new account with another id and no role', async () => {
    await remove(email)
    const next = await service.account(email)
    const account = await service.store.accounts.findByEmail(email as Email)
    expect(next).to.be.greaterThan(id)
    expect(account?.roles).to.deep.equal([])
  })

  it('says that there is no such account, or no such email', async () => {
    await remove(email)
    expect(await refused(remove(email))).to.deep.equal(['not-found', 'email', 'NotFound'])
    expect(await refused(remove('ada'))).to.deep.equal(['invalid', 'email', 'Format'])
  })

  it('is refused without the permission', async () => {
    for (const [caller, code] of OUTSIDERS) {
      expect(await codeOf(service.useCases.deleteUser({ caller, email }))).to.equal(code)
    }
    expect((await login()).identity.email).to.equal(email)
  })
})
