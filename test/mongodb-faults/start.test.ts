import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { makeWorkplace, type Workplace, workplaceOfTests } from '../cli/app.js'
import { createLeftovers } from './leftovers.js'
import { startNode, type Node, startReplicaSet } from './mongod.js'
import { startProblems } from './start-problems.js'
import { makeTemporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js'
import { describeWith } from '../support/required-tools.js'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { BSON } from 'mongodb'

/** The password in every URL below: it must not appear in any output or log. */
const CANARY = 'c4nary-p4ssw0rd'
const LOGIN = `kennel:${CANARY}@`

/** No server listens at port 1; `invalid` is a domain that never exists (RFC 2606). */
const NOT_THERE = {
  'mongodb://@127.0.0.1:1/kennel': /^No MongoDB server that accepts writes can be reached: .*ECONNREFUSED/,
  'mongodb://@no-such-host.invalid/kennel':
    /^No MongoDB server that accepts writes can be reached: .*(ENOTFOUND|EAI_AGAIN) no-such-host\.invalid/,
  'mongodb+srv://@no-such-host.invalid/kennel':
    /^The servers in DATABASE_URL cannot be looked up: querySrv [A-Z]+ _mongodb\._tcp\.no-such-host\.invalid$/,
}

const REFUSED_LOGIN = 'MongoDB rejected the user name or the password in DATABASE_URL.'

describeWith('mongod', 'a MongoDB that the service cannot use', () => {
  const leftovers = createLeftovers()
  let folder: TemporaryFolder
  let place: Workplace
  let guarded: Node

  before(async () => {
    folder = makeTemporaryFolder()
    leftovers.add(folder.remove)
    place = await makeWorkplace()
    leftovers.add(() => place.remove())
    const user = { name: 'root', password: 'another one' }
    guarded = await startNode({ folder: join(folder.path, 'guarded'), user })
    leftovers.add(guarded.kill)
  })
  after(() => leftovers.clear())

  const withLogin = (url: string) => url.replace('@', LOGIN)
  const expectSentence = (url: string, sentence: string | RegExp) =>
    startProblems(place, CANARY).expectSentence(withLogin(url), sentence)

  it('is reported if the driver cannot parse the URL', async () => {
    await expectSentence(
      `mongodb://@localhost:27017:27018/kennel`,
      'DATABASE_URL is not a connection string that the MongoDB driver understands.',
    )
    await expectSentence(
      `mongodb://@localhost/kennel?noSuchOption=${CANARY}`,
      'DATABASE_URL is not a connection string that the MongoDB driver understands.',
    )
  })

  it('is reported if it rejects the password or requires a password', async () => {
    await expectSentence(`mongodb://@${guarded.host}/kennel?authSource=admin`, REFUSED_LOGIN)
    await expectSentence(
      `mongodb://${guarded.host}/kennel`,
      'The MongoDB user lacks a permission: give the user the readWrite role on the database in DATABASE_URL.',
    )
  })

  it('is reported without the password, even with --debug, which prints stack traces', async () => {
    const url = withLogin(`mongodb://@${guarded.host}/kennel?authSource=admin`)
    const { code, stderr } = await startProblems(place, CANARY).start(['serve', '--debug'], url)
    expect(code).to.equal(1)
    expect(stderr).to.match(/\n\s+at /)
    expect(stderr).to.not.contain(CANARY)
  })

  it('is reported if its version is too old', async () => {
    const old = await startOldServer()
    try {
      await expectSentence(
        `mongodb://@${old.host}/kennel`,
        /^The MongoDB server is too old: .*wire version 7/,
      )
    } finally {
      await old.close()
    }
  })

  it('can start after the service, which waits for it', async () => {
    const late = await startNode({ folder: join(folder.path, 'late') })
    leftovers.add(late.kill)
    await late.kill()
    const starting = place.serve({ DATABASE_URL: `${late.url}kennel` })
    // Waits longer than one connection attempt of the service.
    await pause(6000)
    await late.restart()
    const { origin, child, ended, log } = await starting
    const { status } = await fetch(`${origin}/health/ready`)
    child.kill('SIGTERM')
    expect([status, await ended]).to.deep.equal([200, 0])
    expect(log()).to.contain('"event":"waiting for the store"')
  })

  it('is reported if it is down: a command then fails, and the service waits', async () => {
    const { expectWait } = startProblems(place, CANARY)
    await Promise.all(
      Object.entries(NOT_THERE).map(([url, sentence]) => expectWait(withLogin(url), sentence)),
    )
  })
})

describeWith('mongod', 'a MongoDB replica set of which only a read-only member can be reached', () => {
  const leftovers = createLeftovers()
  const place = workplaceOfTests()
  afterEach(() => leftovers.clear())

  it('makes a service and a command exit with code 1 and the same error', async () => {
    const folder = makeTemporaryFolder()
    leftovers.add(folder.remove)
    const set = await startReplicaSet(folder.path)
    leftovers.add(set.stop)
    const env = { DATABASE_URL: `${set.readOnly.url}kennel?directConnection=true` }
    const [service, command] = await Promise.all([
      place.child(['serve'], { env }),
      place.child(['user', 'list'], { env }),
    ])
    const reason = 'The MongoDB server does not accept writes: it is not the primary.'
    expect(service.stdout).to.contain('"event":"waiting for the store"').and.to.contain(reason)
    for (const { code, stderr } of [service, command])
      expect([code, stderr.trim()]).to.deep.equal([1, reason])
  })
})

const OP_REPLY = 1
const OP_MSG = 2013
const HEADER = 16
/** MongoDB 4.0, which is two releases older than the oldest server that the driver supports. */
const HELLO = {
  ismaster: true,
  helloOk: true,
  maxBsonObjectSize: 16_777_216,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  minWireVersion: 0,
  maxWireVersion: 7,
  readOnly: false,
  ok: 1,
}

export type OldServer = { readonly host: string; close(): Promise<void> }

/**
 * Starts a server that answers every command with MongoDB 4.0's greeting, because drivers send such a server nothing
 * else.
 */
async function startOldServer(): Promise<OldServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
    let pending = Buffer.alloc(0)
    socket.on('data', (bytes) => {
      pending = Buffer.concat([pending, bytes])
      while (pending.length >= 4 && pending.length >= pending.readInt32LE(0)) {
        const length = pending.readInt32LE(0)
        socket.write(replyTo(pending.subarray(0, length)))
        pending = pending.subarray(length)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    host: `127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    close: async () => {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
    },
  }
}

/** The greeting arrives as an OP_QUERY and all later commands arrive as OP_MSG; each needs a reply in its own format. */
function replyTo(request: Buffer): Buffer {
  const document = Buffer.from(BSON.serialize(HELLO))
  const modern = request.readInt32LE(12) === OP_MSG
  // The format of OP_MSG: flags and a section of kind 0. The format of OP_REPLY: flags, cursor ID, starting position, and one document.
  const lead = modern ? Buffer.alloc(5) : Buffer.alloc(20)
  if (!modern) lead.writeInt32LE(1, 16)
  const header = Buffer.alloc(HEADER)
  header.writeInt32LE(HEADER + lead.length + document.length, 0)
  header.writeInt32LE(request.readInt32LE(4), 8)
  header.writeInt32LE(modern ? OP_MSG : OP_REPLY, 12)
  return Buffer.concat([header, lead, document])
}
