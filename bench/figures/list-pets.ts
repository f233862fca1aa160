import { ratio, withCpu, type Contestant, type ServerTraffic } from '../alternate.js'
import { lastPage } from '../load/last-page.js'
import type { Load } from '../load/load.js'
import { runJob, type ServerProcess } from '../workplace/processes.js'
import { ask, startBareKoa } from '../workplace/reply.js'
import { atLeast, cpuNote, thousands, trafficRow, TRAFFIC_COLUMNS, type Report } from '../report.js'
import type { Run } from '../run.js'
import { seedApiKey, seedPets } from '../workplace/seed.js'
import { startService } from '../workplace/service.js'
import type { Traffic } from '../load/traffic.js'
import { inWorkplace } from '../workplace/workplace.js'

const PETS = 1_000_000
const FIRST = '/v1/pets?limit=20'
const CONNECTIONS = 32

/** The first and the last page of 20 pets, with an API key, each against bare Koa with the same bytes. */
export async function measureListPets(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const key = await place.withStore(seedApiKey)
    await seedPets(place.database, PETS)
    const headers = { 'X-API-Key': key }
    const service = await startService(place)
    const last = await lastPage(service.address, headers)
    const peerOfFirst = await startBareKoa(await ask(service.address + FIRST, headers))
    const peerOfLast = await startBareKoa(await ask(service.address + last, headers))
    const contestant = (name: string, server: ServerProcess, path: string): Contestant<ServerTraffic> => {
      const requests = [{ method: 'GET' as const, path, headers }]
      const load: Load = { address: server.address, connections: CONNECTIONS, requests, seconds: run.seconds }
      return { name, round: () => withCpu(server, () => runJob<Traffic>('load/load', 'load', load)) }
    }
    const [first, bareFirst, final, bareFinal] = await run.alternate([
      contestant('first page', service, FIRST),
      contestant('bare Koa', peerOfFirst, FIRST),
      contestant('last page', service, last),
      contestant('bare Koa', peerOfLast, last),
    ])
    await Promise.all([service, peerOfFirst, peerOfLast].map((server) => server.stop()))
    if (!first || !bareFirst || !final || !bareFinal) throw new Error('four were measured')
    const perSecond = (round: ServerTraffic) => round.perSecond
    const depth = ratio(final, first, perSecond)
    return {
      setting: `With an API key, ${thousands(PETS)} pets, ${CONNECTIONS} connections.`,
      columns: TRAFFIC_COLUMNS,
      rows: [first, bareFirst, final, bareFinal].map(trafficRow),
      claims: [
        atLeast('first page: requests per second of bare Koa', 0.45, ratio(first, bareFirst, perSecond), {
          short: 'a page of pets of bare Koa',
        }),
        atLeast('last page: requests per second of bare Koa', 0.45, ratio(final, bareFinal, perSecond)),
        atLeast('last page: requests per second of the first page', 0.95, depth),
      ],
      notes: [cpuNote(first, bareFirst), cpuNote(final, bareFinal)],
    }
  })
}
