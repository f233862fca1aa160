import { ratio } from '../alternate.js'
import { reportOf } from '../comparison.js'
import { lastPage } from '../load/last-page.js'
import { CONNECTIONS, getsOf, reading, replyTo } from '../load/reading.js'
import { startBareKoa } from '../workplace/reply.js'
import { atLeast, thousands, type Report } from '../report.js'
import type { Run } from '../run.js'
import { FIRST_PAGE, PETS, seedApiKey, seedPets } from '../workplace/seed.js'
import { startService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

/** The first and the last page of 20 pets, with an API key, each against bare Koa with the same bytes. */
export async function measureListPets(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const key = await place.withStore(seedApiKey)
    await seedPets(place.database, PETS)
    const headers = { 'X-API-Key': key }
    const service = await startService(place)
    const [ofFirst, ofLast] = [FIRST_PAGE, await lastPage(service.address, headers)].map((path) =>
      getsOf([path], headers),
    )
    if (!ofFirst || !ofLast) throw new Error('there are two pages')
    const peerOfFirst = await startBareKoa(await replyTo(service, ofFirst[0]))
    const peerOfLast = await startBareKoa(await replyTo(service, ofLast[0]))
    const [first, bareFirst, last, bareLast] = await run.alternate([
      reading('first page', service, ofFirst, run),
      reading('bare Koa', peerOfFirst, ofFirst, run),
      reading('last page', service, ofLast, run),
      reading('bare Koa', peerOfLast, ofLast, run),
    ])
    await Promise.all([service, peerOfFirst, peerOfLast].map((server) => server.stop()))
    if (!first || !bareFirst || !last || !bareLast) throw new Error('four were measured')
    const report = reportOf({
      figure: 'list-pets',
      title: 'A page of pets',
      setting: `With an API key, ${thousands(PETS)} pets, ${CONNECTIONS} connections.`,
      comparisons: [
        { name: 'first page of pets of bare Koa', ours: first, peer: bareFirst, clockGoal: 0.45 },
        { name: 'last page of pets of bare Koa', ours: last, peer: bareLast, clockGoal: 0.45 },
      ],
    })
    const depth = ratio(last, first, ({ perSecond }) => perSecond)
    const ofDepth = atLeast('last page: requests per second of the first page', 0.95, depth)
    return { ...report, claims: [...report.claims, ofDepth] }
  })
}
