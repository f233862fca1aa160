import { alternate, ratio } from './alternate.js'
import { contestant, IDENTITY_CONNECTIONS } from './identity-traffic.js'
import { atLeast, trafficRow, TRAFFIC_COLUMNS, type Options, type Report } from './report.js'
import { identityHeaders, seedAccounts, seedSessions } from './seed.js'
import { startLoggedService } from './service.js'
import { inWorkplace } from './workplace.js'

const SESSIONS = 10_000

/** What it costs to be seen: the current identity with metrics and a log line for each request, and without. */
export async function measureObserved({ quick }: Options): Promise<Report> {
  return await inWorkplace(async (place) => {
    const clients = await place.withStore(async (store) => {
      const accounts = await seedAccounts(store, SESSIONS)
      return await seedSessions(place, store, accounts, SESSIONS)
    })
    const asking = clients.map(identityHeaders)
    const services = [
      await startLoggedService(place, { METRICS_PORT: '0' }),
      await startLoggedService(place, { LOG_LEVEL: 'warn' }),
    ] as const
    const names = ['metrics and request logs', 'neither']
    const contestants = services.map((one, index) => contestant(names[index] ?? '', one, asking, quick))
    const [observed, bare] = await alternate(contestants, quick ? 3 : 7)
    await Promise.all(services.map((one) => one.stop()))
    if (!observed || !bare) throw new Error('two were measured')
    const cpu = ratio(bare, observed, (round) => round.cpuMicroseconds)
    return {
      title: `get-identity, metrics and request logs, ${IDENTITY_CONNECTIONS} connections`,
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
