import { expect } from 'chai'
import type { Document, MongoClient } from 'mongodb'
import type { AttemptDocument } from '../../../src/adapters/mongodb/documents.js'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import type { AttemptCount, AttemptOutcome } from '../../../src/ports/attempt-limiter.js'
import {
  duplicateOf,
  throwing,
  createInjector,
  UPSERT,
  type Injection,
} from '../../mongodb-faults/injection.js'
import { databaseOfTests } from '../../support/mongodb/opened.js'
import { describeWith } from '../../support/required-tools.js'

const AT = 1_000_000
const WINDOW = 60_000
const END = AT + WINDOW
const one = (name: string, count = 1): AttemptCount => ({ name, limit: { count, window: WINDOW } })
const PAIR = 'account from network'
const COUNTS = [one(PAIR), one('network', 5), one('account')]
const [TRY, LOOK] = [`findOneAndUpdate${UPSERT}`, 'findOne']

const taken = (...names: readonly string[]) => ({
  kind: 'taken',
  attempt: { counts: names.map((name) => ({ name, until: END })) },
})
const REFUSED = { kind: 'refused', until: END }

// The fault-injection tests show that an attempt fails with `unavailable` if the server does not return the count.
describeWith('mongodb', 'an attempt in MongoDB', () => {
  const injector = createInjector()
  const pair = one(PAIR, 2)
  let updates: { readonly names: readonly string[]; readonly settings: unknown }[] = []

  const opened = databaseOfTests({
    onClient: (client: MongoClient) => {
      injector.onClient(client)
      client.on('commandStarted', ({ commandName, command }) => {
        if (commandName !== 'update') return
        const names = (command['updates'] as Document[]).map(({ q }) => (q as { _id: string })._id)
        updates.push({ names, settings: [command['ordered'], command['writeConcern']] })
      })
    },
  })
  const attempts = () => opened().store.attempts
  const documents = () => opened().collection<AttemptDocument>('attempts')

  async function taking(counts: readonly AttemptCount[], injection?: Injection, at = AT) {
    let answer: unknown
    const trips = await injector.during(injection, async () => {
      answer = await attempts()
        .take(counts, at)
        .catch((error: unknown) => error)
    })
    return { answer, trips }
  }
  const stored = async () => await documents().find().sort({ _id: 1 }).toArray()
  const document = (name: string, count: number, held = 0) => ({ _id: name, count, held, until: END })

  // client 1: a correct login is counted, and refunded for the pair          [1-8]
  // client 2: a wrong login takes the freed slot of the pair → 401           [2-3]
  // client 3: a different pair of the account, which still seems full → 429  [4-5]
  // No order of these logins explains both replies if the account is refunded after the pair.
  it('is refunded in one command that updates the broadest name first', async () => {
    const outcome = await attempts().take(COUNTS, AT)
    updates = []
    if (outcome.kind === 'taken') await attempts().refund(outcome.attempt)
    expect(updates).to.deep.equal([{ names: ['account', 'network', PAIR], settings: [true, { w: 1 }] }])
    expect((await attempts().take(COUNTS, AT)).kind).to.equal('taken')
  })

  describe('an attempt whose insert conflicts with a concurrent insert of the same name', () => {
    const MET = { at: 1, when: 'refused', answer: throwing(() => duplicateOf('_id')) } as const
    const meeting = async (at: number, { forGood = false } = {}) =>
      await taking([pair], { ...MET, forGood }, at)

    it('is counted on the second try if the count is below the limit', async () => {
      await attempts().take([pair], AT)
      expect(await meeting(AT + 1)).to.deep.equal({ answer: taken(PAIR), trips: ['toArray', TRY, LOOK, TRY] })
      expect(await attempts().take([pair], AT + 1)).to.deep.equal(REFUSED)
    })

    it('begins a new window as soon as the full window ends', async () => {
      for (const _ of ['one', 'two']) await attempts().take([pair], AT)
      const { answer } = await meeting(END)
      const until = END + WINDOW
      expect(answer).to.have.nested.property('attempt.counts[0].until', until)
      expect(await attempts().take([one(PAIR)], END - 1)).to.deep.equal({ kind: 'refused', until })
    })
  })

  it('is rejected after a single read if a name has reached its limit', async () => {
    await attempts().take([one('network', 1)], AT)
    const refused = await taking([pair, one('network', 1)], undefined, END - 1)
    expect(refused).to.deep.equal({ answer: REFUSED, trips: ['toArray'] })
    expect(await stored()).to.deep.equal([document('network', 1)])
  })

  async function storedMeanwhile(counts: readonly AttemptCount[]) {
    let seen: unknown
    const look = async () => {
      seen = await stored()
      return { until: END }
    }
    await taking(counts, { at: counts.length, when: 'lost', answer: look })
    return seen
  }

  it('reserves a slot for each name until the attempt is counted for all names', async () => {
    const pairs = (held: number) => [PAIR, 'network'].map((name) => document(name, 1, held))
    const all = (held: number) => [document('account', 1), ...pairs(held)]
    expect(await storedMeanwhile(COUNTS)).to.deep.equal(all(1))
    expect(await stored()).to.deep.equal(all(0))
  })

  it('reserves a slot in a document from an earlier release', async () => {
    await documents().insertOne({ _id: PAIR, count: 1, until: END })
    const all = (held: number) => [document(PAIR, 2, held), document('network', 1)]
    expect(await storedMeanwhile([pair, one('network')])).to.deep.equal(all(1))
    expect(await stored()).to.deep.equal(all(0))
  })

  it('allows only one more attempt even if the refund is repeated', async () => {
    await attempts().take([pair], AT)
    const { attempt } = taken(PAIR)
    for (const _ of ['once', 'twice']) await attempts().refund(attempt)
    expect(await stored()).to.deep.equal([document(PAIR, 0)])
  })

  it('ignores slots that were reserved in the previous window', async () => {
    await documents().insertOne({ _id: PAIR, count: 2, held: 2, until: AT })
    await attempts().take([pair], AT)
    expect(await stored()).to.deep.equal([document(PAIR, 1)])
  })

  /** Uses up the last slot of a name as soon as an attempt has been counted under the previous name. */
  const fill = (name: string) => async () => {
    await documents().updateOne({ _id: name }, { $set: { count: 1, held: 0, until: END } }, { upsert: true })
    return { until: END }
  }

  it('is not counted for any name if the last name has reached its limit', async () => {
    const { answer, trips } = await taking(COUNTS, { at: 2, when: 'lost', answer: fill('account') })
    expect(answer).to.deep.equal(REFUSED)
    expect(trips).to.deep.equal(['toArray', TRY, TRY, TRY, LOOK, 'bulkWrite', 'toArray'])
    expect(await stored()).to.deep.equal([document('account', 1), document(PAIR, 0), document('network', 0)])
  })

  describe('an attempt made while the only free slot is reserved by another attempt', () => {
    /** Returns the outcomes of two concurrent attempts. The first has reserved the last slot of PAIR. */
    async function meanwhile(last: () => Promise<unknown>) {
      const other = await openMongo(opened().url)
      let alone: Promise<AttemptOutcome> | undefined
      try {
        const hold = async () => {
          alone = other.attempts.take([one(PAIR)], AT)
          return await last()
        }
        const { answer } = await taking(COUNTS, { at: 2, when: 'lost', answer: hold })
        return [answer, await alone]
      } finally {
        await other.close()
      }
    }

    it('is allowed if the other attempt is rejected', async () => {
      expect(await meanwhile(fill('account'))).to.deep.equal([REFUSED, taken(PAIR)])
    })

    it('is rejected if the other attempt is allowed', async () => {
      const until = () => Promise.resolve({ until: END })
      expect(await meanwhile(until)).to.deep.equal([taken(PAIR, 'network', 'account'), REFUSED])
    })

    it('is rejected after several reads if the process that reserved the slot died', async () => {
      await documents().insertOne({ _id: PAIR, count: 1, held: 1, until: END })
      const { answer, trips } = await taking([one(PAIR)])
      const looks = Array.from({ length: 9 }, () => [TRY, LOOK]).flat()
      expect(answer).to.deep.equal(REFUSED)
      expect(trips).to.deep.equal(['toArray', ...looks, 'toArray'])
    })
  })
})
