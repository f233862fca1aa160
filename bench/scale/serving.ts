import type { Request } from 'autocannon'
import type { PetId } from '../../src/domain/catalogue/pet.js'
import type { PageLimit } from '../../src/domain/page-limit.js'
import { PET_PAGES } from '../../src/http/endpoints/list-pets.js'
import { median, ratio, type Contestant, type ServerTraffic } from '../alternate.js'
import type { Load } from '../load/load.js'
import { getsOf, identitiesOf, reading } from '../load/reading.js'
import { refreshing, SESSIONS_PER_ROUND } from '../load/refreshing.js'
import type { Traffic } from '../load/traffic.js'
import { atLeast, thousands } from '../report.js'
import type { Run } from '../run.js'
import { runJob, settledMebibytes, type ServerProcess } from '../workplace/processes.js'
import { loginRequest } from '../workplace/logins.js'
import { FIRST_PAGE, identityHeaders, type Client } from '../workplace/seed.js'
import { emailOf } from './population.js'
import { endsOf, sizedRow, type Part } from './part.js'
import { clientsOf, type SizedStore } from './stores.js'

/** A store with the service on it, and an API key for it. */
export type Served = SizedStore & { readonly service: ServerProcess; readonly key: string }

/** The number of clients whose rows and tokens a service can cache, and a number beyond its caches. */
const REMEMBERED = 4_000
const FORGOTTEN = 20_000
const PAGE_PETS = 20
const REFRESHING = 16
const LOGINS = 8
const ROUNDS = { usual: 5, quick: 2 }
const FEW_ROUNDS = { usual: 3, quick: 1 }

/**
 * The same number of clients for each size, with sessions all over the store; the largest number is more than any cache
 * holds.
 */
export async function measureReads(served: readonly Served[], run: Run): Promise<Part> {
  const [smallest, largest] = endsOf(served)
  const count = Math.min(REMEMBERED, 0.9 * smallest.population.size.sessions)
  const forgotten = Math.min(FORGOTTEN, largest.population.size.sessions)
  const contestants: Contestant<ServerTraffic>[] = []
  for (const one of served) contestants.push(readingOf(one, await clientsOf(one, count), run))
  const sizes = await run.alternate(contestants, ROUNDS)
  const memory: number[] = []
  for (const { service } of served) memory.push(await settledMebibytes(service))
  // Last, because these reads evict all others from the caches.
  const [many] = await run.alternate(
    [readingOf(largest, await clientsOf(largest, forgotten, 1), run)],
    FEW_ROUNDS,
  )
  const [first, last] = endsOf(sizes)
  if (!many) throw new Error('it was measured')
  const speeds = sizedRow('get-identity, requests/s', sizes, perSecond)
  const [most, fewest] = [largest, smallest].map(({ population }) => thousands(population.size.sessions))
  const what = `reads with ${most} sessions per those with ${fewest}`
  return {
    rows: [
      speeds,
      sizedRow('get-identity, CPU µs', sizes, cpu),
      { name: 'resident memory afterwards, MiB', values: memory },
    ],
    speeds: [speeds],
    claims: [
      atLeast(what, 0.9, ratio(last, first, perSecond), {
        short: what,
      }),
    ],
    notes: [
      `get-identity of ${forgotten} sessions in turn, of which none is remembered when it comes again: ` +
        `${median(many.rounds.map(perSecond)).toFixed(0)} requests a second, ${median(many.rounds.map(cpu)).toFixed(0)} µs each`,
    ],
  }
}

/** The first page, the last, and random pages, which are hardly ever requested twice. */
export async function measurePages(served: readonly Served[], run: Run): Promise<Part> {
  const firsts = served.map((one) => paging(one, [FIRST_PAGE], run))
  const lasts = served.map((one) => paging(one, [pageAfter(one.population.size.pets - PAGE_PETS)], run))
  const anywhere = served.map((one) => paging(one, pagesAnywhere(one.population.size.pets), run))
  const results = await run.alternate([...firsts, ...lasts, ...anywhere], FEW_ROUNDS)
  const [first, last, any] = [0, 1, 2].map((part) =>
    results.slice(part * served.length, (part + 1) * served.length),
  )
  if (!first || !last || !any) throw new Error('three were measured')
  const speeds = sizedRow('last page of pets, requests/s', last, perSecond)
  return {
    rows: [
      sizedRow('first page of pets, requests/s', first, perSecond),
      speeds,
      sizedRow('pages of pets anywhere, requests/s', any, perSecond),
    ],
    speeds: [speeds],
    claims: [
      atLeast(
        'last page per first page of the most pets',
        0.95,
        ratio(endsOf(last)[1], endsOf(first)[1], perSecond),
        {
          short: `last page of ${thousands(endsOf(served)[1].population.size.pets)} pets per first`,
        },
      ),
    ],
  }
}

/** Sequential logins; nearly all of their time is the hash. */
export async function measureLogins(served: readonly Served[], run: Run): Promise<Part> {
  const contestants = served.map((one): Contestant<Traffic> => {
    const requests = Array.from({ length: LOGINS }, (_, number) => loginOf(one, number))
    const load: Load = { address: one.service.address, connections: 1, requests, amount: LOGINS }
    return { name: 'login', round: () => runJob('load/load', 'load', load) }
  })
  const results = await run.alternate(contestants, FEW_ROUNDS)
  return { rows: [sizedRow('login, ms', results, ({ p50 }) => p50)], claims: [] }
}

/** Many concurrent clients, each with separate sessions from all over the store, none refreshed in two rounds. */
export async function measureRefreshes(served: readonly Served[], run: Run): Promise<Part> {
  const count = (run.rounds(FEW_ROUNDS) + 1) * SESSIONS_PER_ROUND
  const contestants: Contestant<ServerTraffic>[] = []
  for (const one of served) {
    const clients = await clientsOf(one, Math.min(count, one.population.size.sessions), 2)
    const width = { clients, connections: REFRESHING, seconds: run.seconds }
    contestants.push(refreshing('refresh', one.service, width))
  }
  const results = await run.alternate(contestants, FEW_ROUNDS)
  const speeds = sizedRow(`refresh, ${REFRESHING} clients, requests/s`, results, perSecond)
  return { rows: [speeds, sizedRow('refresh, CPU µs', results, cpu)], speeds: [speeds], claims: [] }
}

function readingOf({ service }: Served, clients: readonly Client[], run: Run): Contestant<ServerTraffic> {
  return reading('get-identity', service, identitiesOf(clients.map(identityHeaders)), run)
}

function paging({ service, key }: Served, paths: readonly string[], run: Run): Contestant<ServerTraffic> {
  return reading('page', service, getsOf(paths, { 'X-API-Key': key }), run)
}

function pageAfter(pet: number): string {
  return PET_PAGES.headers('', PAGE_PETS as PageLimit, pet as PetId)['x-next'] ?? FIRST_PAGE
}

function pagesAnywhere(pets: number): readonly string[] {
  const count = Math.min(REMEMBERED, Math.floor(pets / PAGE_PETS))
  const stride = Math.floor(pets / count)
  return Array.from({ length: count }, (_, number) => pageAfter(number * stride + 1))
}

function loginOf({ population }: Served, number: number): Request {
  const index = number * Math.floor(population.size.accounts / LOGINS)
  return loginRequest(emailOf(index))
}

function perSecond(round: ServerTraffic): number {
  return round.perSecond
}

function cpu(round: ServerTraffic): number {
  return round.cpuMicroseconds
}
