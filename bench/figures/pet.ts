import { reportOf } from '../comparison.js'
import { besideBareKoa, CONNECTIONS, getsOf } from '../load/reading.js'
import { thousands, type Report } from '../report.js'
import type { Run } from '../run.js'
import { PETS, pathsOfPets, seedApiKey, seedPets } from '../workplace/seed.js'
import { startService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

/** A different pet for each request, with an API key, against bare Koa with the same bytes. */
export async function measurePet(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const key = await place.withStore(seedApiKey)
    await seedPets(place.database, PETS)
    const requests = getsOf(pathsOfPets(), { 'X-API-Key': key })
    const sides = await besideBareKoa('one pet', await startService(place), requests, run)
    return reportOf({
      figure: 'pet',
      title: 'One pet',
      setting: `\`GET /v1/pets/{id}\` with an API key, ${thousands(requests.length)} of ${thousands(PETS)} pets in turn, ${CONNECTIONS} connections.`,
      comparisons: [{ name: 'one pet of bare Koa', ...sides, clockGoal: 0.45 }],
    })
  })
}
