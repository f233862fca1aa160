import { readingAtRandom, replyTo, startPeerOf, warmUp } from '../load/reading.js'
import { createPetRequest, getsOf, PASSWORD } from '../load/requests.js'
import { reportOf, thousands, type Report } from '../report.js'
import type { Run } from '../run.js'
import { emailOf } from '../store/population.js'
import { fillStore, FIRST_PAGE, seedApiKey } from '../store/stores.js'
import { startLoggedService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

const PETS = 1_000_000
/** IDs of six digits and pets with the same fields, so that all replies have the same length. */
const PATHS = Array.from({ length: 9_000 }, (_, index) => `/v1/pets/${100_001 + index * 100}`)
const CREATED_PER_SECOND = 100

/**
 * Compares reads of pets, while other pets are created, with bare Koa that sends the same bytes. Also compares HTTP Basic with an API key.
 */
export async function measurePets(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    run.step(`creating ${thousands(PETS)} pets`)
    await fillStore(place, { pets: PETS, accounts: 1 })
    const key = await seedApiKey(place)
    const basic = Buffer.from(`${emailOf(0)}:${PASSWORD}`).toString('base64')
    const [ones, pages] = [getsOf(PATHS, key), getsOf([FIRST_PAGE], key)]
    const withBasic = getsOf(PATHS, { Authorization: `Basic ${basic}` })
    const server = await startLoggedService(place)
    // The first password verification takes as long as thousands of requests.
    await replyTo(server, withBasic[0])
    for (const requests of [ones, pages, withBasic]) await warmUp(server, requests)
    const peerOfOne = await startPeerOf(server, ones[0])
    const peerOfPage = await startPeerOf(server, pages[0])
    const creations = Array.from({ length: CREATED_PER_SECOND * run.seconds }, () => createPetRequest(key))
    const [one, bareOne, page, barePage, byBasic, byKey] = await run.alternate([
      readingAtRandom({ name: 'one pet', server, requests: ones }, run, () => creations),
      readingAtRandom({ name: 'bare Koa', server: peerOfOne, requests: ones }, run),
      readingAtRandom({ name: 'page of 20', server, requests: pages }, run, () => creations),
      readingAtRandom({ name: 'bare Koa', server: peerOfPage, requests: pages }, run),
      readingAtRandom({ name: 'one pet, HTTP Basic, no creation', server, requests: withBasic }, run),
      readingAtRandom({ name: 'one pet, no creation', server, requests: ones }, run),
    ])
    await Promise.all([server, peerOfOne, peerOfPage].map((each) => each.stop()))
    return reportOf(
      `With an API key: ${thousands(PATHS.length)} of ${thousands(PETS)} pets in random order, and the first page, while ${CREATED_PER_SECOND} pets are created per second of server CPU time.`,
      [
        { name: 'one pet relative to bare Koa', ours: one, peer: bareOne, cpuGoal: 0.7 },
        { name: 'a page of pets relative to bare Koa', ours: page, peer: barePage, cpuGoal: 0.7 },
        { name: 'HTTP Basic relative to an API key', ours: byBasic, peer: byKey, cpuGoal: 0.85 },
      ],
    )
  })
}
