import { expect } from 'chai'
import { anAuditRecord } from '../../src/contracts/samples.js'
import { isOfOwnClient, withoutClient } from '../../src/domain/audit.js'
import type { AccountId } from '../../src/domain/identity/account.js'

const ANN = 7 as AccountId

describe('the client data of an audit record', () => {
  it('belongs to the account of the record if the actor is that account or an anonymous caller', () => {
    const isOwn = (actor: string, accounts: readonly number[]) =>
      isOfOwnClient(anAuditRecord('0', { actor, accounts: accounts as AccountId[] }), ANN)
    for (const actor of ['account:7', 'anonymous']) expect(isOwn(actor, [7]), actor).to.equal(true)
    for (const actor of ['account:8', 'account:77', 'apikey:7', 'cli:root'])
      expect(isOwn(actor, [7]), actor).to.equal(false)
    for (const actor of ['account:7', 'anonymous']) expect(isOwn(actor, [8]), actor).to.equal(false)
  })

  it('consists of the address, the request ID and the count key, and can be removed without a change to other fields', () => {
    const record = anAuditRecord('0', { subject: 'account:7', count: 2 })
    const whole = { ...record, address: '203.0.113.7', requestId: 'request', countKey: 'key' }
    expect(withoutClient(whole)).to.deep.equal(record)
  })
})
