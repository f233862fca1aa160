import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startReplicaSet, type ReplicaSet } from '../../mongodb-faults/replica-set.js'
import { makeTemporaryFolder } from '../../support/temporary-folder.js'
import type { Bench, BenchOptions, CheckedStore, Round } from '../checker.js'
import { guests, writeAccounts } from '../real-service/accounts.js'
import { roundOf, type Random } from '../random.js'
import { storeEnvironment } from '../real-service/environment.js'
import { startService } from '../real-service/service.js'
import { openSite } from '../real-service/site.js'
import { expectWhole } from '../resources/afterwards.js'
import { liveThrough } from '../resources/life.js'
import type { Trouble } from '../resources/scene.js'
import { stopDuringRefresh } from './pair.js'
import { primaryStopped, serviceStopped, workerStopped } from './stopped.js'

type Place = {
  readonly store: CheckedStore
  readonly draws: Random
  readonly folder: string
  readonly database: string
  readonly env: Readonly<Record<string, string>>
  readonly violations: string[]
}

type Scenario = { readonly name: string; run(place: Place): Promise<Omit<Round, 'violations'>> }

/** Services of their own in each round, and where it is of use a replica set of three for all of them. */
export async function openBench({ store, planted, note }: BenchOptions): Promise<Bench> {
  const { path: root, remove } = makeTemporaryFolder()
  const set = store === 'mongodb' ? await startReplicaSet(join(root, 'mongodb')) : undefined
  const scenarios = scenariosOf(set)
  let count = 0
  return {
    round: async (seed) => {
      const draws = roundOf(seed)
      const scenario = draws.pick(scenarios)
      note(scenario.name)
      const folder = join(root, `round-${String((count += 1))}`)
      mkdirSync(folder)
      const database = join(folder, 'app.db')
      const url = set ? set.url.replace('/kennel?', `/round${String(count)}?`) : `sqlite:${database}`
      const env = storeEnvironment({ planted, url })
      const violations: string[] = []
      const counts = await scenario.run({ store, draws, folder, database, env, violations })
      if (store === 'sqlite') await expectWhole(database, violations)
      rmSync(folder, { recursive: true, force: true })
      return { ...counts, violations: [...new Set(violations)].map((one) => `${scenario.name}: ${one}`) }
    },
    close: async () => {
      await set?.stop()
      remove()
    },
  }
}

function scenariosOf(set: ReplicaSet | undefined): readonly Scenario[] {
  const pair = { name: 'one of two instances', run: runPair }
  const lives = [underLoad(serviceStopped, '1'), underLoad(workerStopped, '2')]
  return [pair, pair, ...lives, ...(set ? [underLoad(primaryStopped(set), '1')] : [])]
}

/** A service under load, which something befalls a few times. */
function underLoad(trouble: Trouble, workers: string): Scenario {
  return {
    name: trouble.name,
    run: async (place) => {
      const episodes = Array.from({ length: place.draws.between(1, 3) }, () => trouble)
      const env = { ...place.env, WORKERS: workers }
      const operations = await liveThrough({ ...place, env, disk: undefined, mongod: undefined }, episodes)
      return { histories: 1, operations, faults: episodes.length }
    },
  }
}

async function runPair({ draws, folder, env, violations }: Place): Promise<Omit<Round, 'violations'>> {
  const emails = guests(1)
  const args = ['--import', await writeAccounts(folder, emails)]
  const services = [await startService({ folder, env, args })]
  try {
    services.push(await startService({ folder, env }))
    const sites = await Promise.all(services.map(({ origin }) => openSite(origin, violations)))
    const [service, otherService] = services
    const [site, other] = sites
    if (!service || !otherService || !site || !other) throw new Error('there are not two instances')
    // An instance may stand still in the middle of a write, and then the other waits for the file in vain.
    for (const one of sites) one.healthy = false
    const setClock = (ahead: number) => {
      for (const one of sites) one.ahead = ahead
      service.setClock(ahead)
    }
    const pair = { stopping: { service, site }, other, draws, email: emails[0] ?? '', setClock }
    const histories = draws.between(4, 8)
    for (let count = 0; count < histories; count += 1) await stopDuringRefresh(pair)
    const operations = sites.reduce((sum, one) => sum + one.operations, 0)
    return { histories, operations, faults: histories }
  } finally {
    for (const one of services) one.signal('SIGKILL')
    await Promise.all(services.map(({ ended }) => ended))
  }
}
