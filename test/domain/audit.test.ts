import { expect } from 'chai'
import { anAuditRecord } from '../../src/contracts/samples.js'
import { AUDIT_EVENTS, isOfOwnClient, withoutClient } from '../../src/domain/audit.js'
import type { AccountId } from '../../src/domain/identity/account.js'

const ANN = 7 as AccountId

/** Stored records contain these names, and operators search for them. */
const EVENTS =
  'login logout refresh.reuse refresh.shared binding.mismatch impersonation.start impersonation.end reset.ask reset.done user.create user.delete user.export account.delete user.disable user.enable user.unlock user.import user.email password.set password.change factor.set factor.remove factor.recovery factor.renew role.assign role.remove session.revoke session.end apikey.create apikey.revoke sign-up email.change email.undo invitation.create invitation.revoke user.approve account.export login.confirm passkey.add passkey.remove passkey.clone'

describe('the events of the audit log', () => {
  it('keep their names and their order', () => {
    expect(AUDIT_EVENTS.join(' ')).to.equal(EVENTS)
  })
})

describe('the client data of an audit record', () => {
  it('belongs to the account of the record if that account or an anonymous caller acted', () => {
    const isOwn = (actor: string, accounts: readonly number[]) =>
      isOfOwnClient(anAuditRecord('0', { actor, accounts: accounts as AccountId[] }), ANN)
    for (const actor of ['account:7', 'anonymous']) expect(isOwn(actor, [7]), actor).to.equal(true)
    for (const actor of ['account:8', 'account:77', 'apikey:7', 'cli:root'])
      expect(isOwn(actor, [7]), actor).to.equal(false)
    for (const actor of ['account:7', 'anonymous']) expect(isOwn(actor, [8]), actor).to.equal(false)
  })

  it('consists of the address, the request ID and the count key, and only these fields are removed', () => {
    const record = anAuditRecord('0', { subject: 'account:7', count: 2 })
    const whole = { ...record, address: '203.0.113.7', requestId: 'request', countKey: 'key' }
    expect(withoutClient(whole)).to.deep.equal(record)
  })
})
