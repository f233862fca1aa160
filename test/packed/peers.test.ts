import { cpSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect } from 'chai'
import { CONTESTANTS, type Credentials, type Requests } from '../../bench/load/contestants.js'
import { checkIdentities, send } from '../../bench/load/replies.js'
import {
  installPeers,
  PEERS,
  seedPeer,
  startPeer,
  withCachedSession,
  type PeerClient,
} from '../../bench/workplace/peers.js'
import type { ServerProcess } from '../../bench/workplace/processes.js'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js'

const PASSWORD = 'a long walk in the park'
const EMAILS = ['ada@example.com', 'bob@example.com']
/** The reply to a replayed refresh token, and to its successor. */
const REFUSED = { 'express-stack': 401, 'oidc-provider': 400 }

describe('a peer of the benchmarks, installed as its lock file says,', () => {
  let home: TemporaryFolder
  let folder: string
  before(() => {
    home = makeTemporaryFolder()
    folder = join(home.path, 'peers')
    cpSync(PEERS, folder, { recursive: true, filter: (path) => basename(path) !== 'node_modules' })
    installPeers(folder)
  })
  after(() => {
    home.remove()
  })

  for (const id of ['better-auth', 'express-stack', 'oidc-provider'] as const) {
    describe(id, () => {
      const requests: Requests = CONTESTANTS[id]
      let clients: readonly PeerClient[]
      let server: ServerProcess
      before(async () => {
        const work = join(home.path, id)
        mkdirSync(work)
        const job = { folder: work, publicUrl: 'https://kennel.example', secret: 'k'.repeat(86) }
        clients = await seedPeer(id, job, { emails: EMAILS, password: PASSWORD }, folder)
        server = await startPeer(id, job, { updateAge: 0, cached: true }, { folder, place: 'anywhere' })
      })
      after(async () => {
        await server.stop()
      })

      it('identifies each client, and rejects other credentials', async () => {
        await checkIdentities(server.address, requests.identity, clients)
        if (requests.stateless)
          await checkIdentities(server.address, requests.stateless, clients.map(withCachedSession))
      })

      it('refreshes a session, and a replayed refresh token ends it', async () => {
        const [client] = clients
        const reply = await send(server.address, requests.refresh(client!))
        expect(reply.status).to.equal(200)
        const next = { ...client!, ...requests.refreshed({ ...reply, cookie: reply.cookie }) }
        await checkIdentities(server.address, requests.identity, [next])
        // Better Auth extends its session together with its cookie; it has no token that could be replayed.
        if (id === 'better-auth') expect(reply.cookie).to.equal(client!.cookie)
        else expect(await statusesOf(client!, next)).to.deep.equal([REFUSED[id], REFUSED[id]])
      })
      const statusesOf = async (...used: readonly Credentials[]) => {
        const replies = []
        for (const one of used) replies.push(await send(server.address, requests.refresh(one)))
        return replies.map(({ status }) => status)
      }

      if (requests.login)
        it('logs in with the right password only', async () => {
          const [right, wrong] = [PASSWORD, 'another password'].map((word) =>
            requests.login!(EMAILS[1]!, word),
          )
          const reply = await send(server.address, right!)
          expect(reply.status).to.equal(200)
          expect(reply.body).to.include(EMAILS[1])
          expect((await send(server.address, wrong!)).status).to.equal(401)
        })
    })
  }
})
