import { MongoClient } from 'mongodb'
import { ratio } from '../alternate.js'
import { lastPage } from '../load/last-page.js'
import { CONNECTIONS, getsOf, reading } from '../load/reading.js'
import { onMongodb } from '../workplace/mongodb-workplace.js'
import { atLeast, thousands, trafficRow, TRAFFIC_COLUMNS, type Report } from '../report.js'
import type { Run } from '../run.js'
import { FIRST_PAGE, PETS, seedApiKey } from '../workplace/seed.js'
import { startService } from '../workplace/service.js'

const TOGETHER = 20_000

/** The first page of the catalogue compared with its last page. */
export async function measureMongodbPets(run: Run): Promise<Report> {
  return await onMongodb(async (place) => {
    const key = await place.withStore(seedApiKey)
    await seedPets(place.database)
    const headers = { 'X-API-Key': key }
    const service = await startService(place)
    const [first, last] = await run.alternate([
      reading('first page', service, getsOf([FIRST_PAGE], headers), run),
      reading('last page', service, getsOf([await lastPage(service.address, headers)], headers), run),
    ])
    await service.stop()
    if (!first || !last) throw new Error('two were measured')
    const depth = ratio(last, first, (round) => round.perSecond)
    return {
      setting: `\`GET ${FIRST_PAGE}\` with an API key, ${thousands(PETS)} pets, ${CONNECTIONS} connections.`,
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
