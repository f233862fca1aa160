import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { MongoClient, type Document } from 'mongodb'
import { startNode, type Node } from './mongod.js'

/** A replica set of three members. The last member never becomes the primary, unless `allElectable` is set. */
export type ReplicaSet = {
  /** The address lists all members; a database name and further options cannot be appended. */
  readonly url: string
  readonly nodes: readonly Node[]
  /** The member that never accepts writes. */
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
  /** Whether the last member may also become the primary. */
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

/** Runs a command on a member's `admin` database, whatever the member's state. */
export async function command(node: Node, what: Document): Promise<Document> {
  const client = new MongoClient(node.url, { directConnection: true, serverSelectionTimeoutMS: 1000 })
  try {
    return await client.db('admin').command(what)
  } finally {
    await client.close()
  }
}

/** Waits until a member accepts writes, and returns it. */
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
