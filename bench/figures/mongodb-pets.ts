import { MongoClient } from 'mongodb'
import { ratio, withCpu, type Contestant, type ServerTraffic } from '../alternate.js'
import { lastPage } from '../load/last-page.js'
import type { Load } from '../load/load.js'
import { onMongodb } from '../workplace/mongodb-workplace.js'
import { runJob } from '../workplace/processes.js'
import { atLeast, thousands, trafficRow, TRAFFIC_COLUMNS, type Report } from '../report.js'
import type { Run } from '../run.js'
import { seedApiKey } from '../workplace/seed.js'
import { startService } from '../workplace/service.js'
import type { Traffic } from '../load/traffic.js'

const PETS = 1_000_000
const TOGETHER = 20_000
const FIRST = '/v1/pets?limit=20'
const CONNECTIONS = 32

/** The first page of the catalogue compared with its last page. */
export async function measureMongodbPets(run: Run): Promise<Report> {
  return await onMongodb(async (place) => {
    const key = await place.withStore(seedApiKey)
    await seedPets(place.database)
    const headers = { 'X-API-Key': key }
    const service = await startService(place)
    const contestant = (name: string, path: string): Contestant<ServerTraffic> => {
      const requests = [{ method: 'GET' as const, path, headers }]
      const load: Load = {
        address: service.address,
        connections: CONNECTIONS,
        requests,
        seconds: run.seconds,
      }
      return { name, round: () => withCpu(service, () => runJob<Traffic>('load/load', 'load', load)) }
    }
    const [first, last] = await run.alternate([
      contestant('first page', FIRST),
      contestant('last page', await lastPage(service.address, headers)),
    ])
    await service.stop()
    if (!first || !last) throw new Error('two were measured')
    const depth = ratio(last, first, (round) => round.perSecond)
    return {
      setting: `\`GET ${FIRST}\` with an API key, ${thousands(PETS)} pets, ${CONNECTIONS} connections.`,
      columns: TRAFFIC_COLUMNS,
      rows: [first, last].map(trafficRow),
      claims: [atLeast('last page: requests per second of the first page', 0.95, depth)],
    }
  })
}

async function seedPets(url: string): Promise<void> {
  const client = await new MongoClient(url).connect()
  const pets = client.db().collection<{ _id: number }>('pets')
  for (let first = 1; first <= PETS; first += TOGETHER) {
    await pets.insertMany(
      Array.from({ length: TOGETHER }, (_, index) => ({
        _id: first + index,
        name: `Pet number ${first + index}`,
        revision: 1,
      })),
      { ordered: false },
    )
  }
  await client.close()
}
