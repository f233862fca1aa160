import { openMongo } from '../../src/adapters/mongodb/store.js'
import { setTimeout as pause } from 'node:timers/promises'
import { until } from '../cli/workers.js'
import { createLeftovers } from '../mongodb-faults/leftovers.js'
import { type Node, command, primaryOf, startReplicaSet, type ReplicaSet } from '../mongodb-faults/mongod.js'
import { createNetwork } from '../mongodb-faults/network.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import type { Failure, Ground } from './failure-campaign.js'
import { networkFailures } from './network-failures.js'
import { PROCESS_KILLS } from './process-kills.js'

/** How long the other members are frozen before their primary is killed, in milliseconds; too short for an election. */
const BEHIND = 250

/** Opens a replica set of three members; the faults kill the primary or processes of the service. */
export async function openReplicaSetGround(): Promise<Ground> {
  const leftovers = createLeftovers()
  const folder = makeTemporaryFolder()
  leftovers.add(folder.remove)
  const set = await startReplicaSet(folder.path, { allElectable: true })
  leftovers.add(set.stop)
  return await groundOn(set, { ...primaryKills(set), ...PROCESS_KILLS }, () => leftovers.clear())
}

/** A replica set behind proxies, which disturb the network between all members and clients. */
export async function openNetworkGround(): Promise<Ground> {
  const leftovers = createLeftovers()
  const folder = makeTemporaryFolder()
  leftovers.add(folder.remove)
  const network = createNetwork()
  leftovers.add(network.close)
  const addressOf = (node: Node) => network.add(node)
  const set = await startReplicaSet(folder.path, { addressOf, obeysFailPoints: true, allElectable: true })
  leftovers.add(set.stop)
  return await groundOn(set, networkFailures(set, network), () => leftovers.clear())
}

async function groundOn(
  set: ReplicaSet,
  failures: Ground['failures'],
  close: Ground['close'],
): Promise<Ground> {
  const open = () => openMongo(set.url, { timeout: 30_000, startTimeout: 60_000 })
  await (await open()).close()
  return { url: set.url, failures, open, damages: () => Promise.resolve([]), close }
}

function primaryKills(set: ReplicaSet): Readonly<Record<string, Failure>> {
  return {
    'SIGKILL of the primary of MongoDB': async () => {
      const primary = await set.primary()
      await primary.kill()
      await comeBack(set, primary)
    },
    // The other members do not have the last writes of this primary. No majority has confirmed these writes, so they are rolled back.
    'SIGKILL of a primary that is ahead': async () => {
      const primary = await set.primary()
      const others = set.nodes.filter((node) => node !== primary)
      await Promise.all(others.map((node) => node.freeze()))
      await pause(BEHIND)
      await primary.kill()
      for (const node of others) node.thaw()
      await comeBack(set, primary)
    },
  }
}

async function comeBack(set: ReplicaSet, killed: Node): Promise<void> {
  await primaryOf(set.nodes.filter((node) => node !== killed))
  await killed.restart()
  await until(async () => (await Promise.all(set.nodes.map(isMember))).every(Boolean))
}

async function isMember(node: Node): Promise<boolean> {
  const hello = await command(node, { hello: 1 }).catch(() => undefined)
  return hello?.['isWritablePrimary'] === true || hello?.['secondary'] === true
}
