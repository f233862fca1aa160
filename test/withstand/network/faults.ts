import { setTimeout as pause } from 'node:timers/promises'
import type { Direction, Link } from '../../mongodb-faults/link.js'
import type { Network } from '../../mongodb-faults/network.js'
import type { Node } from '../../mongodb-faults/mongod.js'
import { command, type ReplicaSet } from '../../mongodb-faults/replica-set.js'
import type { Random } from '../random.js'
import type { Journal } from './journal.js'

/** What the network of one round is made of. */
export type Ground = {
  readonly set: ReplicaSet
  readonly network: Network
  readonly journal: Journal
  readonly draws: Random
}

/** Each comes and goes; nothing is left of it when it is over. */
type Disturbance = (ground: Ground, primary: Node) => Promise<void>

export const CLIENTS = ['service-1', 'service-2'] as const
/** A little more than a call of the store may take, so that some are given up. */
const LONG = 1_300

const DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  delay: async ({ network, set, draws }) => {
    for (const link of [...clientLinks(network, set.nodes), ...memberLinks(network, set.nodes)]) {
      if (draws.below(2) === 0) link.delay(20 + draws.below(200))
    }
    await pause(LONG)
    network.heal()
  },
  cut: async ({ network, draws }, primary) => {
    for (let times = 4; times > 0; times -= 1) {
      for (const link of clientLinks(network, [primary])) link.cut()
      await pause(30 + draws.below(200))
    }
  },
  'half-close': async ({ network, draws }, primary) => {
    const links = clientLinks(network, [primary])
    for (const link of links) link.halfClose(draws.pick(DIRECTIONS))
    await pause(300 + draws.below(LONG))
    for (const link of links) link.cut()
  },
  'one direction dropped': async ({ network, draws }, primary) => {
    const links = draws.below(2) === 0 ? clientLinks(network, [primary]) : network.between(primary)
    const direction = draws.pick(DIRECTIONS)
    for (const link of links) link.hold(direction)
    await pause(LONG)
    if (draws.below(2) === 0) for (const link of links) link.cut()
    network.heal()
  },
  flapping: async ({ network, set, draws }) => {
    const links = [...clientLinks(network, set.nodes), ...memberLinks(network, set.nodes)]
    for (let times = 6; times > 0; times -= 1) {
      for (const link of links) if (draws.below(2) === 0) link.refuse()
      await pause(20 + draws.below(150))
      network.heal()
      await pause(20 + draws.below(150))
    }
  },
}

const DIRECTIONS: readonly [Direction, ...Direction[]] = ['there', 'back']
const NAMES = ['delay', 'cut', 'half-close', 'one direction dropped', 'flapping'] as const

/** Some disturbances with a partition among them; gives how many faults it was. */
export async function disturb(ground: Ground, count: number): Promise<number> {
  const { draws, journal, set } = ground
  for (let done = 0; done < count; done += 1) {
    const name = draws.pick(NAMES)
    journal.note(name)
    await DISTURBANCES[name]?.(ground, await set.primary())
  }
  return count
}

/**
 * The primary has no way to the other members, and clients have a way to it. First it is alone with them; then another
 * one is elected, while it takes itself for one for some time still.
 */
export async function partition({ set, network, journal, draws }: Ground): Promise<void> {
  const primary = await set.primary()
  const links = network.between(primary)
  const silent = draws.below(2) === 0
  journal.note(`the primary ${primary.host} is ${silent ? 'cut off' : 'refused'} by the others`)
  for (const link of links) {
    if (silent) link.hold('there', 'back')
    else link.refuse()
  }
  await pause(draws.below(LONG))
  const elected = await electOther(set, primary)
  journal.note(`${elected} is elected`)
  await pause(200 + draws.below(LONG))
  journal.note('the partition is over')
  if (silent) for (const link of links) link.cut()
  network.heal()
}

/** Whichever has all that was confirmed: the other one does not vote for less. */
async function electOther(set: ReplicaSet, primary: Node): Promise<string> {
  const others = set.nodes.filter((node) => node !== primary)
  const deadline = performance.now() + 30_000
  while (performance.now() < deadline) {
    for (const node of others) {
      await command(node, { replSetStepUp: 1 }).catch(() => undefined)
      const { isWritablePrimary } = await command(node, { hello: 1 })
      if (isWritablePrimary === true) return node.host
    }
    await pause(50)
  }
  throw new Error('the other members have elected no primary')
}

function clientLinks(network: Network, nodes: readonly Node[]): readonly Link[] {
  return CLIENTS.flatMap((client) => nodes.map((node) => network.link(client, node)))
}

function memberLinks(network: Network, nodes: readonly Node[]): readonly Link[] {
  return [...new Set(nodes.flatMap((node) => network.between(node)))]
}
