import { createLeftovers } from '../mongodb-faults/leftovers.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import type { Bench, BenchOptions, Campaign, Round } from '../withstand/campaign.js'
import { buildNext, buildRelease, TODAY, UPGRADE_BUGS } from './builds.js'
import { RELEASES, type Need, STORE_NAMES, STORES, type StoreName } from './releases.js'
import { playUpgrade, type Mode, type Pair } from './upgrade.js'

/** Upgrades from the latest releases to this checkout, and from this checkout to a later release with a planted change. */
export const UPGRADES: readonly Campaign[] = [...STORE_NAMES.map(fromToday), ...RELEASES.flatMap(fromRelease)]

type Way = {
  readonly store: StoreName
  readonly need: Need
  readonly allowsChanges: boolean
  readonly build: (folder: string, planted: string | undefined) => Promise<Pick<Pair, 'from' | 'to'>>
}

function fromToday(store: StoreName): Campaign {
  const build = (folder: string, planted?: string) =>
    Promise.resolve({ from: TODAY, to: buildNext(folder, planted) })
  return campaign('next', { store, need: 'rolling', allowsChanges: true, build }, UPGRADE_BUGS)
}

function fromRelease(release: (typeof RELEASES)[number]): readonly Campaign[] {
  const build = async (folder: string) => ({ from: await buildRelease(release, folder), to: TODAY })
  return STORE_NAMES.flatMap((store) => {
    const need = release.needs[store]
    if (need === undefined) return []
    return [campaign(release.version, { store, need, allowsChanges: release.allowsChanges, build })]
  })
}

function campaign(version: string, way: Way, bugs: readonly string[] = []): Campaign {
  const { missing } = STORES[way.store]
  return {
    name: `${version}-${way.store}`,
    needs: way.need,
    bugs,
    ...(missing && { missing }),
    open: (options) => openBench(way, options),
  }
}

async function openBench(way: Way, { planted, note }: BenchOptions): Promise<Bench> {
  const leftovers = createLeftovers()
  const { path, remove } = makeTemporaryFolder()
  leftovers.add(remove)
  try {
    note('the other version is built')
    const pair = { ...way, ...(await way.build(path, planted)) }
    return { round: (seed) => playModes(pair, seed, note), close: () => leftovers.clear() }
  } catch (error) {
    await leftovers.clear()
    throw error
  }
}

/** Runs the upgrade with sessions and without sessions, each time on an empty store. */
async function playModes(pair: Pair, seed: number, note: BenchOptions['note']): Promise<Round> {
  const play = (mode: Mode) =>
    playUpgrade(pair, {
      ...{ seed, mode },
      note: (text) => {
        note(`${mode}: ${text}`)
      },
    })
  const one = await play('stateful')
  if (one.violations.length > 0) return one
  const other = await play('stateless')
  const named = ({ faults }: Round, mode: string) =>
    Object.entries(faults).map(([name, count]) => [`${name}, ${mode}`, count])
  return {
    requests: one.requests + other.requests,
    faults: Object.fromEntries([...named(one, 'stateful'), ...named(other, 'stateless')]) as Round['faults'],
    violations: other.violations,
  }
}
