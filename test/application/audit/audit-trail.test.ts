import { expect } from 'chai'
import { createAuditTrail } from '../../../src/application/audit/audit-trail.js'
import { createTimeOrderedIds } from '../../../src/domain/instant.js'
import { systemDigest, systemRandomness } from '../../../src/adapters/system/index.js'
import { ANONYMOUS, OPERATOR, type Identity } from '../../../src/domain/access/caller.js'
import type { AuditRecord } from '../../../src/domain/audit.js'
import type { AccountId, Epoch } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { AuditSink } from '../../../src/ports/audit-log.js'
import { START } from '../../support/use-cases.js'
import { refusalOf, wordsOf } from '../../support/refusal-of.js'

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

/** Creates an audit trail with a fixed clock; `lost` lists the errors that it reported for lost records. */
function trailTo(...sinks: readonly AuditSink[]) {
  return timedTrail({ sinks })
}

function timedTrail({ sinks, batched = false }: { sinks: readonly AuditSink[]; batched?: boolean }) {
  const lost: unknown[] = []
  const clock = { now: START }
  const trail = createAuditTrail({
    sinks,
    operator: 'tester',
    timeOrderedIds: createTimeOrderedIds({ randomness: systemRandomness }),
    digest: systemDigest,
    clock: () => clock.now,
    batched,
    onLost: (error) => lost.push(error),
  })
  return { trail, lost, clock }
}

async function recordOf(entry: Parameters<ReturnType<typeof trailTo>['trail']['record']>[0]) {
  const { append, records } = keeping()
  await trailTo({ append }).trail.record(entry)
  const [{ id, ...record } = {} as AuditRecord] = records
  expect(id).to.be.a('string')
  return record
}

describe('the audit trail', () => {
  it("records the address and the request ID that the caller's client data contains", async () => {
    const sink = keeping()
    const client = { address: '192.0.2.7', requestId: 'request-1' }
    const program = { kind: 'api-key', apiKeyId: 3, roles: [], client } as const
    for (const caller of [{ ...ADA_HERSELF, client }, program])
      await trailTo(sink).trail.record({ event: 'role.assign', caller, subject: BOB })
    expect(sink.records.map(({ actor, ...one }) => [actor, one.address, one.requestId])).to.deep.equal([
      ['account:7', '192.0.2.7', 'request-1'],
      ['apikey:3', '192.0.2.7', 'request-1'],
    ])
  })

  it('ignores a failed sink if `onLost` is missing', async () => {
    const trail = createAuditTrail({
      ...{ sinks: [rejecting], operator: 'tester', digest: systemDigest, clock: () => START },
      timeOrderedIds: createTimeOrderedIds({ randomness: systemRandomness }),
    })
    await trail.record({ event: 'login', caller: OPERATOR })
  })

  for (const [who, caller, actor, accounts] of [
    ['a person', ADA_HERSELF, 'account:7', [ADA]],
    ['who really acts, during an impersonation', BOB_AS_ADA, 'account:8', [BOB]],
    ['the operator', OPERATOR, 'cli:tester', []],
    ['a program', { kind: 'api-key', apiKeyId: 3, roles: [] }, 'apikey:3', []],
    ['an anonymous caller', ANONYMOUS, 'anonymous', []],
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

  it('records the subject, client and outcome', async () => {
    const client = { address: '192.0.2.1', requestId: 'request-0001' }
    const entry = { event: 'role.assign', caller: BOB_AS_ADA, outcome: 'failure', client } as const
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

  describe('for events that anyone can cause', () => {
    const entry = { event: 'binding.mismatch', caller: ANONYMOUS, outcome: 'failure' } as const
    const from = (address: string) => ({ ...entry, subject: ADA, client: { address, requestId: address } })
    const keysOf = ({ records }: ReturnType<typeof keeping>) => new Set(records.map((one) => one.countKey))

    it('uses one key per subject, network and minute, in every process', async () => {
      const kept = keeping()
      const [one, two] = [timedTrail({ sinks: [kept] }), timedTrail({ sinks: [kept] })]
      await one.trail.tally(from('2001:db8::1'))
      two.clock.now += 60_000 - (START % 60_000) - 1
      await two.trail.tally(from('2001:db8::2'))
      expect(keysOf(kept).size).to.equal(1)
      expect(kept.records.map(({ count, address }) => [count, address])).to.deep.equal([
        [1, '2001:db8::1'],
        [1, '2001:db8::2'],
      ])
    })

    it('uses a key that consists of the minute and 24 digits and is the same in every process and release', async () => {
      const kept = keeping()
      await timedTrail({ sinks: [kept] }).trail.tally(from('192.0.2.1'))
      const minute = (START - (START % 60_000)).toString(16).padStart(12, '0')
      expect(kept.records[0]?.countKey).to.match(new RegExp(`^${minute}[0-9a-f]{24}$`))
    })

    it('uses different keys for different kinds of events', async () => {
      const kept = keeping()
      const { trail, clock } = timedTrail({ sinks: [kept] })
      const others = [
        from('192.0.2.1'),
        from('192.0.2.2'),
        { ...from('192.0.2.1'), subject: BOB },
        { ...from('192.0.2.1'), event: 'reset.done' as const },
        entry,
      ]
      for (const one of others) await trail.tally(one)
      clock.now += 60_000
      for (const one of others) await trail.tally(one)
      expect(keysOf(kept).size).to.equal(2 * others.length)
    })

    it('continues if a sink fails, and reports the failure', async () => {
      const kept = keeping()
      const { trail, lost } = timedTrail({ sinks: [rejecting, kept], batched: true })
      for (let n = 0; n < 3; n += 1) await trail.tally(from('192.0.2.1'))
      await trail.flush()
      expect([lost, kept.records.map(({ count }) => count)]).to.deep.equal([
        [FAULT, FAULT],
        [1, 2],
      ])
    })
  })

  describe('for events that may happen without a record', () => {
    it('continues if a sink fails, reports each failure and passes the record to the other sinks', async () => {
      const kept = keeping()
      const { trail, lost } = trailTo(rejecting, kept, throwing)
      await trail.record({ event: 'login', caller: ANONYMOUS })
      expect(lost).to.deep.equal([FAULT, FAULT])
      expect(kept.records).to.have.length(1)
    })

    it('continues if the clock throws, and reports the failure', async () => {
      const { trail, lost, clock } = trailTo(keeping())
      const fail = () => {
        throw FAULT
      }
      Object.defineProperty(clock, 'now', { get: fail })
      await trail.record({ event: 'login', caller: ANONYMOUS })
      await trail.tally({ event: 'login', caller: ANONYMOUS })
      expect(lost).to.deep.equal([FAULT, FAULT])
    })
  })

  describe('for events that require a record', () => {
    const entry = { event: 'impersonation.start', caller: ADA_HERSELF, subject: BOB } as const

    for (const [what, sink] of [
      ['rejects', rejecting],
      ['throws', throwing],
    ] as const) {
      it(`refuses the action if one sink ${what}, and reveals the reason only in the log`, async () => {
        for (const sinks of [[sink], [keeping(), sink], [sink, keeping()]]) {
          const refusal = await refusalOf(trailTo(...sinks).trail.assert(entry))
          expect([refusal.code, refusal.cause]).to.deep.equal(['unavailable', FAULT])
          expect(refusal.detail).to.equal('The audit record could not be written.')
          expect(JSON.stringify(refusal.messages)).to.not.include('disk')
        }
      })
    }

    it('refuses the action if there is no sink', async () => {
      expect(await wordsOf(trailTo().trail.assert(entry))).to.equal(
        'forbidden | Forbidden: This action is not possible without an audit log. | (there is no audit log)',
      )
    })
  })
})
