import { setTimeout as pause } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { openMongo } from '../../../src/adapters/mongodb/store.js'
import { until } from '../../cli/workers.js'
import type { Node } from '../../mongodb-faults/mongod.js'
import { command, primaryOf, startReplicaSet, type ReplicaSet } from '../../mongodb-faults/replica-set.js'
import { makeTemporaryFolder } from '../../support/temporary-folder.js'
import type { CrashDatabase } from './database.js'

/** For how long the others stand still before their primary is killed, in milliseconds; less than what makes them vote. */
const BEHIND = 250

/** A database on a replica set of three, made with its indexes. */
export async function startReplicaSetDatabase(): Promise<CrashDatabase> {
  const folder = makeTemporaryFolder()
  const set = await startReplicaSet(folder.path)
  const open = () => openMongo(set.url, { timeout: 30_000 })
  await (await open()).close()
  const indexes = await indexesIn(set.url)
  return {
    url: set.url,
    kills: {
      'database primary': () => killPrimary(set),
      'database primary, others behind': () => killAhead(set),
    },
    open,
    damages: async () => {
      const now = await indexesIn(set.url)
      return now === indexes ? [] : [`other indexes: ${now}, at first ${indexes}`]
    },
    close: async () => {
      await set.stop()
      folder.remove()
    },
  }
}

async function killPrimary(set: ReplicaSet): Promise<void> {
  const primary = await set.primary()
  await primary.kill()
  await comeBack(set, primary)
}

/** What the others do not have when the primary dies is rolled back: no majority has confirmed it. */
async function killAhead(set: ReplicaSet): Promise<void> {
  const primary = await set.primary()
  const others = set.nodes.filter((node) => node !== primary)
  await Promise.all(others.map(async (node) => await node.freeze()))
  await pause(BEHIND)
  await primary.kill()
  for (const node of others) node.thaw()
  await comeBack(set, primary)
}

/** The others have a primary, and then the one that was killed follows it. */
async function comeBack(set: ReplicaSet, killed: Node): Promise<void> {
  await primaryOf(set.nodes.filter((node) => node !== killed))
  await killed.restart()
  await until(async () => (await Promise.all(set.nodes.map(isMember))).every(Boolean))
}

async function isMember(node: Node): Promise<boolean> {
  const hello = await command(node, { hello: 1 }).catch(() => undefined)
  return hello?.['isWritablePrimary'] === true || hello?.['secondary'] === true
}

/** Of the collections that have some; one without is made when the first document is put into it. */
async function indexesIn(url: string): Promise<string> {
  const client = new MongoClient(url)
  try {
    const db = client.db()
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name).sort()
    const indexes = await Promise.all(names.map((name) => db.collection(name).indexes()))
    const all = names.map((name, place) => ({
      name,
      of: indexes[place]?.map((one) => one.name).sort() ?? [],
    }))
    return JSON.stringify(all.filter((one) => one.of.length > 1))
  } finally {
    await client.close()
  }
}
