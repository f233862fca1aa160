import { reportOf } from '../comparison.js'
import { CONNECTIONS, getsOf, readingAtRandom, replyTo, warmUp } from '../load/reading.js'
import { thousands, type Report } from '../report.js'
import type { Run } from '../run.js'
import { startBareKoa } from '../workplace/reply.js'
import { FIRST_PAGE, pathsOfPets, PETS, seedApiKey, seedPets } from '../workplace/seed.js'
import { startLoggedService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

const CREATED_PER_SECOND = 100

/** One pet and a page of pets while other pets are created, each against bare Koa with the same bytes. */
export async function measurePetsBusy(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    run.step(`creating ${thousands(PETS)} pets`)
    const headers = { 'X-API-Key': await place.withStore(seedApiKey) }
    await seedPets(place.database, PETS)
    const [ones, pages] = [getsOf(pathsOfPets(), headers), getsOf([FIRST_PAGE], headers)]
    const service = await startLoggedService(place)
    const peerOfOne = await startBareKoa(await replyTo(service, ones[0]))
    const peerOfPage = await startBareKoa(await replyTo(service, pages[0]))
    for (const server of [service, peerOfOne]) await warmUp(server, ones)
    for (const server of [service, peerOfPage]) await warmUp(server, pages)
    const creations = Array.from({ length: CREATED_PER_SECOND * run.seconds }, () => creation(headers))
    const [one, bareOne, page, barePage] = await run.alternate([
      readingAtRandom('one pet', service, ones, run, () => creations),
      readingAtRandom('bare Koa', peerOfOne, ones, run),
      readingAtRandom('page of 20', service, pages, run, () => creations),
      readingAtRandom('bare Koa', peerOfPage, pages, run),
    ])
    await Promise.all([service, peerOfOne, peerOfPage].map((server) => server.stop()))
    if (!one || !bareOne || !page || !barePage) throw new Error('four were measured')
    return reportOf({
      figure: 'pets-busy',
      title: 'Pets, while pets are created',
      setting: `With an API key, ${thousands(ones.length)} of ${thousands(PETS)} pets in random order and the first page of 20, ${CONNECTIONS} connections, ${CREATED_PER_SECOND} new pets in a second of the server's CPU time, which includes them; a line of the log for each request, and metrics.`,
      comparisons: [
        { name: 'busy: one pet of bare Koa', ours: one, peer: bareOne, cpuGoal: 0.7 },
        { name: 'busy: a page of 20 pets of bare Koa', ours: page, peer: barePage, cpuGoal: 0.7 },
      ],
    })
  })
}

function creation(headers: Readonly<Record<string, string>>) {
  return {
    method: 'POST' as const,
    path: '/v1/pets',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'A new pet' }),
  }
}
