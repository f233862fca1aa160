import { openStage } from '../../model/stage.js'
import { rulesOf } from '../../model/rules.js'
import { openStoreOf } from '../../support/stores.js'
import type { Bench, BenchOptions, Checker, Round } from '../checker.js'
import { PLANTS } from './planted.js'

/** Histories of one round, on one service. */
const HISTORIES = 40

/** The mode, the format of tokens, the window and the limit follow the seed: every mode comes at every third one. */
async function round({ store, planted }: BenchOptions, seed: number): Promise<Round> {
  const opened = await openStoreOf(store)
  try {
    const plant = planted === undefined ? undefined : PLANTS[planted]
    const stage = await openStage(
      rulesOf(seed, plant?.mode),
      plant ? plant.plant(opened.store) : opened.store,
    )
    try {
      const { histories, operations, violation } = await stage.play({ seed, runs: HISTORIES })
      return { histories, operations, faults: 0, violations: violation === undefined ? [] : [violation] }
    } finally {
      await stage.close()
    }
  } finally {
    await opened.remove()
  }
}

async function open(options: BenchOptions): Promise<Bench> {
  return { round: (seed) => round(options, seed), close: async () => undefined }
}

/** Random histories over HTTP, each reply of which is compared with what a model of the specification allows. */
export const modelChecker: Checker = {
  name: 'model',
  title:
    'Random histories of clients, thieves and operators: each reply is what a model of the specification allows',
  stores: ['memory', 'sqlite', 'mongodb'],
  open,
  planted: Object.fromEntries(Object.entries(PLANTS).map(([name, { wrong }]) => [name, wrong])),
}
