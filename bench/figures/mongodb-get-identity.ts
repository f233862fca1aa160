import { reportOf } from '../comparison.js'
import type { BareKoaMongodbJob } from '../bare/koa-mongodb.js'
import { CONNECTIONS, identitiesOf, reading, replyTo } from '../load/reading.js'
import { script, startServer } from '../workplace/processes.js'
import { thousands, type Report } from '../report.js'
import type { Run } from '../run.js'
import { fillSessions } from '../scale/stores.js'
import { identityHeaders } from '../workplace/seed.js'
import { startLoggedService } from '../workplace/service.js'
import { onMongodb } from '../workplace/mongodb-workplace.js'

const SESSIONS = 10_000

/** The current identity from MongoDB, against bare Koa that makes one indexed `findOne`. */
export async function measureMongodbGetIdentity(run: Run): Promise<Report> {
  return await onMongodb(async (place) => {
    run.step(`opening ${thousands(SESSIONS)} sessions`)
    const clients = await fillSessions(place, SESSIONS)
    const asking = clients.slice(SESSIONS / 10)
    const requests = identitiesOf(asking.map(identityHeaders))
    const service = await startLoggedService(place)
    const job: BareKoaMongodbJob = { url: place.database, reply: await replyTo(service, requests[0]) }
    const bareKoa = await startServer({ args: [script('bare/koa-mongodb')], place: 'server', input: job })
    const bareRequests = identitiesOf(asking.map(({ digest }) => ({ 'X-Digest': digest })))
    const [ours, peer] = await run.alternate([
      reading('get-identity', service, requests, run),
      reading('bare Koa with findOne', bareKoa, bareRequests, run),
    ])
    await Promise.all([service.stop(), bareKoa.stop()])
    if (!ours || !peer) throw new Error('two were measured')
    return reportOf({
      figure: 'mongodb-get-identity',
      title: 'get-identity from MongoDB',
      setting: `${thousands(SESSIONS)} sessions, ${CONNECTIONS} connections, beside a Koa handler that makes one indexed \`findOne\` and sends the same bytes; a line of the log for each request, and metrics.`,
      comparisons: [{ name: 'MongoDB get-identity of the bare driver call', ours, peer, clockGoal: 0.85 }],
    })
  })
}
