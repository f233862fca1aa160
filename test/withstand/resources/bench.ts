import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startNode, type Node } from '../../mongodb-faults/mongod.js'
import { makeTemporaryFolder } from '../../support/temporary-folder.js'
import type { Bench, BenchOptions, CheckedStore, Round } from '../checker.js'
import { roundOf } from '../random.js'
import { storeEnvironment } from '../real-service/environment.js'
import { expectWhole } from './afterwards.js'
import { liveThrough } from './life.js'
import { mountSmallDisk, type SmallDisk } from './small-disk.js'
import { troublesOf } from './troubles.js'

type Ground = {
  readonly folder: string
  readonly disk: SmallDisk | undefined
  readonly mongod: Node | undefined
}

/** A service of its own in each round; a small disk and a mongod for all of them. */
export async function openBench({ store, planted, note }: BenchOptions): Promise<Bench> {
  const { path: folder, remove } = makeTemporaryFolder()
  const disk = store === 'sqlite' ? mountSmallDisk(folder) : undefined
  const mongod = store === 'mongodb' ? await startNode({ folder: join(folder, 'mongod') }) : undefined
  const ground = { folder, disk, mongod }
  let count = 0
  return {
    round: (seed) => round(ground, { store, planted, note, seed, count: (count += 1) }),
    close: async () => {
      await mongod?.kill()
      disk?.unmount()
      remove()
    },
  }
}

type RoundOptions = Omit<BenchOptions, 'planted'> & {
  readonly planted: string | undefined
  readonly seed: number
  readonly count: number
}

async function round(ground: Ground, { store, planted, note, seed, count }: RoundOptions): Promise<Round> {
  const { disk, mongod } = ground
  const draws = roundOf(seed)
  const { troubles, left } = troublesOf(store, disk)
  const episodes = Array.from({ length: draws.between(1, 3) }, () => draws.pick(troubles))
  const names = episodes.map(({ name }) => name).join(', then ')
  note([names, ...left.map((name) => `cannot be tried here: ${name}`)].join('; '))
  const folder = join(ground.folder, `round-${String(count)}`)
  const database = join(disk?.path ?? ground.folder, `data-${String(count)}`, 'app.db')
  for (const one of [folder, join(database, '..')]) mkdirSync(one)
  const env = storeEnvironment({ planted, url: urlOf(store, { database, mongod, count }) })
  const violations: string[] = []
  const life = { store, draws, folder, database, env, violations, disk, mongod }
  const operations = await liveThrough(life, episodes)
  if (store === 'sqlite') await expectWhole(database, violations)
  for (const one of [folder, join(database, '..')]) rmSync(one, { recursive: true, force: true })
  const told = [...new Set(violations)].map((violation) => `${names}: ${violation}`)
  return { histories: 1, operations, faults: episodes.length, violations: told }
}

type Where = { readonly database: string; readonly mongod: Node | undefined; readonly count: number }

function urlOf(store: CheckedStore, { database, mongod, count }: Where): string {
  if (store === 'memory') return 'memory:'
  return store === 'sqlite' ? `sqlite:${database}` : `${mongod?.url ?? ''}round${String(count)}`
}
