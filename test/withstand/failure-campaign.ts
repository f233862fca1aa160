import { setTimeout as pause } from 'node:timers/promises'
import type { Store } from '../../src/ports/store.js'
import { createLeftovers } from '../mongodb-faults/leftovers.js'
import type { Bench, BenchOptions, Campaign, Round } from './campaign.js'
import { createJournal } from './journal.js'
import { startLoad, type Load } from './load.js'
import { STORE_BUGS } from './planted-store-main.js'
import { randomOf, type Random } from './random.js'
import { makeCast, startSite, type Site } from './site.js'

/** Injects a fault; resolves when the fault has ended and all processes run again. */
export type Failure = (scene: FailureScene) => Promise<void>

export type FailureScene = {
  readonly site: Site
  readonly random: Random
  readonly load: Load
  readonly note: (text: string) => void
}

/** A database for the service, with the failures that can be injected. */
export type Ground = {
  readonly url: string
  readonly failures: Readonly<Record<string, Failure>>
  open(): Promise<Store>
  /** Returns the errors that the database's own integrity check reports. */
  damages(): Promise<readonly string[]>
  readonly close: () => Promise<void>
}

export type FailureCampaign = Pick<Campaign, 'name' | 'missing'> & {
  readonly workers: number
  /** Whether connections to the service may break. */
  readonly mayBreak: boolean
  readonly faults: number
  openGround(): Promise<Ground>
}

const STEPS = 150
/** The maximum pause before a fault, in milliseconds. */
const LONGEST = 60

type Opened = {
  readonly campaign: FailureCampaign
  readonly ground: Ground
  readonly site: Site
  readonly store: Store
}

/** Injects faults while it sends requests, then checks the stored data. */
export function failureCampaign(campaign: FailureCampaign): Campaign {
  return { ...campaign, bugs: STORE_BUGS, open: (options) => openBench(campaign, options) }
}

async function openBench(campaign: FailureCampaign, options: BenchOptions): Promise<Bench> {
  const { planted, faults = campaign.faults, note } = options
  const leftovers = createLeftovers()
  try {
    const ground = await campaign.openGround()
    leftovers.add(() => ground.close())
    const store = await ground.open()
    leftovers.add(() => store.close())
    const site = await startSite({ url: ground.url, workers: campaign.workers, planted })
    leftovers.add(() => site.close())
    let rounds = 0
    return {
      round: (seed) =>
        playRound(
          { campaign: { ...campaign, faults }, ground, site, store },
          { seed, round: `${String((rounds += 1))}-${String(seed)}`, note },
        ),
      close: () => leftovers.clear(),
    }
  } catch (error) {
    await leftovers.clear()
    throw error
  }
}

type RoundOptions = { readonly seed: number; readonly round: string; readonly note: BenchOptions['note'] }

async function playRound(opened: Opened, { seed, round, note }: RoundOptions): Promise<Round> {
  const { campaign, ground, site, store } = opened
  const journal = createJournal(campaign)
  const random = randomOf(seed)
  const failures = Object.entries(ground.failures)
  const cast = await makeCast(store, round)
  const load = startLoad({ journal, cast, seed, service: site, round })
  const happen = async ([name, failure]: (typeof failures)[number]) => {
    await load.steps(STEPS)
    await pause(random.below(LONGEST))
    const told = (text: string) => {
      journal.note(text)
      note(text)
    }
    told(name)
    await failure({ site, random, load, note: told }).catch((error: unknown) => {
      journal.violations.push(`${name}: ${String(error)}`)
    })
    told(`${name} has ended`)
  }
  const faults: Record<string, number> = {}
  for (let number = 0; number < campaign.faults && journal.violations.length === 0; number += 1) {
    const failure = failures[(seed + number) % failures.length] as (typeof failures)[number]
    await happen(failure)
    faults[failure[0]] = (faults[failure[0]] ?? 0) + 1
  }
  await load.steps(STEPS)
  await load.end()
  const { answered: requests, violations } = journal
  return { requests, faults, violations: [...violations, ...(await ground.damages())] }
}
