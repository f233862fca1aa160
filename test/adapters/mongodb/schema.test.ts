import { expect } from 'chai'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { addAccount, logIn } from '../../../src/contracts/arrangements.js'
import { anActor, aProof, hashOf, NOW } from '../../../src/contracts/samples.js'
import type { Email } from '../../../src/domain/identity/email.js'
import { VERSION } from '../../../src/domain/version.js'
import { databaseOfTests, withFreshDatabase } from '../../support/mongodb/opened.js'
import { refusalOf } from '../../support/refusal-of.js'
import { describeWith } from '../../support/required-tools.js'
import { watchReads } from './queries.js'
import { useOf } from '../../../src/contracts/arrangements.js'
import type { AccountId } from '../../../src/domain/identity/account.js'
import type { Proof, ProofDigest, ProofId } from '../../../src/domain/identity/proof.js'

type Meta = { readonly _id: string; readonly value: number }

describeWith('mongodb', 'opening a session in MongoDB', () => {
  const preferences: unknown[] = []
  const opened = databaseOfTests({
    query: 'readPreference=secondaryPreferred',
    onClient: (client) => watchReads(client, 'accounts', preferences),
  })

  it('reads the account and the actor from the primary, even if the URL prefers a secondary', async () => {
    const { store } = opened()
    const [ann, bob] = [await addAccount(store, 'ann'), await addAccount(store, 'bob')]
    preferences.length = 0
    await logIn(store, ann, 'acting', { actor: anActor(bob) })
    expect(preferences).to.deep.equal(['primary', 'primary'])
  })
})

describeWith('mongodb', 'a MongoDB database', () => {
  it('is not ready after it was dropped, because its unique indexes are missing', async () => {
    await withFreshDatabase(async (url, db) => {
      const store = await openMongo(url)
      try {
        await store.ready()
        await db.dropDatabase()
        expect((await refusalOf(store.ready())).detail).to.match(/^The database has no data of Kennel: /)
      } finally {
        await store.close()
      }
    })
  })

  it('cannot be opened if it was dropped while a command was writing', async () => {
    await withFreshDatabase(async (url, db) => {
      const store = await openMongo(url)
      await db.dropDatabase()
      await addAccount(store, 'ann')
      await store.close()
      const { code, detail } = await refusalOf(openMongo(url))
      expect([code, detail]).to.deep.equal([
        'incompatible-store',
        'The database has the collections of Kennel, but no schema version: the database was dropped while Kennel was running, a restore has not finished, ' +
          'or another program uses it. Restore a backup, or set DATABASE_URL to another database.',
      ])
    })
  })

  it('is upgraded from the first schema to the current schema, so that older releases refuse to open it', async () => {
    await withFreshDatabase(async (url, db) => {
      const meta = db.collection<Meta>('meta')
      await meta.insertOne({ _id: 'schema', value: 1 })
      for (const _ of ['once', 'twice']) {
        await (await openMongo(url)).close()
        const range = { readableFrom: 3, writableFrom: 3, release: VERSION }
        expect(await meta.findOne({ _id: 'schema' })).to.deep.equal({ _id: 'schema', value: 3, ...range })
      }
    })
  })

  it('is shared with a newer release until that release removes a part of the schema', async () => {
    await withFreshDatabase(async (url, db) => {
      const meta = db.collection<Meta>('meta')
      await (await openMongo(url)).close()
      const newer = { value: 9, readableFrom: 2, writableFrom: 3, release: '9.1.0' }
      await meta.updateOne({ _id: 'schema' }, { $set: newer })
      await (await openMongo(url)).close()
      expect(await meta.findOne({ _id: 'schema' })).to.include(newer)
      await meta.updateOne({ _id: 'schema' }, { $set: { writableFrom: 4 } })
      expect((await refusalOf(openMongo(url))).detail).to.include('was written by release 9.1.0')
    })
  })

  it('is reported as created to only one of several instances', async () => {
    await withFreshDatabase(async (url) => {
      let reports = 0
      const open = () => openMongo(url, { onCreated: () => (reports += 1) })
      for (const store of await Promise.all([open(), open(), open()])) await store.close()
      await (await open()).close()
      expect(reports).to.equal(1)
    })
  })

  it('is upgraded from the second schema, so that sessions store the factor instead of a flag', async () => {
    await withFreshDatabase(async (url, db) => {
      await db.collection<Meta>('meta').insertOne({ _id: 'schema', value: 2 })
      const ann = { _id: 1, email: 'ann@example.org', epoch: 1, createdAt: 1, roles: [] }
      const withFactor = { ...ann, factor: { activeSince: 7 } }
      await db.collection<{ _id: number }>('accounts').insertOne(withFactor)
      const sessions = db.collection<{ _id: string; factor?: unknown; [field: string]: unknown }>('sessions')
      await sessions.insertMany([
        { _id: 'own', accountId: 1, digests: ['own'], factor: true },
        { _id: 'acting', accountId: 2, digests: ['acting'], factor: true, actor: { accountId: 1 } },
        { _id: 'acted as', accountId: 1, digests: ['acted'], actor: { accountId: 2 } },
      ])
      await (await openMongo(url)).close()
      const found = await sessions.find().sort({ _id: 1 }).toArray()
      expect(found.map(({ factor }) => factor)).to.deep.equal([undefined, 7, 7])
    })
  })

  it('is upgraded from the second schema to canonical emails, but still returns the stored emails and merges no accounts', async () => {
    const emails = [
      ...['ann@example.org', 'bob@bücher.example', 'νικος@example.org', 'νικοσ@example.org'],
      'eve@example.org.',
    ]
    await withFreshDatabase(async (url, db) => {
      await db.collection<Meta>('meta').insertOne({ _id: 'schema', value: 2 })
      const rest = { epoch: 1, createdAt: 1, roles: [] }
      const documents = emails.map((email, index) => ({ _id: index + 1, email, ...rest }))
      await db.collection<{ _id: number }>('accounts').insertMany(documents)
      // Two instances start at the same time.
      const [store, other] = await Promise.all([openMongo(url), openMongo(url)])
      await other.close()
      const page = await store.accounts.page(undefined, 10)
      const canonical = 'νικοσ@example.org' as Email
      const found = await store.accounts.findByEmail(canonical, 'νικος@example.org' as Email)
      const third = await store.accounts.insert({ email: canonical, createdAt: 1 })
      await store.close()
      expect(page.map((one) => [one.email, one.enteredEmail, one.sharedEmail])).to.deep.equal([
        ['ann@example.org', undefined, undefined],
        ['bob@xn--bcher-kva.example', 'bob@bücher.example', undefined],
        ['νικος@example.org', undefined, 'νικοσ@example.org'],
        ['νικοσ@example.org', undefined, 'νικοσ@example.org'],
        ['eve@example.org', 'eve@example.org.', undefined],
      ])
      expect([found?.id, third]).to.deep.equal([3, { kind: 'duplicate-email' }])
    })
  })
})

const ANN = 1 as AccountId

describeWith('mongodb', 'a reset token that release 0.8.0 has stored in MongoDB', () => {
  const opened = databaseOfTests()
  const proofs = () => opened().store.proofs
  const accounts = () => opened().collection<{ _id: number; email: string; epoch: number }>('accounts')
  const tokenOf = (mail: string, late = 1, epoch = 3) => ({
    ...{ digest: `digest of ${mail}` as ProofDigest, until: NOW + late },
    ...{ mailJobId: mail as ProofId, epoch },
  })
  const store = async (...resets: readonly object[]) => {
    await accounts().deleteMany({})
    const account = { _id: ANN, email: 'ann@example.org', epoch: 3, createdAt: 1, roles: [], resets }
    await accounts().insertOne(account)
  }
  const use = (mail: string, at = NOW) => ({ digest: tokenOf(mail).digest, at })
  const found = async (mail: string, at = NOW) => (await proofs().find(use(mail, at)))?.id

  it('is found until it expires, and resets the password once', async () => {
    await store(tokenOf('a'), tokenOf('b'))
    expect(await found('a', NOW + 1)).to.equal(undefined)
    const expected = { purpose: 'reset-password', email: 'ann@example.org', accountId: ANN, epoch: 3 }
    expect(await proofs().find(use('a'))).to.include({ id: 'a', until: NOW + 1, ...expected })
    expect(await proofs().resetPassword(use('b'), hashOf('new'))).to.equal(ANN)
    for (const mail of ['a', 'b']) {
      expect(await found(mail)).to.equal(undefined)
      expect(await proofs().resetPassword(use(mail), hashOf('no'))).to.equal('spent')
    }
    expect(await accounts().findOne({ _id: ANN })).to.not.have.property('resets')
  })

  it('is invalid if the epoch of the account has changed since the token was issued', async () => {
    await store(tokenOf('a', 1, 2), tokenOf('b', 1, 3))
    expect([await found('a'), await found('b')]).to.deep.equal([undefined, 'b'])
    await opened().store.accounts.setPassword(ANN, hashOf('new'))
    expect(await found('b')).to.equal(undefined)
  })

  it('replaces the token from an earlier attempt to send the email, but not a later proof', async () => {
    await store(tokenOf('a', 1))
    expect(await found('a')).to.equal('a')
    await store({ ...tokenOf('again', 2), mailJobId: 'a' })
    expect([await found('again'), await found('a')]).to.deep.equal(['a', undefined])
    const later: Proof = aProof('reset-password', 'later', {
      id: 'a' as ProofId,
      accountId: ANN,
      until: NOW + 3,
    })
    await proofs().issue(later)
    expect(await found('again')).to.equal(undefined)
    expect(await proofs().find(useOf(later))).to.deep.equal(later)
  })

  it('becomes a proof when the database is opened, so that the proof can be copied', async () => {
    await store(tokenOf('a'))
    const again = await openMongo(opened().url)
    await again.close()
    expect((await proofs().listOf(ANN)).map(({ id }) => id)).to.deep.equal(['a'])
  })
})
