import { join } from 'node:path'
import { expect } from 'chai'
import { openMongo } from '../../src/adapters/mongodb/store.js'
import {
  createBrowser,
  identityWith,
  keep,
  refreshWith,
  sessionIdOf,
  type Held,
} from '../support/http/browser.js'
import { startCuttingProxy, type Cut, type CuttingProxy } from './cutting-proxy.js'
import { createLeftovers } from './leftovers.js'
import { startNode, type Node } from './mongod.js'
import { serveOn, type RealService } from './real-service.js'
import { command, primaryOf } from './replica-set.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import { describeWith } from '../support/required-tools.js'
import { rotating } from '../support/rotation.js'

/** The bytes of a rotation contain this: the command and its collection in BSON. */
const ROTATION = 'update\0\t\0\0\0sessions\0'

/** The driver retries no write on a standalone server, but does so on a member of a replica set. */
const SERVERS = [
  { name: 'a server on its own', replSet: undefined, options: '' },
  { name: 'a replica set', replSet: 'kennel', options: '?directConnection=true' },
] as const

for (const { name, replSet, options } of rotating(SERVERS, 1)) {
  describeWith('mongod', `a refresh whose connection to ${name} is cut`, () => {
    const leftovers = createLeftovers()
    let node: Node
    let proxy: CuttingProxy
    let service: RealService

    before(async () => {
      const folder = makeTemporaryFolder()
      leftovers.add(folder.remove)
      node = await startNode({ folder: join(folder.path, 'db'), ...(replSet && { replSet }) })
      leftovers.add(node.kill)
      if (replSet) await initiate(node)
      proxy = await startCuttingProxy(node.host)
      leftovers.add(proxy.close)
      service = await serveOn(`mongodb://${proxy.host}/kennel${options}`, 1)
      leftovers.add(service.remove)
    })
    after(() => leftovers.clear())

    for (const when of ['before', 'after'] as const) {
      it(`${when} the server has executed it: the client gets the only successor, also on further retries`, async () => {
        const held = await loggedIn()
        const first = await cutRefresh(held, when)
        const tries = await Promise.all([refreshWith(service, held), refreshWith(service, held)])
        const replies = [first, ...tries]
        expect(replies.map(({ status }) => status)).to.deep.equal([200, 200, 200])
        const successors = replies.map((reply) => keep(held, reply))
        for (const successor of successors) expect(successor).to.deep.equal(successors[0])
        expect((await identityWith(service, successors[0] ?? {})).status).to.equal(200)
        expect(await generationOf(held)).to.equal(2)
      })
    }

    async function loggedIn(): Promise<Held> {
      const browser = createBrowser(service, service.emails[0] ?? '')
      expect((await browser.login()).status).to.equal(200)
      return browser.held()
    }

    async function cutRefresh(held: Held, when: Cut) {
      const [reply] = await Promise.all([refreshWith(service, held), proxy.cutNext(ROTATION, when)])
      return reply
    }

    async function generationOf(held: Held): Promise<number | undefined> {
      const store = await openMongo(`${node.url}kennel${options}`)
      try {
        const active = await store.sessions.findById(sessionIdOf(held.accessToken), Date.now())
        return active?.session.current.number
      } finally {
        await store.close()
      }
    }
  })
}

async function initiate(node: Node): Promise<void> {
  await command(node, { replSetInitiate: { _id: 'kennel', members: [{ _id: 0, host: node.host }] } })
  await primaryOf([node])
}
