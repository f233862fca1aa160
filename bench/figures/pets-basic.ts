import { reportOf } from '../comparison.js'
import { CONNECTIONS, getsOf, readingAtRandom, replyTo, warmUp } from '../load/reading.js'
import { thousands, type Report } from '../report.js'
import type { Run } from '../run.js'
import { hashOfPassword, PASSWORD } from '../workplace/logins.js'
import { emailOf, pathsOfPets, PETS, seedAccounts, seedApiKey, seedPets } from '../workplace/seed.js'
import { startLoggedService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

/** One pet with HTTP Basic, against the same pet with an API key, on one service. */
export async function measurePetsBasic(run: Run): Promise<Report> {
  const hash = await hashOfPassword()
  return await inWorkplace(async (place) => {
    run.step(`creating ${thousands(PETS)} pets`)
    const key = await place.withStore(async (store) => {
      await seedAccounts(store, 1, hash)
      return await seedApiKey(store)
    })
    await seedPets(place.database, PETS)
    const service = await startLoggedService(place)
    const withKey = getsOf(pathsOfPets(), { 'X-API-Key': key })
    const withBasic = getsOf(pathsOfPets(), { Authorization: basic(emailOf(0)) })
    // The first verification of the password takes as long as thousands of requests.
    await replyTo(service, withBasic[0])
    for (const requests of [withKey, withBasic]) await warmUp(service, requests)
    const [ours, peer] = await run.alternate([
      readingAtRandom('HTTP Basic', service, withBasic, run),
      readingAtRandom('API key', service, withKey, run),
    ])
    await service.stop()
    if (!ours || !peer) throw new Error('two were measured')
    return reportOf({
      figure: 'pets-basic',
      title: 'Pets with HTTP Basic',
      setting: `\`GET /v1/pets/{id}\` of ${thousands(withKey.length)} of ${thousands(PETS)} pets in random order, ${CONNECTIONS} connections, with a password that was verified before and with an API key; a line of the log for each request, and metrics.`,
      comparisons: [{ name: 'pets with HTTP Basic of an API key', ours, peer, cpuGoal: 0.85 }],
    })
  })
}

function basic(email: string): string {
  return `Basic ${Buffer.from(`${email}:${PASSWORD}`).toString('base64')}`
}
