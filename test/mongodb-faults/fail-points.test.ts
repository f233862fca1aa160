import { join } from 'node:path'
import { expect } from 'chai'
import { MongoClient, type Db, type Document } from 'mongodb'
import { openMongo } from '../../src/adapters/mongodb/store.js'
import { aNewAccount, aPet } from '../../src/contracts/samples.js'
import { isRefusal } from '../../src/domain/refusal.js'
import type { Store } from '../../src/ports/store.js'
import { createLeftovers } from './leftovers.js'
import { startNode } from './mongod.js'
import { command, primaryOf } from './replica-set.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { describeWith } from '../support/required-tools.js'

describeWith('mongod', 'a MongoDB server with fail points', () => {
  const leftovers = createLeftovers()
  let url: string
  let client: MongoClient
  let admin: Db

  before(async () => {
    const folder = makeTemporaryFolder()
    leftovers.add(folder.remove)
    const node = await startNode({
      folder: join(folder.path, 'node'),
      replSet: 'failing',
      obeysFailPoints: true,
    })
    leftovers.add(node.kill)
    await command(node, { replSetInitiate: { _id: 'failing', members: [{ _id: 0, host: node.host }] } })
    await primaryOf([node])
    url = `${node.url}kennel?replicaSet=failing`
    client = new MongoClient(url)
    leftovers.add(() => client.close())
    admin = client.db('admin')
  })
  after(() => leftovers.clear())

  /** Fails commands of the store only: its connections have the application name `kennel`. */
  async function fail(commands: readonly string[], how: Document, mode: unknown): Promise<void> {
    const data = { failCommands: commands, appName: 'kennel', ...how }
    await admin.command({ configureFailPoint: 'failCommand', mode, data })
  }

  async function mend(): Promise<void> {
    await admin.command({ configureFailPoint: 'failCommand', mode: 'off' })
  }

  describe('while its pings succeed', () => {
    let store: Store

    beforeEach(async () => {
      store = await openMongo(url, { timeout: 2_500 })
    })
    afterEach(async () => {
      await mend()
      await store.close()
    })

    // A full disk, a primary that has stepped down, a user who may not write, an answer that comes too late.
    for (const how of [
      { errorCode: 14_031 },
      { errorCode: 10_107 },
      { errorCode: 13 },
      { blockConnection: true, blockTimeMS: 5_000 },
    ])
      it(`is not ready after a write that failed, until a write succeeds: ${JSON.stringify(how)}`, async () => {
        await store.ready()
        await fail(['insert', 'update', 'findAndModify'], how, 'alwaysOn')
        const outcomes = []
        for (const call of [() => store.pets.insert(aPet('Rex')), () => store.ready()])
          outcomes.push(await call().catch((error: unknown) => (isRefusal(error) ? error.code : error)))
        await mend()
        await store.pets.insert(aPet('Rex'))
        await store.ready()
        expect(outcomes).to.deep.equal(['unavailable', 'unavailable'])
      })

    it('stays ready after a write that a rule refuses', async () => {
      const kinds = []
      for (const name of ['twice', 'twice']) kinds.push((await store.accounts.insert(aNewAccount(name))).kind)
      await store.ready()
      expect(kinds).to.deep.equal(['inserted', 'duplicate-email'])
    })
  })
})
