import { expect } from 'chai'
import { MongoClient, type Collection, type Document } from 'mongodb'
import type { AttemptDocument } from '../../../src/adapters/mongodb/documents.js'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import type { AttemptCount, AttemptOutcome } from '../../../src/ports/attempt-limiter.js'
import type { Store } from '../../../src/ports/store.js'
import { duplicateOf, throwing } from '../../mongodb-faults/driver-faults.js'
import { createInjector, UPSERT, type Injection } from '../../mongodb-faults/injection.js'
import { describeWith } from '../../support/required-tools.js'
import { freshDatabase, type FreshDatabase } from '../../support/mongodb/server.js'

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

describeWith('mongodb', 'an attempt that is refunded over MongoDB', () => {
  let database: FreshDatabase
  let store: Store
  let updates: Document[][] = []
  let settings: unknown[] = []

  beforeEach(async () => {
    database = freshDatabase()
    store = await openMongo(database.url, {
      onClient: (client: MongoClient) =>
        client.on('commandStarted', ({ commandName, command }) => {
          if (commandName !== 'update') return
          updates.push(command['updates'] as Document[])
          settings.push([command['ordered'], command['writeConcern']])
        }),
    })
    updates = []
    settings = []
  })
  afterEach(async () => {
    await store.close()
    await database.drop()
  })

  async function refund(outcome: AttemptOutcome): Promise<void> {
    if (outcome.kind !== 'taken') throw new Error('the attempt was refused')
    await store.attempts.refund(outcome.attempt)
  }

  const namesOf = (command: readonly Document[] = []) =>
    command.map(({ q }) => (q as { readonly _id: string })._id)

  // client 1: a right login is counted, and refunded under the pair          [1-8]
  // client 2: a wrong login takes the place under the pair → 401             [2-3]
  // client 3: another pair of the account, which still looks full → 429      [4-5]
  // No order explains both where the account is refunded after the pair.
  it('is so in one command, the widest name first', async () => {
    const outcome = await store.attempts.take(COUNTS, AT)
    updates = []
    await refund(outcome)
    expect(updates.map(namesOf)).to.deep.equal([['account', 'network', PAIR]])
    expect(settings.at(-1)).to.deep.equal([true, { w: 1 }])
    expect((await store.attempts.take(COUNTS, AT)).kind).to.equal('taken')
  })

  it('changes nothing and sends nothing where nothing was counted', async () => {
    await store.attempts.refund({ counts: [] })
    expect(updates).to.deep.equal([])
  })
})

describeWith('mongodb', 'an attempt over MongoDB', () => {
  const injector = createInjector()
  const pair = one(PAIR, 2)
  let database: FreshDatabase
  let store: Store
  let client: MongoClient
  let documents: Collection<AttemptDocument>

  beforeEach(async () => {
    database = freshDatabase()
    store = await openMongo(database.url, { onClient: injector.onClient })
    client = await MongoClient.connect(database.url)
    documents = client.db().collection<AttemptDocument>('attempts')
  })
  afterEach(async () => {
    await Promise.all([store.close(), client.close()])
    await database.drop()
  })

  /** What it comes to with this injection, and the round trips of the store. */
  async function taking(counts: readonly AttemptCount[], injection?: Injection, at = AT) {
    let answer: unknown
    const trips = await injector.during(injection, async () => {
      answer = await store.attempts.take(counts, at).catch((error: unknown) => error)
    })
    return { answer, trips }
  }
  const stored = async () => await documents.find().sort({ _id: 1 }).toArray()
  const document = (name: string, count: number, held = 0) => ({ _id: name, count, held, until: END })

  describe('whose insert meets another one of its name', () => {
    const MET = { at: 1, when: 'refused', answer: throwing(() => duplicateOf('_id')) } as const
    const meeting = async (at: number, { forGood = false } = {}) =>
      await taking([pair], { ...MET, forGood }, at)

    it('is counted at the second try where there is room', async () => {
      await store.attempts.take([pair], AT)
      expect(await meeting(AT + 1)).to.deep.equal({ answer: taken(PAIR), trips: ['toArray', TRY, LOOK, TRY] })
      expect(await store.attempts.take([pair], AT + 1)).to.deep.equal(REFUSED)
    })

    it('is the first of a new window from the moment on at which the full one is over', async () => {
      for (const _ of ['one', 'two']) await store.attempts.take([pair], AT)
      const { answer } = await meeting(END)
      expect(answer).to.have.nested.property('attempt.counts[0].until', END + WINDOW)
      expect(await store.attempts.take([one(PAIR)], END - 1)).to.deep.equal({
        kind: 'refused',
        until: END + WINDOW,
      })
    })

    it('is counted where the other one has gone meanwhile', async () => {
      expect((await meeting(AT)).answer).to.deep.equal(taken(PAIR))
    })

    it('is unavailable after a hundred tries', async () => {
      const { answer, trips } = await meeting(AT, { forGood: true })
      expect(answer).to.have.property('code', 'unavailable')
      expect(trips.filter((trip) => trip === TRY)).to.have.length.within(100, 102)
    })
  })

  it('is unavailable where the server does not say what it has counted', async () => {
    const { answer } = await taking([pair], { at: 1, when: 'refused', answer: () => null })
    expect(answer).to.have.property('detail', 'The MongoDB server did not tell what it counted.')
  })

  it('is refused by one read where a name is full', async () => {
    await store.attempts.take([one('network', 1)], AT)
    const refused = await taking([pair, one('network', 1)], undefined, END - 1)
    expect(refused).to.deep.equal({ answer: REFUSED, trips: ['toArray'] })
    expect(await stored()).to.deep.equal([document('network', 1)])
  })

  /** What is stored when its places but the last one are taken. */
  async function storedMeanwhile(counts: readonly AttemptCount[]) {
    let seen: unknown
    const look = async () => {
      seen = await stored()
      return { until: END }
    }
    await taking(counts, { at: counts.length, when: 'lost', answer: look })
    return seen
  }

  it('holds its places until it is counted under all names', async () => {
    const all = (held: number) => [
      document('account', 1),
      document(PAIR, 1, held),
      document('network', 1, held),
    ]
    expect(await storedMeanwhile(COUNTS)).to.deep.equal(all(1))
    expect(await stored()).to.deep.equal(all(0))
  })

  it('holds a place in a document of an earlier release', async () => {
    await documents.insertOne({ _id: PAIR, count: 1, until: END })
    const all = (held: number) => [document(PAIR, 2, held), document('network', 1)]
    expect(await storedMeanwhile([pair, one('network')])).to.deep.equal(all(1))
    expect(await stored()).to.deep.equal(all(0))
  })

  it('that is refunded once too often leaves no room for two', async () => {
    await store.attempts.take([pair], AT)
    const { attempt } = taken(PAIR)
    for (const _ of ['once', 'twice']) await store.attempts.refund(attempt)
    expect(await stored()).to.deep.equal([document(PAIR, 0)])
  })

  it('holds nothing of the window before', async () => {
    await documents.insertOne({ _id: PAIR, count: 2, held: 2, until: AT })
    await store.attempts.take([pair], AT)
    expect(await stored()).to.deep.equal([document(PAIR, 1)])
  })

  /** Has the last place of a name taken just when an attempt has counted itself under the name before. */
  const fill = (name: string) => async () => {
    await documents.updateOne({ _id: name }, { $set: { count: 1, held: 0, until: END } }, { upsert: true })
    return { until: END }
  }

  it('is counted under no name where one is full in the end, and ends when that does', async () => {
    const { answer, trips } = await taking(COUNTS, { at: 2, when: 'lost', answer: fill('account') })
    expect(answer).to.deep.equal(REFUSED)
    expect(trips).to.deep.equal(['toArray', TRY, TRY, TRY, LOOK, 'bulkWrite', 'toArray'])
    expect(await stored()).to.deep.equal([document('account', 1), document(PAIR, 0), document('network', 0)])
  })

  describe('that finds no room but what another one holds', () => {
    /** What comes of one that asks for the pair alone while another one holds its last place. */
    async function meanwhile(last: () => Promise<unknown>) {
      const other = await openMongo(database.url)
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

    it('is taken where the other one is refused', async () => {
      expect(await meanwhile(fill('account'))).to.deep.equal([REFUSED, taken(PAIR)])
    })

    it('is refused where the other one is taken', async () => {
      const until = () => Promise.resolve({ until: END })
      expect(await meanwhile(until)).to.deep.equal([taken(PAIR, 'network', 'account'), REFUSED])
    })

    it('is refused after some looks where the process of the other one has died', async () => {
      await documents.insertOne({ _id: PAIR, count: 1, held: 1, until: END })
      const { answer, trips } = await taking([one(PAIR)])
      expect(answer).to.deep.equal(REFUSED)
      const looks = Array.from({ length: 9 }, () => [TRY, LOOK]).flat()
      expect(trips).to.deep.equal(['toArray', ...looks, 'toArray'])
    })
  })
})
