import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { enrol, logIn } from '../../../src/contracts/arrangements.js'
import { anActor } from '../../../src/contracts/samples.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { freshDatabase } from '../../support/mongodb/server.js'
import { describeWith } from '../../support/required-tools.js'
import { watchReads } from './read-preferences.js'

describeWith('mongodb', 'a session that is opened', () => {
  it('looks for its account and the actor’s where they were written, whatever the URL prefers', async () => {
    const database = freshDatabase()
    const preferences: unknown[] = []
    const url = `${database.url}${database.url.includes('?') ? '&' : '?'}readPreference=secondaryPreferred`
    const store = await openMongo(url, {
      onClient: (client) => watchReads(client as MongoClient, 'accounts', preferences),
    })
    try {
      const [ann, bob] = [await enrol(store, 'ann'), await enrol(store, 'bob')]
      preferences.length = 0
      await logIn(store, ann, 'acting', { actor: anActor(bob) })
      expect(preferences).to.deep.equal(['primary', 'primary'])
    } finally {
      await store.close()
      await database.drop()
    }
  })
})

describeWith('mongodb', 'a database of the first schema', () => {
  it('has the mark of this one when it is opened, so that releases of that time refuse it', async () => {
    const database = freshDatabase()
    const client = new MongoClient(database.url)
    try {
      const meta = client.db().collection<{ _id: string; value: number }>('meta')
      await meta.insertOne({ _id: 'schema', value: 1 })
      for (let time = 1; time <= 2; time += 1) {
        await (await openMongo(database.url)).close()
        expect(await meta.findOne({ _id: 'schema' })).to.deep.equal({ _id: 'schema', value: 3 })
      }
    } finally {
      await client.close()
      await database.drop()
    }
  })
})

describeWith('mongodb', 'an empty database', () => {
  it('is reported by the instance that begins to use it, and by no other', async () => {
    const database = freshDatabase()
    let reports = 0
    const open = () => openMongo(database.url, { onCreated: () => (reports += 1) })
    try {
      for (const store of await Promise.all([open(), open(), open()])) await store.close()
      await (await open()).close()
      expect(reports).to.equal(1)
    } finally {
      await database.drop()
    }
  })
})

describeWith('mongodb', 'a database of the second schema, whose emails are in lower case', () => {
  it('has canonical emails, shows the stored emails, and merges no accounts', async () => {
    const database = freshDatabase()
    const client = new MongoClient(database.url)
    try {
      const accounts = client.db().collection<{ _id: number; email: string }>('accounts')
      await client
        .db()
        .collection<{ _id: string; value: number }>('meta')
        .insertOne({ _id: 'schema', value: 2 })
      const emails = [
        'ann@example.org',
        'bob@bücher.example',
        'νικος@example.org',
        'νικοσ@example.org',
        'eve@example.org.',
      ]
      const documents = emails.map((email, index) => ({
        _id: index + 1,
        email,
        epoch: 1,
        createdAt: 1,
        roles: [],
      }))
      await accounts.insertMany(documents)
      // Two instances that are started together.
      const [store, other] = await Promise.all([openMongo(database.url), openMongo(database.url)])
      await other.close()
      const page = await store.accounts.page(undefined, 10)
      const canonical = 'νικοσ@example.org' as Email
      const found = await store.accounts.findByEmail(canonical, 'νικος@example.org' as Email)
      const third = await store.accounts.insert({ email: canonical, createdAt: 1 })
      await store.close()
      expect(
        page.map(({ email, enteredEmail, sharedEmail }) => [email, enteredEmail, sharedEmail]),
      ).to.deep.equal([
        ['ann@example.org', undefined, undefined],
        ['bob@xn--bcher-kva.example', 'bob@bücher.example', undefined],
        ['νικος@example.org', undefined, 'νικοσ@example.org'],
        ['νικοσ@example.org', undefined, 'νικοσ@example.org'],
        ['eve@example.org', 'eve@example.org.', undefined],
      ])
      expect([found?.id, third]).to.deep.equal([3, { kind: 'duplicate-email' }])
    } finally {
      await client.close()
      await database.drop()
    }
  })
})
