import { setTimeout as pause } from 'node:timers/promises'
import { median, ratio, type Results } from '../alternate.js'
import type { Hashing } from '../bare/scrypt.js'
import type { Load } from '../load/load.js'
import type { PacedLoad } from '../load/paced-load.js'
import { runJob, type Place } from '../workplace/processes.js'
import { atLeast, atMost, TRAFFIC_COLUMNS, type Report, type Row } from '../report.js'
import type { Run } from '../run.js'
import { COST, hashOfPassword, loginRequest, PASSWORD } from '../workplace/logins.js'
import { emailOf, identityHeaders, seedAccounts, seedSessions } from '../workplace/seed.js'
import { startService } from '../workplace/service.js'
import type { Traffic } from '../load/traffic.js'
import { inWorkplace } from '../workplace/workplace.js'

const ACCOUNTS = 64
const IN_FLIGHT = 32
const READS_PER_SECOND = 200
/** Time until the logins are running. */
const HEAD_START = 1000
/** Several threads compute hashes, so the service and its peer each get every core. */
const PLACE: Place = 'anywhere'

/** Logins against plain scrypt, and their effect on concurrent reads of identities. */
export async function measureLogin(run: Run): Promise<Report> {
  const hash = await hashOfPassword()
  return await inWorkplace(async (place) => {
    const [client] = await place.withStore(async (store) => {
      const accounts = await seedAccounts(store, ACCOUNTS, hash)
      return await seedSessions(place, store, accounts, 1)
    })
    if (!client) throw new Error('a session is needed')
    const service = await startService(place, PLACE)
    const amount = run.quick ? IN_FLIGHT : 2 * IN_FLIGHT
    const logins: Load = { address: service.address, connections: IN_FLIGHT, requests: loginRequests() }
    const hashing: Hashing = { password: PASSWORD, hash, amount }
    const [login, bare] = await run.alternate<Traffic>(
      [
        { name: 'login', round: () => runJob('load/load', 'load', { ...logins, amount }) },
        { name: 'bare scrypt-kdf', round: () => runJob('bare/scrypt', PLACE, hashing) },
      ],
      { usual: 4, quick: 1 },
    )
    const url = `${service.address}/api/auth/get-identity`
    const seconds = 5 * run.seconds
    const reads: PacedLoad = { url, headers: identityHeaders(client), perSecond: READS_PER_SECOND, seconds }
    const read = () => runJob<Traffic>('load/paced-load', 'load', reads)
    const readMeanwhile = async () => {
      const load = runJob('load/load', 'load', { ...logins, seconds: seconds + (2 * HEAD_START) / 1000 })
      await pause(HEAD_START)
      const traffic = await read()
      await load
      return traffic
    }
    const [idle, busy] = await run.alternate<Traffic>(
      [
        { name: 'get-identity, idle', round: read },
        { name: `get-identity, ${IN_FLIGHT} logins in flight`, round: readMeanwhile },
      ],
      { usual: 3, quick: 1 },
    )
    await service.stop()
    if (!login || !bare || !idle || !busy) throw new Error('four were measured')
    return {
      setting: `scrypt ${COST.logN}/${COST.r}/${COST.p}, ${IN_FLIGHT} clients; get-identity is requested ${READS_PER_SECOND} times a second.`,
      columns: [{ name: 'requests/s', digits: 2 }, ...TRAFFIC_COLUMNS.slice(1, 3)],
      rows: [login, bare, idle, busy].map(row),
      claims: [
        atLeast(
          'logins per bare scrypt-kdf',
          0.95,
          ratio(login, bare, (round) => round.perSecond),
          { short: 'login of bare scrypt' },
        ),
        atMost(
          'p99 of get-identity with logins in flight, per idle p99',
          1.5,
          ratio(busy, idle, (round) => round.p99),
          { short: 'p99 of get-identity under logins, per idle' },
        ),
      ],
    }
  })
}

function loginRequests() {
  return Array.from({ length: ACCOUNTS }, (_, index) => loginRequest(emailOf(index)))
}

function row({ name, rounds }: Results<Traffic>): Row {
  const of = (read: (round: Traffic) => number) => median(rounds.map(read))
  return {
    name,
    values: [of((round) => round.perSecond), of((round) => round.p50), of((round) => round.p99)],
  }
}
