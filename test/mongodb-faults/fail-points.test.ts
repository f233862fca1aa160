import { join } from 'node:path'
import { expect } from 'chai'
import { MongoClient, type Db, type Document } from 'mongodb'
import { openMongo } from '../../src/adapters/mongodb/store.js'
import { aNewAccount, aPet, aRotation, NOW, sessionIdOf } from '../../src/contracts/samples.js'
import { isRefusal } from '../../src/domain/refusal.js'
import type { Store } from '../../src/ports/store.js'
import { SERVER_CODES } from './injection.js'
import { arrange, contentOf, restore, type Content } from './fault-cases.js'
import { createLeftovers } from './leftovers.js'
import { startNode, command, primaryOf } from './mongod.js'
import { serveOn, type RealService } from './real-service.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { describeWith } from '../support/required-tools.js'
import { rotating } from '../support/rotation.js'

/** Failures of the store's next command; the driver's second attempt succeeds. */
const FAILURES: readonly Document[] = [
  { closeConnection: true },
  { errorCode: 91 },
  { errorCode: 217 },
  { errorCode: 449 },
  { writeConcernError: { code: 64, errmsg: 'injected' } },
  { writeConcernError: { code: 91, errmsg: 'injected' } },
]

/** Code 330 is left out, because a server that fails with it terminates. */
const INJECTABLE = SERVER_CODES.filter((code) => code !== 330)

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

  /** Makes these commands fail on the store's connections, whose application name is `kennel`. */
  async function fail(commands: readonly string[], how: Document, mode: unknown): Promise<void> {
    const data = { failCommands: commands, appName: 'kennel', ...how }
    await admin.command({ configureFailPoint: 'failCommand', mode, data })
  }

  async function mend(): Promise<void> {
    await admin.command({ configureFailPoint: 'failCommand', mode: 'off' })
  }

  describe('a store on a server that fails once', () => {
    let store: Store
    let start: Content

    before(async () => {
      store = await openMongo(url)
      await arrange(store)
      start = await contentOf(client.db())
    })
    after(() => store.close())
    afterEach(mend)

    for (const failure of FAILURES)
      it(`recognizes its own rotation, even without a grace window, after ${JSON.stringify(failure)}`, async () => {
        await restore(client.db(), start)
        const before = (await store.sessions.findById(sessionIdOf('login'), NOW))?.session
        if (!before) throw new Error('the session is there')
        const request = aRotation(before, { grace: 0 })
        await fail(['update'], failure, { times: 1 })
        expect(await store.sessions.rotate(request)).to.have.property('kind', 'rotated')
        const after = (await store.sessions.findById(before.id, request.at))?.session
        expect(after?.current).to.deep.equal(request.next)
      })
  })

  describe('a store whose writes fail while its pings succeed', () => {
    let store: Store

    beforeEach(async () => {
      store = await openMongo(url, { timeout: 2_500 })
    })
    afterEach(async () => {
      await mend()
      await store.close()
    })

    // These failures are, in order: the disk is full, the primary has stepped down, the user may not write, and the reply is late.
    for (const how of [
      { errorCode: 14_031 },
      { errorCode: 10_107 },
      { errorCode: 13 },
      { blockConnection: true, blockTimeMS: 5_000 },
    ])
      it(`is not ready after a failed write, until the next write succeeds: ${JSON.stringify(how)}`, async () => {
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

    it('stays ready after a write that violates a constraint', async () => {
      const kinds = []
      for (const name of ['twice', 'twice']) kinds.push((await store.accounts.insert(aNewAccount(name))).kind)
      await store.ready()
      expect(kinds).to.deep.equal(['inserted', 'duplicate-email'])
    })
  })

  it('never makes the service respond with 500, regardless of the error code, and each 201 response creates one pet', async () => {
    const service = await serveOn(url, 1)
    leftovers.add(service.remove)
    const replies: [string, number, number][] = []
    const locations: string[] = []
    for (const name of rotating(['find', 'findAndModify', 'insert'], 1)) {
      for (const code of INJECTABLE) {
        await fail([name], { errorCode: code }, { times: 1 })
        const { status, location } = await post(service)
        replies.push([name, code, status])
        if (location !== null) locations.push(location)
        await mend()
      }
    }
    expect(replies.filter(([, , status]) => status !== 201 && status !== 503)).to.deep.equal([])
    expect(new Set(locations).size).to.equal(locations.length)
    const pets = client.db().collection('pets')
    expect(await pets.countDocuments({ name: NAME })).to.equal(locations.length)
    expect(service.serving.log()).to.not.contain('request failed')
  })
})

const NAME = 'Injected'

async function post({ serving, apiKey }: RealService): Promise<{ status: number; location: string | null }> {
  const { status, headers } = await fetch(`${serving.origin}/v1/pets`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey },
    body: JSON.stringify({ name: NAME }),
  })
  return { status, location: headers.get('location') }
}
