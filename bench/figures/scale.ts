import { PET_PAGES } from '../../src/http/endpoints/list-pets.js'
import type { PetId } from '../../src/domain/catalogue/pet.js'
import type { PageLimit } from '../../src/domain/page-limit.js'
import { reading, refreshing, SESSIONS_PER_ROUND } from '../load/reading.js'
import { getsOf, identityRequest, type Headers } from '../load/requests.js'
import type { ServerTraffic } from '../load/traffic.js'
import { atLeast, cpuOf, perSecondOf, thousands, type Claim, type Report, type Row } from '../report.js'
import { medianOf, ratio, type Contestant, type Results, type Run } from '../run.js'
import { partOf, type Size } from '../store/population.js'
import { clientsOf, fillStore, FIRST_PAGE, seedApiKey, type SizedStore } from '../store/stores.js'
import { withMongodb } from '../workplace/mongodb.js'
import { settledMebibytes, type ServerProcess } from '../workplace/processes.js'
import { startService } from '../workplace/service.js'
import { inWorkplace, type Workplace } from '../workplace/workplace.js'

const SQLITE: Size = { pets: 10_000_000, accounts: 1_000_000, sessions: 1_000_000, auditRecords: 1_000_000 }
const MONGODB = partOf(SQLITE, 0.1)
const QUICK = partOf(SQLITE, 0.01)
/** The sizes of the measured stores, as fractions of the full size. */
const PARTS = [0.01, 0.1, 1]
/** The fractions for `--quick` are larger, because the smallest store needs enough sessions to refresh. */
const QUICK_PARTS = [0.25, 0.5, 1]

/** A service's caches have room for the rows and tokens of `CACHED` clients, but not of `BEYOND_CACHES` clients. */
const CACHED = 4_000
const BEYOND_CACHES = 20_000
const PAGE_PETS = 20
const REFRESHING = 16
const ROUNDS = { usual: 3, quick: 1 }

/** Measures the costs that may grow with the size of a SQLite file. */
export async function measureSqliteScale(run: Run): Promise<Report> {
  return await measureScale(SQLITE, run, (place) => place)
}

/** Measures the costs that may grow with the size of a MongoDB database; one server has a database for each size. */
export async function measureMongodbScale(run: Run): Promise<Report> {
  return await withMongodb(async (inDatabase) => {
    let databases = 0
    return await measureScale(MONGODB, run, (place) =>
      inDatabase(place, `kennel-scale-${process.pid}-${(databases += 1)}`),
    )
  })
}

/** A store, a service that uses it, and an API key header for this service. */
type Served = SizedStore & { readonly service: ServerProcess; readonly key: Headers }
/** A part of the report; each row has one value for each size of the store, in ascending order of size. */
type Part = {
  readonly rows: readonly Row[]
  readonly claims?: readonly Claim[]
  readonly notes?: readonly string[]
}

async function measureScale(full: Size, run: Run, storeOf: (place: Workplace) => Workplace): Promise<Report> {
  const sizes = (run.quick ? QUICK_PARTS : PARTS).map((part) => partOf(run.quick ? QUICK : full, part))
  return await inWorkplaces(sizes.length, async (places) => {
    const served: Served[] = []
    for (const [index, size] of sizes.entries()) {
      run.step(`filling a store with ${thousands(size.sessions)} sessions`)
      const store = await fillStore(storeOf(places[index] as Workplace), size)
      const key = await seedApiKey(store.place)
      served.push({ ...store, key, service: await startService(store.place) })
    }
    const parts = [
      await measureReads(served, run),
      await measurePages(served, run),
      await measureRefreshes(served, run),
    ]
    await Promise.all(served.map(({ service }) => service.stop()))
    return {
      setting: 'The store has as many accounts and audit records as sessions, and ten times as many pets.',
      columns: sizes.map(({ sessions }) => ({ name: `${thousands(sessions)} sessions` })),
      rows: parts.flatMap(({ rows }) => rows),
      claims: parts.flatMap(({ claims = [] }) => claims),
      notes: parts.flatMap(({ notes = [] }) => notes),
    }
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

/** Measures reads by the same number of clients for each store size. The clients' sessions come from all parts of the store. */
async function measureReads(served: readonly Served[], run: Run): Promise<Part> {
  const [smallest, largest] = endsOf(served).map(({ population }) => population.size.sessions)
  const readingOf = async (one: Served, count: number, group = 0): Promise<Contestant<ServerTraffic>> => {
    const requests = (await clientsOf(one, count, group)).map(identityRequest)
    return reading({ name: 'get-identity', server: one.service, requests }, run)
  }
  const contestants: Contestant<ServerTraffic>[] = []
  for (const one of served) contestants.push(await readingOf(one, Math.min(CACHED, 0.9 * Number(smallest))))
  const sizes = await run.alternate(contestants)
  const memory: number[] = []
  for (const { service } of served) memory.push(await settledMebibytes(service))
  // Measured last, because these reads evict all other entries from the caches.
  const beyond = Math.min(BEYOND_CACHES, Number(largest))
  const [many] = await run.alternate([await readingOf(endsOf(served)[1], beyond, 1)], ROUNDS)
  const [first, last] = endsOf(sizes)
  const [most, fewest] = [largest, smallest].map((sessions) => thousands(Number(sessions)))
  return {
    rows: [
      sizedRow('get-identity, requests/s', sizes, perSecondOf),
      sizedRow('get-identity, CPU µs', sizes, cpuOf),
      { name: 'resident memory afterwards, MiB', values: memory },
    ],
    claims: [
      atLeast(
        `reads with ${most} sessions relative to reads with ${fewest}`,
        0.9,
        ratio(last, first, perSecondOf),
      ),
    ],
    notes: [
      `more sessions than the caches hold (${thousands(beyond)} sessions in turn): ${medianOf(many, perSecondOf).toFixed(0)} requests/s, ${medianOf(many, cpuOf).toFixed(0)} µs`,
    ],
  }
}

async function measurePages(served: readonly Served[], run: Run): Promise<Part> {
  const paging = ({ service, key }: Served, path: string) =>
    reading({ name: 'page', server: service, requests: getsOf([path], key) }, run)
  const pageAfter = (pet: number) =>
    PET_PAGES.headers('', PAGE_PETS as PageLimit, pet as PetId)['x-next'] ?? FIRST_PAGE
  const firsts = served.map((one) => paging(one, FIRST_PAGE))
  const lasts = served.map((one) => paging(one, pageAfter(one.population.size.pets - PAGE_PETS)))
  const results = await run.alternate([...firsts, ...lasts], ROUNDS)
  const [first, last] = [results.slice(0, served.length), results.slice(served.length)]
  const depth = ratio(endsOf(last)[1], endsOf(first)[1], perSecondOf)
  return {
    rows: [
      sizedRow('first page of pets, requests/s', first, perSecondOf),
      sizedRow('last page of pets, requests/s', last, perSecondOf),
    ],
    claims: [atLeast('last page of the largest list of pets, relative to its first page', 0.95, depth)],
  }
}

/**
 * Measures refreshes by many concurrent clients, whose sessions come from all parts of the store. Each session is
 * refreshed in only one round.
 */
async function measureRefreshes(served: readonly Served[], run: Run): Promise<Part> {
  const count = (run.rounds(ROUNDS) + 1) * SESSIONS_PER_ROUND
  const contestants: Contestant<ServerTraffic>[] = []
  for (const one of served) {
    const clients = await clientsOf(one, Math.min(count, one.population.size.sessions), 2)
    contestants.push(refreshing('refresh', one.service, { clients, connections: REFRESHING }, run))
  }
  const results = await run.alternate(contestants, ROUNDS)
  return { rows: [sizedRow(`refresh, ${REFRESHING} clients, CPU µs`, results, cpuOf)] }
}

/** Returns a row with the median of the rounds for each size. */
function sizedRow<R>(name: string, sizes: readonly Results<R>[], of: (round: R) => number): Row {
  return { name, values: sizes.map((one) => medianOf(one, of)) }
}

function endsOf<T>(items: readonly T[]): readonly [T, T] {
  const [first, last] = [items[0], items.at(-1)]
  if (first === undefined || last === undefined) throw new Error('at least one is needed')
  return [first, last]
}
