import { mkdir } from 'node:fs/promises'
import { once } from 'node:events'
import { MongoMemoryServer } from 'mongodb-memory-server-core'
import { toolPath } from '../support/required-tools.js'
import { stopProcess } from '../support/stop-process.js'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { MongoClient, type Document } from 'mongodb'

export type Node = {
  readonly host: string
  /** The server's address, to which a database name and options can be appended. */
  readonly url: string
  /** Sends SIGKILL; resolves when the process has ended. Does nothing if there is no process. */
  readonly kill: () => Promise<void>
  /** Sends SIGSTOP: connections stay open but get no reply. Resolves when the process has stopped. */
  freeze(): Promise<void>
  thaw(): void
  /** Starts the server again with the same files and port; resolves when it accepts connections. */
  restart(): Promise<void>
}

export type NodeOptions = {
  readonly folder: string
  readonly replSet?: string
  readonly obeysFailPoints?: boolean
  readonly user?: { readonly name: string; readonly password: string }
}

const SMALL = ['--wiredTigerCacheSizeGB', '0.25', '--setParameter', 'diagnosticDataCollectionEnabled=false']
const LAUNCH_TIMEOUT = 120_000

export async function startNode({ folder, replSet, user, obeysFailPoints }: NodeOptions): Promise<Node> {
  const systemBinary = toolPath('mongod')
  await mkdir(folder, { recursive: true })
  // Any version is accepted, so the version check must not warn.
  process.env['MONGOMS_SYSTEM_BINARY_VERSION_CHECK'] = 'false'
  const parameters = obeysFailPoints === true ? ['--setParameter', 'enableTestCommands=1'] : []
  const start = (port?: number) =>
    MongoMemoryServer.create({
      binary: { systemBinary },
      instance: {
        dbPath: folder,
        storageEngine: 'wiredTiger',
        launchTimeout: LAUNCH_TIMEOUT,
        args: [...SMALL, ...parameters],
        ...(replSet !== undefined && { replSet, args: [...SMALL, ...parameters, '--oplogSize', '64'] }),
        ...(port !== undefined && { port, portGeneration: false }),
      },
      ...(user && { auth: { enable: true, customRootName: user.name, customRootPwd: user.password } }),
    })
  let server = await start()
  const { port } = instanceOf(server)
  const host = `127.0.0.1:${String(port)}`
  return {
    host,
    url: `mongodb://${host}/`,
    kill: () => kill(server),
    freeze: async () => {
      const pid = processOf(server)?.pid
      if (pid !== undefined) await stopProcess(pid)
    },
    thaw: () => void processOf(server)?.kill('SIGCONT'),
    restart: async () => {
      server = await start(port)
    },
  }
}

function instanceOf(server: MongoMemoryServer) {
  const { instanceInfo } = server
  if (!instanceInfo) throw new Error('the server has not been started')
  return instanceInfo
}

function processOf(server: MongoMemoryServer) {
  return instanceOf(server).instance.mongodProcess
}

async function kill(server: MongoMemoryServer): Promise<void> {
  const child = processOf(server)
  if (child?.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'close')
    child.kill('SIGKILL')
    await gone
  }
  await server.stop({ doCleanup: false })
}

/** A replica set of three members. The last member never becomes the primary, unless `allElectable` is set. */
export type ReplicaSet = {
  /** The address lists all members; a database name and further options cannot be appended. */
  readonly url: string
  readonly nodes: readonly Node[]
  readonly readOnly: Node
  /** Waits until the members have elected a primary, and returns it. */
  primary(): Promise<Node>
  /** Stops all members; the owner of the folder removes their files. */
  readonly stop: () => Promise<void>
}

const NAME = 'kennel'
/** How long a primary may be silent before the other members elect a new primary; the server's default is 10 s. */
const ELECTION_TIMEOUT = 2000
const PRIMARY_TIMEOUT = 120_000

export type ReplicaSetOptions = {
  /** Returns the `host:port` that clients and other members use for a member; by default the member's own address. */
  readonly addressOf?: (node: Node) => Promise<string>
  readonly obeysFailPoints?: boolean
  readonly allElectable?: boolean
}

export async function startReplicaSet(folder: string, options: ReplicaSetOptions = {}): Promise<ReplicaSet> {
  const { addressOf = ownAddress, obeysFailPoints = false, allElectable = false } = options
  const names = ['a', 'b', 'read-only']
  const nodes = await Promise.all(
    names.map((name) => startNode({ folder: join(folder, name), replSet: NAME, obeysFailPoints })),
  )
  const addresses = await Promise.all(nodes.map((node) => addressOf(node)))
  const set: ReplicaSet = {
    url: `mongodb://${addresses.join()}/kennel?replicaSet=${NAME}`,
    nodes,
    readOnly: nodes.at(-1) as Node,
    primary: () => primaryOf(nodes),
    stop: async () => {
      await Promise.all(nodes.map((node) => node.kill()))
    },
  }
  await initiate(nodes, addresses, allElectable)
  await set.primary()
  return set
}

async function ownAddress({ host }: Node): Promise<string> {
  return host
}

async function initiate(
  nodes: readonly Node[],
  addresses: readonly string[],
  allElectable: boolean,
): Promise<void> {
  const members = addresses.map((host, index) => ({
    _id: index,
    host,
    priority: index === addresses.length - 1 && !allElectable ? 0 : 1,
  }))
  const settings = {
    electionTimeoutMillis: ELECTION_TIMEOUT,
    heartbeatIntervalMillis: 500,
    heartbeatTimeoutSecs: 2,
  }
  await command(nodes[0] as Node, { replSetInitiate: { _id: NAME, members, settings } })
}

/** Runs a command on a member's `admin` database, in any state of the member. */
export async function command(node: Node, what: Document): Promise<Document> {
  const client = new MongoClient(node.url, { directConnection: true, serverSelectionTimeoutMS: 1000 })
  try {
    return await client.db('admin').command(what)
  } finally {
    await client.close()
  }
}

export async function primaryOf(nodes: readonly Node[]): Promise<Node> {
  const deadline = performance.now() + PRIMARY_TIMEOUT
  while (performance.now() < deadline) {
    const said = await Promise.all(nodes.map((node) => command(node, { hello: 1 }).catch(() => undefined)))
    const index = said.findIndex((hello) => hello?.['isWritablePrimary'] === true)
    if (index >= 0) return nodes[index] as Node
    await pause(100)
  }
  throw new Error('the replica set has no primary')
}
