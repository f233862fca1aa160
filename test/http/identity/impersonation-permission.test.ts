import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import { STATELESS } from '../../support/http/service.js'
import { expectDead, impersonation } from '../../support/http/acting.js'
import { expectInvalidToken } from '../../support/http/expected.js'
import { servicesOfTests } from '../../support/http/services.js'
import { watching } from '../../support/watched-store.js'

describe('an impersonation whose permission was revoked', () => {
  const serve = servicesOfTests()

  it('ends at its next request with 401, and the audit record names that request', async () => {
    const service = await serve()
    const { browser, admin, target } = await impersonation(service)
    const held = browser.held()
    await service.useCases.assignRole({ caller: OPERATOR, email: admin.email, role: 'admin', remove: true })
    const reply = await browser.getIdentity()
    expectInvalidToken(reply)
    await expectDead(service, held)
    const page = { accountId: target.id as AccountId, event: 'impersonation.end', limit: 100 } as const
    const records = (await service.store.audit.page(page)).map(({ id: _, ...record }) => record)
    expect(records).to.deep.equal([
      {
        at: service.clock.now,
        event: 'impersonation.end',
        actor: `account:${admin.id}`,
        subject: `account:${target.id} cause:actor-lost-login-as`,
        address: '127.0.0.1',
        requestId: reply.headers['x-request-id'],
        outcome: 'failure',
        accounts: [admin.id, target.id],
      },
    ])
  })
})

describe('get-identity during an impersonation', () => {
  const serve = servicesOfTests()

  it('costs one store call with sessions, and otherwise one for the revocation and one per account', async () => {
    const calls: string[] = []
    const aroundStore = watching(async (call, run) => {
      calls.push(call)
      return await run()
    })
    const service = await serve({ aroundStore })
    const { browser } = await impersonation(service)
    calls.length = 0
    expect((await browser.getIdentity()).status).to.equal(200)
    const without = ['revocations.isRevoked', 'accounts.find', 'accounts.find']
    expect(calls).to.deep.equal(STATELESS ? without : ['sessions.find'])
  })
})
