import { setTimeout as pause } from 'node:timers/promises'
import type { Hashing } from '../bare/scrypt.js'
import type { PacedLoad } from '../load/paced-load.js'
import { under } from '../load/reading.js'
import { identityRequest, loginRequest, PASSWORD } from '../load/requests.js'
import type { Traffic } from '../load/traffic.js'
import { atLeast, atMost, latencyRow, perSecondOf, TRAFFIC_COLUMNS, type Report } from '../report.js'
import { ratio, type Run } from '../run.js'
import { clientsOf, COST, fillStore } from '../store/stores.js'
import { runJob, type Place } from '../workplace/processes.js'
import { startService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

const ACCOUNTS = 64
const IN_FLIGHT = 32
const READS_PER_SECOND = 200
/** How long to wait until the logins are running, in milliseconds. */
const HEAD_START = 1000
/** Hashes are computed on several threads, so the service and its peer each get all cores. */
const PLACE: Place = 'anywhere'

/** Compares logins with plain scrypt, and measures how logins slow down concurrent reads of identities. */
export async function measureLogin(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const store = await fillStore(place, { accounts: ACCOUNTS, sessions: ACCOUNTS })
    const clients = await clientsOf(store, ACCOUNTS)
    const service = await startService(place, PLACE)
    const logins = { connections: IN_FLIGHT, requests: clients.map(({ email }) => loginRequest(email)) }
    const amount = run.quick ? IN_FLIGHT : 2 * IN_FLIGHT
    const hashing: Hashing = { password: PASSWORD, hash: store.population.passwordHash, amount }
    const [login, bare] = await run.alternate(
      [
        { name: 'login', round: () => under(service, { ...logins, amount }) },
        { name: 'bare scrypt-kdf', round: () => runJob<Traffic>('bare/scrypt', PLACE, hashing) },
      ],
      { usual: 4, quick: 1 },
    )
    const { address } = service
    const seconds = 5 * run.seconds
    const request = clients.map(identityRequest)[0] ?? { path: '/' }
    const reads: PacedLoad = { address, request, perSecond: READS_PER_SECOND, seconds }
    const read = () => runJob<Traffic>('load/paced-load', 'load', reads)
    const readMeanwhile = async () => {
      const load = under(service, { ...logins, seconds: seconds + (2 * HEAD_START) / 1000 })
      await pause(HEAD_START)
      const traffic = await read()
      await load
      return traffic
    }
    const [idle, busy] = await run.alternate(
      [
        { name: 'get-identity, idle', round: read },
        { name: `get-identity, ${IN_FLIGHT} logins in flight`, round: readMeanwhile },
      ],
      { usual: 3, quick: 1 },
    )
    await service.stop()
    return {
      setting: `scrypt ${COST.logN}/${COST.r}/${COST.p}, ${IN_FLIGHT} clients; get-identity is requested ${READS_PER_SECOND} times a second.`,
      columns: [{ name: 'requests/s', digits: 2 }, ...TRAFFIC_COLUMNS.slice(1, 2)],
      rows: [login, bare, idle, busy].map(latencyRow),
      claims: [
        atLeast('logins relative to bare scrypt-kdf', 0.95, ratio<Traffic>(login, bare, perSecondOf)),
        atMost(
          'p99 of get-identity during logins, relative to the idle p99',
          1.5,
          ratio(busy, idle, ({ p99 }) => p99),
        ),
      ],
    }
  })
}
