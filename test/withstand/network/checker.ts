import { hasTool, TOOLS } from '../../support/required-tools.js'
import type { Bench, BenchOptions, Checker, Round } from '../checker.js'
import { roundOf } from '../random.js'
import { disturb, partition, type Ground } from './faults.js'
import { createJournal } from './journal.js'
import { usePets } from './pet-client.js'
import { PLANTED, SOUND, type Planted } from './planted.js'
import { createActor, type Scene } from './scene.js'
import { useSessions } from './session-client.js'
import { startCluster, seedAccounts, startServices, type Cluster } from './stage.js'

const SESSION_CLIENTS = 4
const PET_CLIENTS = 3

export const networkChecker: Checker = {
  name: 'network',
  title: 'What was acknowledged stays, and an end holds, while the network to and within a replica set fails',
  stores: ['mongodb'],
  open: async (options) => openOn(await startCluster(), options),
  planted: Object.fromEntries(Object.entries(PLANTED).map(([name, { title }]) => [name, title])),
  missing: () => (hasTool('mongod') ? undefined : TOOLS.mongod.missing),
}

/** The cluster is closed with the bench. */
export function openOn(cluster: Cluster, { planted, note }: Pick<BenchOptions, 'planted' | 'note'>): Bench {
  const bug = planted === undefined ? SOUND : PLANTED[planted]
  if (!bug) throw new Error(`there is no planted bug ${String(planted)}`)
  let partitions = 0
  return {
    round: async (seed) => {
      const round = await playRound(cluster, bug, seed)
      partitions += 1
      note(`${String(partitions)} partitions`)
      return round
    },
    close: () => cluster.close(),
  }
}

async function playRound(cluster: Cluster, bug: Planted, seed: number): Promise<Round> {
  await cluster.set.primary()
  const run = `${String(seed)}-${String(Math.trunc(performance.now()))}`
  const emails = Array.from({ length: SESSION_CLIENTS }, (_, n) => `guest-${run}-${String(n)}@example.com`)
  const apiKey = await seedAccounts(cluster.set.url, emails)
  cluster.network.lie(bug.liar)
  const { served, close } = await startServices(cluster.set.url, bug)
  try {
    const journal = createJournal()
    let over = false
    const scene: Scene = { journal, services: served, apiKey, isOver: () => over }
    const clients = startClients(scene, { run, emails, seed })
    const faults = await befall({ ...cluster, journal, draws: roundOf(seed) }).finally(() => {
      cluster.network.heal()
      over = true
    })
    await clients
    const histories = SESSION_CLIENTS + PET_CLIENTS
    return { histories, operations: journal.operations(), faults, violations: journal.violations }
  } finally {
    await close()
  }
}

async function befall(ground: Ground): Promise<number> {
  const before = await disturb(ground, 1)
  await partition(ground)
  const after = await disturb(ground, ground.draws.below(2))
  return before + 1 + after
}

type Cast = { readonly run: string; readonly emails: readonly string[]; readonly seed: number }

async function startClients(scene: Scene, { run, emails, seed }: Cast): Promise<void> {
  const sessions = emails.map((email, n) =>
    useSessions(scene, createActor(scene, `session-${run}-${String(n)}`, roundOf(seed + n + 1)), email),
  )
  const pets = Array.from({ length: PET_CLIENTS }, (_, n) =>
    usePets(scene, createActor(scene, `pet-${run}-${String(n)}`, roundOf(seed + 100 + n))),
  )
  await Promise.all([...sessions, ...pets])
}
