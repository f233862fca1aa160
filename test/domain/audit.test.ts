import { expect } from 'chai'
import { isOfOwnClient, withoutClient } from '../../src/domain/audit.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import { anAuditRecord } from '../../src/contracts/samples.js'

const ANN = 7 as AccountId

describe('what an audit record tells of its client', () => {
  it('is of the account that acted, or of one whose client is not known', () => {
    const isOwn = (actor: string, accounts: readonly number[]) =>
      isOfOwnClient(anAuditRecord('0', { actor, accounts: accounts as AccountId[] }), ANN)
    for (const actor of ['account:7', 'anonymous']) expect(isOwn(actor, [7]), actor).to.equal(true)
    for (const actor of ['account:8', 'account:77', 'apikey:7', 'cli:root'])
      expect(isOwn(actor, [7]), actor).to.equal(false)
    for (const actor of ['account:7', 'anonymous']) expect(isOwn(actor, [8]), actor).to.equal(false)
  })

  it('goes with the address, the request and the key of a count, and nothing else', () => {
    const record = anAuditRecord('0', { subject: 'account:7', count: 2 })
    const whole = { ...record, address: '203.0.113.7', requestId: 'request', countKey: 'key' }
    expect(withoutClient(whole)).to.deep.equal(record)
  })
})
