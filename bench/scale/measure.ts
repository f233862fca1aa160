import { stat } from 'node:fs/promises'
import { thousands, type Chart, type Report } from '../report.js'
import type { Run } from '../run.js'
import { seedApiKey } from '../workplace/seed.js'
import { startService } from '../workplace/service.js'
import { inWorkplace, type Workplace } from '../workplace/workplace.js'
import { measureLists, measureStarts } from './commands.js'
import { endsOf, joined, type Part } from './part.js'
import { partOf, type Size } from './population.js'
import { measurePurge } from './purging.js'
import { measureLogins, measurePages, measureReads, measureRefreshes, type Served } from './serving.js'
import { fillStore, type SizedStore } from './stores.js'

/** Shares of the full size. */
const PARTS = [0.01, 0.1, 1]
/** Closer to each other, because the smallest store still needs enough sessions to refresh. */
const QUICK_PARTS = [0.25, 0.5, 1]
const QUICK_FULL = { pets: 100_000, accounts: 10_000, sessions: 10_000, auditRecords: 10_000 }

/** The costs that grow with the size of a store: the same figures on stores of three sizes. */
export async function measureScale(
  name: string,
  full: Size,
  run: Run,
  storeOf: (place: Workplace) => Workplace = (place) => place,
): Promise<Report> {
  const sizes = run.quick
    ? QUICK_PARTS.map((part) => partOf(QUICK_FULL, part))
    : PARTS.map((part) => partOf(full, part))
  return await inWorkplaces(sizes.length, async (places) => {
    const stores: SizedStore[] = []
    for (const [index, place] of places.entries())
      stores.push(await filled(storeOf(place), sizes[index] as Size, run))
    const { rows, claims, notes, speeds } = joined(await measured(stores, run))
    const [, { pets, accounts, auditRecords }] = endsOf(sizes)
    return {
      setting:
        `Stores with so many sessions, as many accounts (${thousands(accounts)}) and records of the audit log ` +
        `(${thousands(auditRecords)}) and ten times as many pets (${thousands(pets)}).`,
      columns: sizes.map(({ sessions }) => ({ name: `${thousands(sessions)} sessions` })),
      rows,
      claims,
      notes,
      charts: [growthOf(name, sizes, speeds)],
    }
  })
}

async function measured(stores: readonly SizedStore[], run: Run): Promise<readonly Part[]> {
  const sizes = await fileSizes(stores)
  const starts = await measureStarts(stores, run)
  const lists = await measureLists(stores, run)
  const serving = await serveAll(stores, async (served) => [
    await measureReads(served, run),
    await measurePages(served, run),
    await measureLogins(served, run),
    await measureRefreshes(served, run),
  ])
  return [...serving, starts, lists, sizes, await measurePurge(endsOf(stores)[1], run)]
}

/** Does the work while a service runs on each of the stores. */
async function serveAll<T>(
  stores: readonly SizedStore[],
  work: (served: readonly Served[]) => Promise<T>,
): Promise<T> {
  const served: Served[] = []
  try {
    for (const store of stores) {
      const key = await store.place.withStore(seedApiKey)
      served.push({ ...store, key, service: await startService(store.place) })
    }
    return await work(served)
  } finally {
    await Promise.all(served.map(({ service }) => service.stop()))
  }
}

async function fileSizes(stores: readonly SizedStore[]): Promise<Part> {
  const paths = stores.map(({ place }) => place.database)
  if (!paths.every((path) => path.startsWith('/'))) return { rows: [], claims: [] }
  const values = await Promise.all(paths.map(async (path) => (await stat(path)).size / 2 ** 20))
  return { rows: [{ name: 'file, MiB', values }], claims: [] }
}

function growthOf(name: string, sizes: readonly Size[], speeds: Required<Part>['speeds']): Chart {
  return {
    kind: 'lines',
    name: `${name}-growth`,
    title: 'Speed by size',
    about: 'Requests a second of growing stores, relative to the smallest store.',
    x: { name: 'sessions', scale: 'log' },
    y: { name: 'of the smallest' },
    lines: [
      { name: 'the same', points: sizes.map(({ sessions }) => [sessions, 1]), dashed: true },
      ...speeds.map(({ name: line, values }) => ({
        name: line,
        points: sizes.map(
          ({ sessions }, index) => [sessions, (values[index] ?? 0) / (values[0] ?? 1)] as const,
        ),
      })),
    ],
  }
}

/** Fills a store and reports the progress. */
async function filled(place: Workplace, size: Size, run: Run): Promise<SizedStore> {
  let said = 0
  return await fillStore(place, size, (done, all) => {
    if (done - said < all / 10) return
    said = done
    run.step(`filled ${thousands(done)} of ${thousands(all)} records`)
  })
}

async function inWorkplaces<T>(
  count: number,
  work: (places: readonly Workplace[]) => Promise<T>,
  made: readonly Workplace[] = [],
): Promise<T> {
  if (made.length === count) return await work(made)
  return await inWorkplace((place) => inWorkplaces(count, work, [...made, place]))
}
