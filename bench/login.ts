import { setTimeout as pause } from 'node:timers/promises'
import { systemKdf } from '../src/adapters/scrypt/kdf.js'
import { writeScryptHash } from '../src/adapters/scrypt/scrypt-hash.js'
import { alternate, median, ratio, type Results } from './alternate.js'
import type { Hashing } from './bare-scrypt.js'
import type { Load } from './load.js'
import type { PacedLoad } from './paced-load.js'
import { runJob, type Place } from './processes.js'
import { atLeast, atMost, type Options, type Report } from './report.js'
import { emailOf, identityHeaders, seedAccounts, seedSessions } from './seed.js'
import { startService } from './service.js'
import type { Traffic } from './traffic.js'
import { inWorkplace } from './workplace.js'

const PASSWORD = 'a password of the bench'
/** The service's default. */
const COST = { logN: 17, r: 8, p: 1 }
const ACCOUNTS = 64
const IN_FLIGHT = 32
const READS_PER_SECOND = 200
/** Until the logins are under way. */
const HEAD_START = 1000
/** Hashing is the work of several threads, so it gets every core, and its peer too. */
const PLACE: Place = 'anywhere'

/** Logins against scrypt alone, and what they do to the reads of identities meanwhile. */
export async function measureLogin({ quick }: Options): Promise<Report> {
  const hash = writeScryptHash(await systemKdf.derive(PASSWORD, COST))
  return await inWorkplace(async (place) => {
    const [client] = await place.withStore(async (store) => {
      const accounts = await seedAccounts(store, ACCOUNTS, hash)
      return await seedSessions(place, store, accounts, 1)
    })
    if (!client) throw new Error('a session is needed')
    const service = await startService(place, PLACE)
    const amount = quick ? IN_FLIGHT : 2 * IN_FLIGHT
    const logins: Load = { address: service.address, connections: IN_FLIGHT, requests: loginRequests() }
    const hashing: Hashing = { password: PASSWORD, hash, amount }
    const [login, bare] = await alternate<Traffic>(
      [
        { name: 'login', round: () => runJob('load', 'load', { ...logins, amount }) },
        { name: 'bare scrypt-kdf', round: () => runJob('bare-scrypt', PLACE, hashing) },
      ],
      quick ? 1 : 4,
    )
    const url = `${service.address}/api/auth/get-identity`
    const seconds = quick ? 4 : 10
    const reads: PacedLoad = { url, headers: identityHeaders(client), perSecond: READS_PER_SECOND, seconds }
    const read = () => runJob<Traffic>('paced-load', 'load', reads)
    const readMeanwhile = async () => {
      const load = runJob('load', 'load', { ...logins, seconds: seconds + (2 * HEAD_START) / 1000 })
      await pause(HEAD_START)
      const traffic = await read()
      await load
      return traffic
    }
    const [idle, busy] = await alternate<Traffic>(
      [
        { name: 'get-identity, idle', round: read },
        { name: `get-identity, ${IN_FLIGHT} logins in flight`, round: readMeanwhile },
      ],
      quick ? 1 : 3,
    )
    await service.stop()
    if (!login || !bare || !idle || !busy) throw new Error('four were measured')
    return {
      title: `POST /api/auth/login, scrypt ${COST.logN}/${COST.r}/${COST.p}, ${IN_FLIGHT} clients`,
      columns: ['', 'requests/s', 'p50 ms', 'p99 ms'],
      rows: [login, bare, idle, busy].map(row),
      claims: [
        atLeast(
          'logins per bare scrypt-kdf',
          0.95,
          ratio(login, bare, (round) => round.perSecond),
        ),
        atMost(
          'p99 of get-identity with logins in flight, per idle p99',
          3,
          ratio(busy, idle, (round) => round.p99),
        ),
      ],
    }
  })
}

function loginRequests() {
  return Array.from({ length: ACCOUNTS }, (_, index) => ({
    method: 'POST' as const,
    path: '/api/auth/login',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: emailOf(index), password: PASSWORD }),
  }))
}

function row({ name, rounds }: Results<Traffic>): string[] {
  const of = (read: (round: Traffic) => number, digits: number) => median(rounds.map(read)).toFixed(digits)
  return [name, of((round) => round.perSecond, 2), of((round) => round.p50, 2), of((round) => round.p99, 2)]
}
