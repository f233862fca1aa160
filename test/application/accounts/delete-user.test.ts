import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { MailJobId } from '../../../src/domain/mail.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { type Composed, composeUseCases, PASSWORD } from '../../support/use-cases.js'
import { refusalOf } from '../../support/refusal-of.js'

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

  it('removes the account and ends its sessions', async () => {
    const { accessToken, sessionKey, refreshToken } = await login()
    const presented = { accessToken, sessionKey }
    await remove('ADA@example.com')
    expect(await service.store.accounts.findByEmail(email as Email)).to.equal(undefined)
    expect(await codeOf(service.useCases.getIdentity(presented))).to.equal('invalid-token')
    expect(await codeOf(service.useCases.refresh({ refreshToken, presented }))).to.equal('invalid-token')
    expect(await codeOf(login())).to.equal('login-failed')
  })

  it('removes waiting mails and the clients in the audit log, and is audited', async () => {
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
})
