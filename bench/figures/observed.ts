import { ratio } from '../alternate.js'
import { CONNECTIONS, identitiesOf, reading } from '../load/reading.js'
import { atLeast, thousands, trafficRow, TRAFFIC_COLUMNS, type Report } from '../report.js'
import type { Run } from '../run.js'
import { identityHeaders, seedAccounts, seedSessions } from '../workplace/seed.js'
import { startLoggedService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

const SESSIONS = 10_000

/** The cost of observability: get-identity with metrics and a log line for each request, and without. */
export async function measureObserved(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const clients = await place.withStore(async (store) => {
      const accounts = await seedAccounts(store, SESSIONS)
      return await seedSessions(place, store, accounts, SESSIONS)
    })
    const requests = identitiesOf(clients.map(identityHeaders))
    const services = [
      await startLoggedService(place),
      await startLoggedService(place, { LOG_LEVEL: 'warn' }),
    ] as const
    const names = ['metrics and request logs', 'neither']
    const contestants = services.map((one, index) => reading(names[index] ?? '', one, requests, run))
    const [observed, bare] = await run.alternate(contestants, { usual: 5, quick: 2 })
    await Promise.all(services.map((one) => one.stop()))
    if (!observed || !bare) throw new Error('two were measured')
    const cpu = ratio(bare, observed, (round) => round.cpuMicroseconds)
    return {
      setting: `get-identity of ${thousands(SESSIONS)} sessions, ${CONNECTIONS} connections, with metrics and a line of the log for each request, and with neither; both write to a file.`,
      columns: TRAFFIC_COLUMNS,
      rows: [trafficRow(observed), trafficRow(bare)],
      claims: [
        atLeast(
          'requests per second of a service with neither',
          0.9,
          ratio(observed, bare, (round) => round.perSecond),
        ),
      ],
      notes: [`CPU time with neither per CPU time with both: ${cpu.toFixed(2)}`],
    }
  })
}
