import { expect } from 'chai'
import { MongoClient, type Db } from 'mongodb'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { storeLaws } from '../../../src/contracts/index.js'
import type { Law } from '../../../src/contracts/law.js'
import { recordsOf } from '../../../src/contracts/records/arrangements.js'
import { pageLimitOf } from '../../../src/contracts/samples.js'
import type { RoleKey } from '../../../src/domain/access/role.js'
import type { Email, EmailStart } from '../../../src/domain/identity/email.js'
import type { Store } from '../../../src/ports/store.js'
import { emptyDatabase } from '../../support/mongodb/emptied.js'
import { freshDatabase, type FreshDatabase } from '../../support/mongodb/server.js'
import { shapeOf, watchQueries, type Query } from './command-log.js'
import { examined, explain, indexesOf, joinsOf, scansCollection, sorts, type Plan } from './plan.js'
import { describeWith } from '../../support/required-tools.js'

const COLLECTIONS = [
  'meta',
  'accounts',
  'roles',
  'sessions',
  'revocations',
  'attempts',
  'pets',
  'apiKeys',
  'projects',
  'mailJobs',
  'auditRecords',
]

/** Each query of the adapter by its shape, and its plan in each law in which it was asked. */
type Plans = Map<string, Plan[]>

describeWith('mongodb', 'the plans of the MongoDB queries', () => {
  let database: FreshDatabase
  let client: MongoClient
  let db: Db
  const plans: Plans = new Map()

  before(async () => {
    database = freshDatabase()
    client = new MongoClient(database.url)
    db = client.db()
    await (await openMongo(database.url)).close()
    await makeCollections(db)
    for (const law of storeLaws) await collectPlans(plans, law, database.url, db)
  })
  after(async () => {
    await client.close()
    await database.drop()
  })

  function shapesWhere(matches: (plan: Plan) => boolean): string[] {
    return [...plans].filter(([, found]) => found.some(matches)).map(([shape]) => shape)
  }

  function plansOf(beginning: string): Plan[] {
    return [...plans].filter(([shape]) => shape.startsWith(beginning)).flatMap(([, found]) => found)
  }

  it('never read a whole collection', () => {
    expect(plans.size).to.be.greaterThan(30)
    expect(shapesWhere(scansCollection)).to.deep.equal([])
  })

  it('never sort, because the index has the order already', () => {
    expect(shapesWhere(sorts)).to.deep.equal([])
  })

  it('find the account of a session by its id, and the session by an index', () => {
    const joins = [...plans].filter(([shape]) => shape.includes('$lookup'))
    const indexes = joins.map(([, found]) => [...new Set(found.flatMap((plan) => [...indexesOf(plan)]))])
    expect(indexes).to.deep.include(['digests_1', '_id_'])
    expect(indexes).to.deep.include(['_id_'])
  })

  it('find the accounts of actors by their ids, and only where there are actors', () => {
    const asked = [...plans].filter(([shape]) =>
      shape.startsWith('find accounts, filter: {"_id":{"$in":["?"]}'),
    )
    expect(asked).to.have.length(1)
    for (const [, found] of asked) {
      expect(found.length).to.be.lessThan(plansOf('aggregate sessions').length / 2)
      for (const plan of found) expect([...indexesOf(plan)]).to.deep.equal(['_id_'])
    }
  })

  it('find the sessions of an account, and those in which it acts, by their indexes', () => {
    const found = plansOf('delete sessions, deletes: [{"q":{"$or"')
    const indexes = new Set(found.flatMap((plan) => [...indexesOf(plan)]))
    expect([...indexes].sort()).to.deep.equal(['accountId_1_createdAt_1__id_1', 'actor.accountId_1'])
  })

  it('find the sessions that are too many, and all but one, by the same indexes', () => {
    const tooMany = plansOf(
      'find sessions, filter: {"accountId":"?","epoch":"?","expiresAt":{"$gt":"?"},"actor"',
    )
    const others = plansOf('find sessions, filter: {"$or"')
    const ofAccount = 'accountId_1_createdAt_1__id_1'
    expect(new Set(tooMany.flatMap((plan) => [...indexesOf(plan)]))).to.deep.equal(new Set([ofAccount]))
    expect(new Set(others.flatMap((plan) => [...indexesOf(plan)]))).to.deep.equal(
      new Set([ofAccount, 'actor.accountId_1']),
    )
  })

  it('look for a reset token by the email of its account', () => {
    const found = [...plans].filter(([shape]) => shape.includes('anyElementTrue')).flatMap(([, some]) => some)
    expect(found).to.have.length.greaterThan(10)
    for (const plan of found) expect([...indexesOf(plan)]).to.deep.equal(['email_1', 'sharedEmail_1'])
  })

  it('find the account of a stateless login and its revocation by their ids', () => {
    const asked = [...plans.values()].flat().filter((plan) => joinsOf(plan, 'revocations').length > 0)
    // Where there is no such account nothing is joined, and what is joined may be nothing.
    const indexes = new Set(asked.flatMap((plan) => joinsOf(plan, 'revocations').flat()))
    expect([...indexes]).to.deep.equal(['_id_'])
    for (const plan of asked) expect([...indexesOf(plan)]).to.deep.equal(['_id_'])
  })

  it('purge revocations by their end', () => {
    const purges = [...plans].filter(([shape]) => shape.startsWith('find revocations, filter: {"until"'))
    expect(purges).to.have.length(1)
    for (const [, found] of purges) {
      for (const plan of found) expect([...indexesOf(plan)]).to.deep.equal(['until_1'])
    }
  })

  it('begin a page of sessions where the page before ended', async () => {
    const pages = [...plans].filter(
      ([shape]) => shape.includes('sort: {"createdAt":"?","_id":"?"}') && !shape.includes('projection'),
    )
    expect(pages).to.have.length(2)
    for (const [, found] of pages) {
      for (const plan of found) expect([...indexesOf(plan)]).to.deep.equal(['accountId_1_createdAt_1__id_1'])
    }
  })

  it('read the audit log in the order of an index that holds what is asked for', () => {
    const pages = [...plans].filter(([shape]) => shape.startsWith('find auditRecords'))
    const purges = pages.filter(([shape]) => shape.includes('projection'))
    expect(pages).to.have.length.greaterThan(6)
    expect(purges).to.have.length(1)
    for (const [shape, found] of pages) {
      for (const plan of found) expect([...indexesOf(plan)], shape).to.deep.equal([fitting(shape)])
    }
  })

  it('read a page of the projects of an account from an index that has its order', () => {
    const pages = plansOf('find projects, filter: {"createdBy":"?"')
    expect(pages).to.have.length.greaterThan(3)
    for (const plan of pages) expect([...indexesOf(plan)]).to.deep.equal(['createdBy_1__id_1'])
  })

  it('read a page of pets from an index that what is left of removed ones lies behind', () => {
    const pages = [...plans].filter(([shape]) => /^find pets,.*"removed".*sort:/.test(shape))
    const found = pages.flatMap(([, some]) => some)
    expect(found).to.have.length.greaterThan(3)
    for (const plan of found) expect([...indexesOf(plan)]).to.deep.equal(['removed_1__id_1'])
  })

  it('read nothing of a thousand removed pets for the page behind them', async () => {
    await emptyDatabase(db)
    await db
      .collection<{ _id: number }>('pets')
      .insertMany([
        ...Array.from({ length: 1_000 }, (_, index) => removedPet(index + 1)),
        ...[1_001, 1_002].map((id) => ({ _id: id, name: 'Rex', revision: 1 })),
      ])
    const pages = await queriesOf('pets', database.url, async (store) => {
      expect((await store.pets.page(undefined, pageLimitOf(1))).pets).to.have.length(1)
      expect(await recordsOf(store).page('pet', undefined, 1)).to.have.length(1)
    })
    expect(pages).to.have.length(2)
    for (const page of pages) expect(examined(await explain(db, page))).to.be.at.most(2)
  })

  it('find the first mail that is free in the order of ids', () => {
    const claims = [...plans].filter(([shape]) => shape.startsWith('findAndModify mailJobs'))
    expect(claims).to.have.length(1)
    for (const plan of claims.flatMap(([, found]) => found)) {
      expect([...indexesOf(plan)]).to.deep.equal(['_id_'])
    }
  })

  it('search for accounts in the index of what is asked for together, and read what they give alone', () => {
    const searches = [...plans].filter(([shape]) => shape.includes('sort: {"email":"?"}'))
    const used = new Set<string>()
    for (const [shape, found] of searches) {
      for (const plan of found) {
        const [index, ...others] = indexesOf(plan)
        expect([index, others], shape).to.deep.equal([searchedBy(shape), []])
        used.add(index ?? '')
      }
    }
    expect([...used].sort()).to.deep.equal([
      'email_1',
      'email_1_disabledAt_1',
      'roles.key_1_email_1',
      'roles.key_1_email_1_disabledAt_1',
    ])
  })

  it('look at no more accounts than a search gives, whatever is asked for together', async () => {
    await emptyDatabase(db)
    await db
      .collection<{ _id: number }>('accounts')
      .insertMany(Array.from({ length: 400 }, (_, index) => searchedAccount(index + 1)))
    const role = 'editor' as RoleKey
    const searches = await queriesOf('accounts', database.url, async ({ accounts }) => {
      for (const start of [{}, { start: 'b' as EmailStart }])
        for (const after of [{}, { after: 'b-200@example.org' as Email }])
          for (const rest of [{}, { role }, { onlyDisabled: true }, { role, onlyDisabled: true }])
            expect(await accounts.search({ ...start, ...after, ...rest, limit: 5 })).to.have.length(5)
    })
    expect(searches).to.have.length(16)
    for (const search of searches)
      expect(examined(await explain(db, search)), shapeOf(search)).to.be.at.most(6)
  })

  it('would show a collection that is read as a whole', async () => {
    await db.collection('sessions').insertOne({ email: 'user@example.org' })
    const join = { from: 'accounts', localField: 'email', foreignField: 'createdAt', as: 'owners' }
    const scanning: Query[] = [
      { find: 'pets', filter: { name: 'Rex' } },
      { update: 'pets', updates: [{ q: { name: 'Rex' }, u: { $set: { tag: 'dog' } } }] },
      { delete: 'sessions', deletes: [{ q: { createdAt: 1 }, limit: 0 }] },
      { findAndModify: 'pets', query: { name: 'Rex' }, update: { $set: { tag: 'dog' } } },
      {
        aggregate: 'sessions',
        pipeline: [{ $match: { _id: { $gte: null } } }, { $lookup: join }],
        cursor: {},
      },
      { find: 'nowhere', filter: { _id: 1 } },
    ]
    for (const query of scanning) {
      expect(scansCollection(await explain(db, query)), shapeOf(query)).to.equal(true)
    }
    expect(sorts(await explain(db, { find: 'pets', sort: { name: 1 } }))).to.equal(true)
  })
})

/** As a pet with an idempotency key leaves it. */
function removedPet(_id: number) {
  return { _id, removed: true, idempotency: { scope: 'one', key: `key ${_id}`, fingerprint: 'f', until: 1 } }
}

/** Half of the emails begin with each letter, half of the accounts have the roles and half are disabled, in all combinations. */
function searchedAccount(_id: number) {
  const roles = ['author', 'editor'].map((key) => ({ uuid: key, key, label: key }))
  return {
    _id,
    email: `${_id % 2 ? 'a' : 'b'}-${String(_id).padStart(3, '0')}@example.org`,
    epoch: 1,
    createdAt: 0,
    roles: _id % 4 < 2 ? roles : [],
    ...(_id % 8 < 4 && { disabledAt: 0 }),
  }
}

/** The queries of a collection that some work asks for. */
async function queriesOf(
  collection: string,
  url: string,
  work: (store: Store) => Promise<void>,
): Promise<readonly Query[]> {
  const queries: Query[] = []
  const onClient = (client: MongoClient) =>
    watchQueries(client, (query) => {
      if (query['find'] === collection) queries.push(query)
    })
  const store = await openMongo(url, { onClient })
  try {
    await work(store)
  } finally {
    await store.close()
  }
  return queries
}

/** The index that has the order of a page of the audit log, of the records that are asked for. */
function fitting(shape: string): string {
  if (shape.includes('"accounts":"?"')) return 'accounts_1__id_1'
  return shape.includes('"event":"?"') ? 'event_1__id_1' : '_id_'
}

/** The index that has what a search for accounts asks for. */
function searchedBy(shape: string): string {
  const role = shape.includes('"roles.key":"?"') ? 'roles.key_1_' : ''
  return `${role}email_1${shape.includes('"disabledAt":{"$exists"') ? '_disabledAt_1' : ''}`
}

/** An index of a collection that is not there could not be told from one that is missing. */
async function makeCollections(db: Db): Promise<void> {
  const there = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)
  for (const name of COLLECTIONS) if (!there.includes(name)) await db.createCollection(name)
}

/** Checks a law in the emptied database, then asks how each of its queries is answered on what it left there. */
async function collectPlans(plans: Plans, law: Law, url: string, db: Db): Promise<void> {
  await emptyDatabase(db)
  const queries = new Map<string, Query>()
  const onClient = (client: MongoClient) =>
    watchQueries(client, (query) => queries.set(shapeOf(query), query))
  const store = await openMongo(url, { onClient })
  try {
    await law.check(store)
  } finally {
    await store.close()
  }
  for (const [shape, query] of queries) {
    plans.set(shape, [...(plans.get(shape) ?? []), await explain(db, query)])
  }
}
