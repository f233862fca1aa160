import { alternate, ratio, withCpu, type Contestant, type ServerTraffic } from './alternate.js'
import { lastPage } from './last-page.js'
import type { Load } from './load.js'
import { runJob, type ServerProcess } from './processes.js'
import { ask, startBareKoa } from './reply.js'
import { atLeast, atMost, cpuNote, trafficRow, TRAFFIC_COLUMNS, type Options, type Report } from './report.js'
import { seedApiKey, seedPets } from './seed.js'
import { startService } from './service.js'
import type { Traffic } from './traffic.js'
import { inWorkplace } from './workplace.js'

const PETS = 1_000_000
const FIRST = '/v1/pets?limit=20'
const CONNECTIONS = 32

/** A page of 20 pets with an API key, the first and the last, each against bare Koa with the same bytes. */
export async function measureListPets({ quick }: Options): Promise<Report> {
  return await inWorkplace(async (place) => {
    const key = await place.withStore(seedApiKey)
    await seedPets(place.database, PETS)
    const headers = { 'X-API-Key': key }
    const service = await startService(place)
    const last = await lastPage(service.address, headers)
    const peerOfFirst = await startBareKoa(await ask(service.address + FIRST, headers))
    const peerOfLast = await startBareKoa(await ask(service.address + last, headers))
    const seconds = quick ? 1 : 4
    const contestant = (name: string, server: ServerProcess, path: string): Contestant<ServerTraffic> => {
      const requests = [{ method: 'GET' as const, path, headers }]
      const load: Load = { address: server.address, connections: CONNECTIONS, requests, seconds }
      return { name, round: () => withCpu(server, () => runJob<Traffic>('load', 'load', load)) }
    }
    const [first, bareFirst, final, bareFinal] = await alternate(
      [
        contestant('first page', service, FIRST),
        contestant('bare Koa', peerOfFirst, FIRST),
        contestant('last page', service, last),
        contestant('bare Koa', peerOfLast, last),
      ],
      quick ? 2 : 5,
    )
    await Promise.all([service, peerOfFirst, peerOfLast].map((server) => server.stop()))
    if (!first || !bareFirst || !final || !bareFinal) throw new Error('four were measured')
    const perSecond = (round: ServerTraffic) => round.perSecond
    const depth = ratio(final, first, perSecond)
    return {
      title: `GET ${FIRST} with an API key, ${PETS} pets, ${CONNECTIONS} connections`,
      columns: TRAFFIC_COLUMNS,
      rows: [first, bareFirst, final, bareFinal].map(trafficRow),
      claims: [
        atLeast('first page: requests per second of bare Koa', 0.4, ratio(first, bareFirst, perSecond)),
        atLeast('last page: requests per second of bare Koa', 0.4, ratio(final, bareFinal, perSecond)),
        atLeast('last page: requests per second of the first page', 0.9, depth),
        atMost('last page: requests per second of the first page', 1.1, depth),
      ],
      notes: [cpuNote(first, bareFirst), cpuNote(final, bareFinal)],
    }
  })
}
