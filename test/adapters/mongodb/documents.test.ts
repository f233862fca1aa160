import { expect } from 'chai'
import { MongoClient } from 'mongodb'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import type { AccountId, Epoch } from '../../../src/domain/identity/account.js'
import type { Email } from '../../../src/domain/identity/email.js'
import type { PasswordHash } from '../../../src/domain/identity/password.js'
import type { ResetDigest } from '../../../src/domain/identity/reset-token.js'
import type { Store } from '../../../src/ports/store.js'
import { freshDatabase, type FreshDatabase } from '../../support/mongodb/server.js'
import { NOON, RESET_TOKEN } from '../../support/several-processes/samples.js'
import { describeWith } from '../../support/required-tools.js'

const ANN = 'ann@example.org' as Email
const OLD = 'previous digest' as ResetDigest

describeWith('mongodb', 'an account of MongoDB that has a reset token of the first release', () => {
  let database: FreshDatabase
  let client: MongoClient
  let store: Store
  before(async () => {
    database = freshDatabase()
    store = await openMongo(database.url)
    client = await MongoClient.connect(database.url)
  })
  after(async () => {
    await store.close()
    await client.close()
    await database.drop()
  })
  beforeEach(async () => {
    const accounts = client.db().collection<{ _id: number }>('accounts')
    const reset = { digest: OLD, until: NOON + 1, epoch: 3 }
    const account = { email: ANN, epoch: 3, createdAt: 1, roles: [], reset }
    await accounts.replaceOne({ _id: 1 }, account, { upsert: true })
  })

  const holds = async (digest: ResetDigest) => await store.accounts.holdsResetToken(ANN, digest, NOON)
  const consume = async (digest: ResetDigest) =>
    await store.accounts.consumeResetToken({ email: ANN, digest, at: NOON, hash: 'hash' as PasswordHash })
  const issue = async (mail: string) => {
    const digest = `digest of ${mail}` as ResetDigest
    const made = { ...RESET_TOKEN, digest, mailJobId: mail as typeof RESET_TOKEN.mailJobId }
    expect(await store.accounts.issueResetToken(1 as AccountId, 3 as Epoch, made)).to.equal('issued')
    return digest
  }

  it('can use it once, in its time', async () => {
    expect(await store.accounts.holdsResetToken(ANN, OLD, NOON + 1)).to.equal(false)
    expect(await holds(OLD)).to.equal(true)
    expect(await consume(OLD)).to.equal(1)
    expect([await holds(OLD), await consume(OLD)]).to.deep.equal([false, undefined])
  })

  it('has it as the oldest of three beside newer ones', async () => {
    const newer = [await issue('a'), await issue('b')]
    for (const digest of [OLD, ...newer]) expect(await holds(digest)).to.equal(true)
    const third = await issue('c')
    expect(await holds(OLD)).to.equal(false)
    for (const digest of [...newer, third]) expect(await holds(digest)).to.equal(true)
    expect(await consume(third)).to.equal(1)
    for (const digest of [OLD, ...newer, third]) expect(await holds(digest)).to.equal(false)
  })

  it('has newer ones alone once it is gone, and nothing beside them', async () => {
    await client
      .db()
      .collection('accounts')
      .updateOne({}, { $unset: { reset: true } })
    await issue('a')
    expect(await store.accounts.resetTokenEnds(1 as AccountId)).to.deep.equal([RESET_TOKEN.until])
  })

  it('is copied with it, and shows none of it', async () => {
    const [record] = (await store.records?.page('account', undefined, 1)) ?? []
    expect(record?.resets).to.deep.equal([{ digest: OLD, until: NOON + 1, epoch: 3, mailJobId: '' }])
    expect(record).to.not.have.property('reset')
    expect(await store.records?.put('account', record ? [record] : [])).to.equal('put')
    expect(await holds(OLD)).to.equal(true)
    const shown = await store.accounts.findByEmail(ANN)
    expect(shown).to.deep.equal({ id: 1, email: ANN, epoch: 3, createdAt: 1, roles: [] })
  })
})
