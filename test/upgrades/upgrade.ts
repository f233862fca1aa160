import type { Round } from '../withstand/campaign.js'
import { createJournal } from '../withstand/journal.js'
import { startLoad } from '../withstand/load.js'
import { environment, makeCast } from '../withstand/site.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'
import type { Build } from './builds.js'
import { startFleet, type Fleet } from './fleet.js'
import { type Need, openWith, STORES, type StoreName } from './releases.js'

export type Pair = {
  readonly from: Build
  readonly to: Build
  readonly store: StoreName
  readonly need: Need
  readonly allowsChanges: boolean
}

const MODES = {
  stateful: {},
  stateless: { IDENTITY_STATELESS: '1', STATELESS_REVOCATION: 'store' },
} as const

export type Mode = keyof typeof MODES

export type UpgradeOptions = {
  readonly seed: number
  readonly mode: Mode
  readonly note: (text: string) => void
}

/** The number of steps that the clients make with each set of instances. */
const STEPS = 60
const BARE = { PATH: process.env['PATH'] ?? '', PORT: '0', WORKERS: '1', PASSWORD_SCRYPT: '10/8/1' }

/** Upgrades two instances under load, downgrades them if both releases allow it, and then checks the stored data. */
export async function playUpgrade(pair: Pair, { seed, mode, note }: UpgradeOptions): Promise<Round> {
  const { path: folder, remove } = makeTemporaryFolder()
  const { url, drop } = await STORES[pair.store].fresh()
  try {
    const env = {
      ...BARE,
      ...(await environment({ folder })),
      ...MODES[mode],
      DATABASE_URL: url,
      HOME: folder,
    }
    return await playOn(pair, { seed, note, url, folder, env, round: `${mode}-${String(seed)}` })
  } finally {
    await drop()
    remove()
  }
}

type Place = Omit<UpgradeOptions, 'mode'> & {
  readonly url: string
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  readonly round: string
}

async function playOn(pair: Pair, { seed, note, url, folder, env, round }: Place): Promise<Round> {
  const store = await openWith(pair.from, pair.store, url)
  const cast = await makeCast(store, round).finally(() => store.close())
  const journal = createJournal({ mayBreak: false })
  const fleet = await startFleet(pair.from, { folder, env })
  const counts: Record<string, number> = {}
  const violations = () => [...journal.violations, ...fleet.failures]
  const load = startLoad({ journal, cast, seed, service: fleet, round, ...pair })
  try {
    await load.steps(STEPS)
    for (const { name, run } of stepsOf(pair, fleet)) {
      if (violations().length > 0) break
      journal.note(name)
      note(name)
      await run()
      counts[name] = (counts[name] ?? 0) + 1
      await load.steps(STEPS)
    }
    await load.end()
    return { requests: journal.answered, faults: counts, violations: violations() }
  } catch (error) {
    const found = [...violations(), String(error)]
    await fleet.close()
    await load.end()
    return { requests: journal.answered, faults: counts, violations: found }
  } finally {
    await fleet.close()
  }
}

type Step = { readonly name: string; readonly run: () => Promise<unknown> }

function stepsOf({ from, to, need }: Pair, fleet: Fleet): readonly Step[] {
  const replace = (place: number, build: Build): Step => ({
    name: `instance ${String(place + 1)} becomes ${build.version}`,
    run: () => fleet.replace(place, build),
  })
  const roll = (build: Build) => [replace(0, build), replace(1, build)]
  const check = { name: `upgrade check of ${to.version}`, run: () => expectAdvice({ to, need }, fleet) }
  if (need === 'rolling') return [check, ...roll(to), ...roll(from)]
  return [
    check,
    { name: `all instances become ${to.version}`, run: () => fleet.replaceAll(to) },
    { name: `${from.version} refuses to start`, run: () => expectRefusal(from, fleet) },
  ]
}

/** The command must give the advice in the table of releases. */
async function expectAdvice({ to, need }: Pick<Pair, 'to' | 'need'>, fleet: Fleet): Promise<void> {
  const status = await fleet.statusOf(to, 'upgrade', 'check')
  if (status !== (need === 'rolling' ? 0 : 3)) throw new Error(`it ended with ${String(status)}`)
}

/** An earlier release must not change data that it does not understand. */
async function expectRefusal(from: Build, fleet: Fleet): Promise<void> {
  const refusal = await fleet.refusalOf(from)
  if (refusal === undefined)
    throw new Error('it started, although the table of releases says that it cannot go back')
  if (!/schema version \d+/.test(refusal)) throw new Error(`it ended for another reason: ${refusal}`)
}
