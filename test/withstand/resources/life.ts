import { setTimeout as pause } from 'node:timers/promises'
import type { Node } from '../../mongodb-faults/mongod.js'
import type { CheckedStore } from '../checker.js'
import { guests, writeAccounts } from '../real-service/accounts.js'
import type { Random } from '../random.js'
import { startLoad } from '../real-service/load.js'
import { descriptorsOf, startService, type RealService } from '../real-service/service.js'
import { openSite, type Site } from '../real-service/site.js'
import { expectNoLeak, expectNoSecret, type Holding } from './afterwards.js'
import type { Scene, Trouble } from './scene.js'
import type { SmallDisk } from './small-disk.js'

/** What a service lives with. */
export type Life = {
  readonly store: CheckedStore
  readonly draws: Random
  readonly folder: string
  readonly database: string
  readonly env: Readonly<Record<string, string>>
  readonly violations: string[]
  readonly disk: SmallDisk | undefined
  readonly mongod: Node | undefined
}

const CLIENTS = 5
const OPERATIONS = [20, 60] as const
/** Looks at the file at most every 100 ms; what is sent this long after it was found to be gone has to be refused. */
const NOTICED = 200
const TRIES = 500
const PAUSE = 20
/** A pool of connections grows under load and stays so. */
const DESCRIPTOR_SLACK = { memory: 1, sqlite: 1, mongodb: 24 }
const HEAP_SLACK = 24 * 1024 * 1024

/** A service from its start to its end, and once more after it was killed; gives how many requests it had. */
export async function liveThrough(life: Life, episodes: readonly Trouble[]): Promise<number> {
  const { store, draws, folder, env, violations } = life
  const emails = guests(CLIENTS)
  const args = ['--import', await writeAccounts(folder, emails)]
  const service = await startService({ folder, env, args })
  let again: RealService | undefined
  try {
    const site = await openSite(service.origin, violations)
    const load = startLoad(site, { draws, emails, strict: store !== 'mongodb' })
    const scene: Scene = { ...life, service, site, load }
    const before = await warmUp(scene)
    for (const trouble of episodes) await befall(scene, trouble)
    await load.stop()
    await load.check(site)
    await expectNoLeak(service, site, before)
    await expectNoSecret(service, site)
    if (store === 'memory' || draws.next() < 0.5) {
      expectEnd(await service.stop(), violations)
    } else {
      service.signal('SIGKILL')
      await service.ended
      again = await startService({ folder, env, args })
      await load.check(await openSite(again.origin, violations, site.secrets))
      expectEnd(await again.stop(), violations)
    }
    return site.operations
  } finally {
    service.signal('SIGKILL')
    again?.signal('SIGKILL')
    await Promise.all([service.ended, again?.ended])
  }
}

function expectEnd(outcome: number | string | null, violations: string[]): void {
  if (outcome !== 0) violations.push(`it ended with ${String(outcome)}`)
}

/** What it holds when it has done everything once, and no connection is left. */
async function warmUp({ store, service, site, load }: Scene): Promise<Holding> {
  await load.more(40)
  if (!(await load.works())) site.violations.push('it did not work from the start')
  let holding: Holding = { descriptors: 0, memory: 0 }
  await load.pausing(async () => {
    site.client.close()
    await pause(NOTICED)
    const descriptors = descriptorsOf(service.pid) + DESCRIPTOR_SLACK[store]
    holding = { descriptors, memory: (await service.heap()) + HEAP_SLACK }
  })
  return holding
}

/** One trouble, from its beginning until the service works again. */
async function befall(scene: Scene, trouble: Trouble): Promise<void> {
  const { site, load, draws } = scene
  site.healthy = trouble.isHealthy ?? false
  const heal = await trouble.begin(scene)
  try {
    if (trouble.isGone) await expectGone(site)
    const { failed } = site
    await load.more(draws.between(...(trouble.operations ?? OPERATIONS)))
    if (trouble.mustBeMet && site.failed === failed)
      site.violations.push(`nothing was refused: ${trouble.name}`)
  } finally {
    site.mustRefuse = false
    await heal()
  }
  if (!(await load.works())) site.violations.push(`it did not work again after: ${trouble.name}`)
  if (!(await becomesReady(site, 200))) site.violations.push(`it was not ready again after: ${trouble.name}`)
  site.healthy = true
  await load.more(10)
}

async function expectGone(site: Site): Promise<void> {
  if (!(await becomesReady(site, 503))) site.violations.push('it is ready without a store')
  await pause(NOTICED)
  site.mustRefuse = true
}

async function becomesReady({ origin }: Site, status: number): Promise<boolean> {
  for (let count = 0; count < TRIES; count += 1) {
    const reply = await fetch(`${origin}/health/ready`).catch(() => undefined)
    await reply?.text()
    if (reply?.status === status) return true
    await pause(PAUSE)
  }
  return false
}
