import { setTimeout as pause } from 'node:timers/promises'
import { type Node, command, type ReplicaSet } from '../mongodb-faults/mongod.js'
import type { Direction, Disturbance, Network, Path } from '../mongodb-faults/network.js'
import type { Failure, FailureScene } from './failure-campaign.js'

/** Longer than the heartbeats and the timeouts of a test replica set, in milliseconds. */
const LONG = 3_000
/** Longer than the retries of the service's store, in milliseconds. */
const OUTAGE = 6_000
const REFUSES_WRITES = {
  configureFailPoint: 'failCommand',
  data: { failCommands: ['insert', 'update', 'delete', 'findAndModify'], closeConnection: true },
}
const DIRECTIONS: readonly Direction[] = ['there', 'back']

const isClient = ({ from }: Path) => from === undefined
const touches = (node: Node) => (path: Path) => path.to === node || path.from === node

/** Faults between the service and MongoDB, and within the replica set. */
export function networkFailures(set: ReplicaSet, network: Network): Readonly<Record<string, Failure>> {
  const during = async (time: number) => {
    await pause(time)
    network.heal()
    await set.primary()
  }
  return {
    'a partition that breaks connections': (scene) =>
      partition(set, network, { scene, disturbance: { refuses: true } }),
    'a partition that holds bytes': (scene) =>
      partition(set, network, { scene, disturbance: { holds: DIRECTIONS } }),
    // Reads continue, so a logout or a removal begins, but its write fails.
    'a primary that breaks the connection at a write': async ({ load }) => {
      const primary = await set.primary()
      load.prefersEnds(true)
      await command(primary, { ...REFUSES_WRITES, mode: 'alwaysOn' })
      await pause(OUTAGE)
      await command(primary, { ...REFUSES_WRITES, mode: 'off' })
      load.prefersEnds(false)
    },
    'broken connections to the primary': async ({ random }) => {
      const primary = await set.primary()
      for (let times = 0; times < 5; times += 1) {
        network.cut((path) => isClient(path) && path.to === primary)
        await pause(random.below(200))
      }
    },
    delay: async ({ random }) => {
      const delays = set.nodes.map(() => random.below(300))
      network.disturb(({ to }) => ({ delay: delays[set.nodes.indexOf(to)] ?? 0 }))
      await during(LONG)
    },
    'one direction between clients and the primary drops': async ({ random }) => {
      const primary = await set.primary()
      const holds = [random.pick(DIRECTIONS)]
      network.disturb((path) => (isClient(path) && path.to === primary ? { holds } : undefined))
      await during(random.below(2 * LONG))
    },
    'one direction between the primary and the other members drops': async ({ random }) => {
      const primary = await set.primary()
      const holds = [random.pick(DIRECTIONS)]
      network.disturb((path) => (!isClient(path) && touches(primary)(path) ? { holds } : undefined))
      await during(random.below(2 * LONG))
    },
  }
}

/**
 * The primary is isolated from the other members, but clients reach all members. Another member is elected, while the
 * earlier primary may still believe that it is the primary.
 */
async function partition(
  set: ReplicaSet,
  network: Network,
  { scene, disturbance }: { readonly scene: FailureScene; readonly disturbance: Disturbance },
): Promise<void> {
  const primary = await set.primary()
  network.disturb((path) => (!isClient(path) && touches(primary)(path) ? disturbance : undefined))
  await pause(scene.random.below(LONG / 2))
  scene.note(`the primary ${primary.host} is isolated`)
  scene.note(`${(await electAnother(set, primary)).host} is elected`)
  await pause(scene.random.below(LONG / 2))
  network.heal()
  await set.primary()
}

/** Only a member that has every confirmed write is elected. */
async function electAnother(set: ReplicaSet, primary: Node): Promise<Node> {
  const others = set.nodes.filter((node) => node !== primary)
  for (;;) {
    for (const node of others) {
      await command(node, { replSetStepUp: 1 }).catch(() => undefined)
      const hello = await command(node, { hello: 1 })
      if (hello['isWritablePrimary'] === true) return node
    }
    await pause(50)
  }
}
