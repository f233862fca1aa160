import { expect } from 'chai'
import { MongoClient, type Db } from 'mongodb'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { storeLaws } from '../../../src/contracts/index.js'
import { recordsOf } from '../../../src/contracts/copyable-records/arrangements.js'
import { pageLimitOf } from '../../../src/contracts/samples.js'
import type { RoleKey } from '../../../src/domain/access/role.js'
import type { Email, EmailStart } from '../../../src/domain/identity/email.js'
import type { Store } from '../../../src/ports/store.js'
import { emptyDatabase } from '../../support/mongodb/emptied.js'
import { freshDatabase, type FreshDatabase } from '../../support/mongodb/server.js'
import { describeWith } from '../../support/required-tools.js'
import {
  shapeOf,
  watchQueries,
  type Query,
  examined,
  explain,
  indexesOf,
  scansCollection,
  sorts,
  type Plan,
} from './queries.js'

const COLLECTIONS = [
  ...['meta', 'accounts', 'roles', 'sessions', 'revocations', 'attempts', 'pets', 'apiKeys', 'projects'],
  'proofs',
  ...['mailJobs', 'auditRecords'],
]

/** The plans of each query, keyed by the shape of the query; a query has one plan for each contract test that sends it. */
type Plans = Map<string, Plan[]>

const SESSION_PAGE = /^(?!.*projection).*sort: \{"createdAt":"\?","_id":"\?"\}/
const ACTORS = /^(?!.*sort:)find accounts, filter: \{"_id":\{"\$in":\["\?"\]\}/
const OLDEST_SESSIONS =
  /^find sessions, filter: \{"accountId":"\?","epoch":"\?","expiresAt":\{"\$gt":"\?"\},"actor"/
const OF_ACCOUNT = 'accountId_1_createdAt_1__id_1'

/** For some queries: a pattern that the query matches, and the index that its plan must use. */
const INDEXES: Readonly<Record<string, readonly [RegExp, string]>> = {
  'newer reset proofs': [/^aggregate proofs/, 'accountId_1__id_1'],
  'a page of sessions': [SESSION_PAGE, OF_ACCOUNT],
  'a page of projects': [/^find projects, filter: \{"createdBy":"\?"/, 'createdBy_1__id_1'],
  'the oldest sessions above the limit': [OLDEST_SESSIONS, OF_ACCOUNT],
}

/** Deleting a role may read all API keys, because a store contains few API keys. */
const ROLES_OF_KEYS = /^(?:find|update) apiKeys, .*"roles\.key":/

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
    await collectPlans(plans, database.url, db)
  })
  after(async () => {
    await client.close()
    await database.drop()
  })

  const shapesWhere = (matches: (plan: Plan) => boolean) =>
    [...plans].filter(([, found]) => found.some(matches)).map(([shape]) => shape)
  const matching = (pattern: RegExp) => [...plans].filter(([shape]) => pattern.test(shape))
  const plansOf = (pattern: RegExp) => matching(pattern).flatMap(([, found]) => found)

  it('never scan a whole collection and never sort in memory', () => {
    expect(plans.size).to.be.greaterThan(30)
    expect(shapesWhere(scansCollection).filter((shape) => !ROLES_OF_KEYS.test(shape))).to.deep.equal([])
    expect(shapesWhere(sorts)).to.deep.equal([])
  })

  for (const [what, [pattern, index]] of Object.entries(INDEXES))
    it(`use the index ${index} to find ${what}`, () => {
      expect(plansOf(pattern)).to.not.be.empty
      for (const plan of plansOf(pattern)) expect([...indexesOf(plan)]).to.deep.equal([index])
    })

  for (const [what, pattern] of [
    ['delete', /^delete sessions, deletes: \[\{"q":\{"\$or"/],
    ['find', /^find sessions, filter: \{"\$or"/],
  ] as const)
    it(`use indexes to ${what} the sessions of an account and of an actor`, () => {
      const indexes = new Set(plansOf(pattern).flatMap((plan) => [...indexesOf(plan)]))
      expect([...indexes].sort()).to.deep.equal([OF_ACCOUNT, 'actor.accountId_1'])
    })

  it('look up accounts of actors only if there are actors', () => {
    expect(plansOf(ACTORS).length).to.be.lessThan(plansOf(/^aggregate sessions/).length / 2)
  })

  it('read the audit log from the index that contains the requested records in order', () => {
    const pages = matching(/^find auditRecords/)
    expect(pages).to.have.length.greaterThan(6)
    expect(pages.filter(([shape]) => shape.includes('projection'))).to.have.length(1)
    for (const [shape, found] of pages)
      for (const plan of found) expect([...indexesOf(plan)], shape).to.deep.equal([auditIndexOf(shape)])
  })

  it('read no removed pets for a page that starts after a thousand removed pets', async () => {
    await emptyDatabase(db)
    const removed = Array.from({ length: 1_000 }, (_, index) => removedPet(index + 1))
    const pets = [1_001, 1_002].map((id) => ({ _id: id, name: 'Rex', revision: 1 }))
    await db.collection<{ _id: number }>('pets').insertMany([...removed, ...pets])
    const pages = await queriesOf('pets', database.url, async (store) => {
      expect((await store.pets.page(undefined, pageLimitOf(1))).pets).to.have.length(1)
      expect(await recordsOf(store).page('pet', undefined, 1)).to.have.length(1)
    })
    expect(pages).to.have.length(2)
    for (const page of pages) expect(examined(await explain(db, page))).to.be.at.most(2)
  })

  it('examine at most one account more than a search returns, with any combination of filters', async () => {
    await emptyDatabase(db)
    const all = Array.from({ length: 400 }, (_, index) => searchedAccount(index + 1))
    await db.collection<{ _id: number }>('accounts').insertMany(all)
    const role = 'editor' as RoleKey
    const queries = await queriesOf('accounts', database.url, async ({ accounts }) => {
      for (const start of [{}, { start: 'b' as EmailStart }])
        for (const after of [{}, { after: 'b-200@example.org' as Email }])
          for (const rest of [{}, { role }, { onlyDisabled: true }, { role, onlyDisabled: true }])
            expect(await accounts.search({ ...start, ...after, ...rest, limit: 5 })).to.have.length(5)
    })
    const searches = queries.filter((query) => !shapeOf(query).includes('resets'))
    expect(searches).to.have.length(16)
    for (const search of searches)
      expect(examined(await explain(db, search)), shapeOf(search)).to.be.at.most(6)
  })

  it('reveal a query that scans a whole collection', async () => {
    await db.collection('sessions').insertOne({ email: 'user@example.org' })
    const scanning: Query[] = [
      { find: 'pets', filter: { name: 'Rex' } },
      { delete: 'sessions', deletes: [{ q: { createdAt: 1 }, limit: 0 }] },
    ]
    for (const query of scanning)
      expect(scansCollection(await explain(db, query)), shapeOf(query)).to.equal(true)
    expect(sorts(await explain(db, { find: 'pets', sort: { name: 1 } }))).to.equal(true)
  })
})

/** The documents that remain of a removed pet that was created with an idempotency key. */
function removedPet(_id: number) {
  return { _id, removed: true, idempotency: { scope: 'one', key: `key ${_id}`, fingerprint: 'f', until: 1 } }
}

/**
 * Emails begin with one of two letters, half of the accounts have roles, and half are disabled, in all combinations.
 */
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

async function queriesOf(
  collection: string,
  url: string,
  work: (store: Store) => Promise<void>,
): Promise<readonly Query[]> {
  const queries: Query[] = []
  await watching(url, work, (query) => {
    if (query['find'] === collection) queries.push(query)
  })
  return queries
}

async function watching(
  url: string,
  work: (store: Store) => Promise<void>,
  take: (query: Query) => void,
): Promise<void> {
  const store = await openMongo(url, { onClient: (client) => watchQueries(client as MongoClient, take) })
  try {
    await work(store)
  } finally {
    await store.close()
  }
}

function auditIndexOf(shape: string): string {
  if (shape.includes('"accounts":"?"')) return 'accounts_1__id_1'
  return shape.includes('"event":"?"') ? 'event_1__id_1' : '_id_'
}

/** Creates missing collections, because queries on a missing collection do not reveal missing indexes. */
async function makeCollections(db: Db): Promise<void> {
  const there = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name)
  for (const name of COLLECTIONS) if (!there.includes(name)) await db.createCollection(name)
}

async function collectPlans(plans: Plans, url: string, db: Db): Promise<void> {
  const queries = new Map<string, Query>()
  const checkAll = async (store: Store) => {
    // Leaves out the contract tests for `ready` and `close`, because they close the store.
    for (const law of storeLaws.filter(({ port }) => port !== 'store')) {
      await emptyDatabase(db)
      queries.clear()
      await law.check(store)
      for (const [shape, query] of queries)
        plans.set(shape, [...(plans.get(shape) ?? []), await explain(db, query)])
    }
  }
  await watching(url, checkAll, (query) => queries.set(shapeOf(query), query))
}
