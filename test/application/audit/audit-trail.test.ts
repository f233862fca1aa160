import { expect } from 'chai'
import { createAuditTrail } from '../../../src/application/audit/audit-trail.js'
import { createTimeOrderedIds } from '../../../src/application/time-ordered-ids.js'
import { systemRandomness } from '../../../src/adapters/system/index.js'
import { ANONYMOUS, OPERATOR, type Identity } from '../../../src/domain/access/caller.js'
import type { AuditRecord } from '../../../src/domain/audit.js'
import type { AccountId, Epoch } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { AuditSink } from '../../../src/ports/audit-log.js'
import { START } from '../../http/service.js'
import { refusalOf } from '../refusal-of.js'

const [ADA, BOB] = [7, 8] as readonly number[] as readonly [AccountId, AccountId]
const ADA_HERSELF: Identity = {
  kind: 'account',
  accountId: ADA,
  email: 'ada@example.com' as Email,
  roles: [],
}
const BOB_AS_ADA: Identity = {
  ...ADA_HERSELF,
  actor: { accountId: BOB, email: 'bob@example.com' as Email, epoch: 1 as Epoch, endsAt: START },
}
const FAULT = new Error('the disk is full')

const rejecting: AuditSink = { append: async () => await Promise.reject(FAULT) }
const throwing: AuditSink = {
  append: () => {
    throw FAULT
  },
}

function keeping() {
  const records: AuditRecord[] = []
  const append = async (record: AuditRecord) => {
    records.push(record)
  }
  return { append, records }
}

/** A trail with a clock that stands still, and what it told of lost records. */
function trailTo(...sinks: readonly AuditSink[]) {
  const lost: unknown[] = []
  const trail = createAuditTrail({
    sinks,
    operator: 'tester',
    timeOrderedIds: createTimeOrderedIds({ randomness: systemRandomness }),
    clock: () => START,
    onLost: (error) => lost.push(error),
  })
  return { trail, lost }
}

/** What is on record of one entry, but for the id. */
async function recordOf(entry: Parameters<ReturnType<typeof trailTo>['trail']['record']>[0]) {
  const { append, records } = keeping()
  await trailTo({ append }).trail.record(entry)
  const [{ id, ...record } = {} as AuditRecord] = records
  expect(id).to.be.a('string')
  return record
}

describe('the audit trail', () => {
  for (const [who, caller, actor, accounts] of [
    ['a person', ADA_HERSELF, 'account:7', [ADA]],
    ['who really acts, during an impersonation', BOB_AS_ADA, 'account:8', [BOB]],
    ['the operator', OPERATOR, 'cli:tester', []],
    ['a program', { kind: 'api-key', apiKeyId: 3, roles: [] }, 'apikey:3', []],
    ['nobody that is known', ANONYMOUS, 'anonymous', []],
  ] as const) {
    it(`names ${who}`, async () => {
      expect(await recordOf({ event: 'login', caller })).to.deep.equal({
        at: START,
        event: 'login',
        actor,
        outcome: 'success',
        accounts,
      })
    })
  }

  it('says what was acted on, where from and how it ended', async () => {
    const origin = { address: '192.0.2.1', requestId: 'request-0001' }
    const entry = { event: 'role.assign', caller: BOB_AS_ADA, outcome: 'failure', origin } as const
    expect(await recordOf({ ...entry, subject: ADA, what: 'role:editor' })).to.deep.equal({
      at: START,
      event: 'role.assign',
      actor: 'account:8',
      subject: 'account:7 role:editor',
      address: '192.0.2.1',
      requestId: 'request-0001',
      outcome: 'failure',
      accounts: [BOB, ADA],
    })
    expect(await recordOf({ ...entry, what: 'apikey:3' })).to.include({ subject: 'apikey:3' })
  })

  it('counts an account that acted on itself once', async () => {
    const { accounts, subject } = await recordOf({ event: 'logout', caller: ADA_HERSELF, subject: ADA })
    expect([accounts, subject]).to.deep.equal([[ADA], 'account:7'])
  })

  it('leaves out what nobody knows', async () => {
    const origin = { address: undefined, requestId: undefined }
    const record = await recordOf({ event: 'login', caller: ANONYMOUS, subject: undefined, origin })
    expect(record).to.have.all.keys('at', 'event', 'actor', 'outcome', 'accounts')
  })

  it('gives one record to every sink, in time order', async () => {
    const [one, two] = [keeping(), keeping()]
    const { trail } = trailTo(one, two)
    await trail.record({ event: 'login', caller: ANONYMOUS })
    await trail.demand({ event: 'logout', caller: ANONYMOUS })
    await trail.record({ event: 'user.create', caller: ANONYMOUS })
    expect(one.records.map(({ event }) => event)).to.deep.equal(['login', 'logout', 'user.create'])
    const ids = one.records.map(({ id }) => id)
    expect(ids.toSorted((a, b) => (a < b ? -1 : 1))).to.deep.equal(ids)
    expect(two.records).to.deep.equal(one.records)
  })

  describe('of what may happen off the record', () => {
    it('goes on where a sink fails, tells each failure, and still gives it to the others', async () => {
      const kept = keeping()
      const { trail, lost } = trailTo(rejecting, kept, throwing)
      await trail.record({ event: 'login', caller: ANONYMOUS })
      expect(lost).to.deep.equal([FAULT, FAULT])
      expect(kept.records).to.have.length(1)
    })

    it('goes on where there is no sink', async () => {
      const { trail, lost } = trailTo()
      await trail.record({ event: 'login', caller: ANONYMOUS })
      expect(lost).to.deep.equal([])
    })
  })

  describe('of what must not happen off the record', () => {
    const entry = { event: 'impersonation.start', caller: ADA_HERSELF, subject: BOB } as const

    it('is content where every sink has it', async () => {
      const [one, two] = [keeping(), keeping()]
      await trailTo(one, two).trail.demand(entry)
      expect([one.records.length, two.records.length]).to.deep.equal([1, 1])
    })

    for (const [what, sink] of [
      ['rejects', rejecting],
      ['throws', throwing],
    ] as const) {
      it(`refuses where one of several sinks ${what}, and says why to the log only`, async () => {
        for (const sinks of [[sink], [keeping(), sink], [sink, keeping()]]) {
          const refusal = await refusalOf(trailTo(...sinks).trail.demand(entry))
          expect([refusal.code, refusal.cause]).to.deep.equal(['unavailable', FAULT])
          expect(JSON.stringify(refusal.messages)).to.not.include('disk')
        }
      })
    }

    it('refuses where there is no sink', async () => {
      expect((await refusalOf(trailTo().trail.demand(entry))).code).to.equal('forbidden')
    })
  })
})
