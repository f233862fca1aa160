import { expect } from 'chai'
import { ANONYMOUS, isActing, OPERATOR } from '../../../src/domain/access/caller.js'
import { ACTOR, ADA } from '../../support/logins.js'

describe('an impersonation', () => {
  it('is recognized by the actor of the caller', () => {
    const login = { kind: 'account', accountId: ADA.id, email: ADA.email, roles: [] } as const
    expect(isActing({ ...login, actor: ACTOR })).to.equal(true)
    for (const caller of [login, ANONYMOUS, OPERATOR, { kind: 'api-key', apiKeyId: 3, roles: [] }] as const)
      expect(isActing(caller)).to.equal(false)
  })
})
