import { ratio, withCpu, type Contestant, type ServerTraffic } from '../alternate.js'
import type { Load } from '../load/load.js'
import type { Traffic } from '../load/traffic.js'
import { atLeast, cpuNote, thousands, trafficRow, TRAFFIC_COLUMNS, type Report } from '../report.js'
import type { Run } from '../run.js'
import { runJob, type ServerProcess } from '../workplace/processes.js'
import { ask, startBareKoa } from '../workplace/reply.js'
import { seedApiKey, seedPets } from '../workplace/seed.js'
import { startService } from '../workplace/service.js'
import { inWorkplace } from '../workplace/workplace.js'

const PETS = 1_000_000
const CONNECTIONS = 32
/** The pets requested in turn, with IDs of six digits and the same fields, so that all replies are equally long. */
const ASKED = 9_000
const FIRST_ID = 100_001
const STEP = 100

/** A different pet for each request, with an API key, against bare Koa with the same bytes. */
export async function measurePet(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const key = await place.withStore(seedApiKey)
    await seedPets(place.database, PETS)
    const headers = { 'X-API-Key': key }
    const paths = Array.from({ length: ASKED }, (_, index) => `/v1/pets/${FIRST_ID + index * STEP}`)
    const service = await startService(place)
    const peer = await startBareKoa(await ask(`${service.address}${paths[0] ?? ''}`, headers))
    const contestant = (name: string, server: ServerProcess): Contestant<ServerTraffic> => {
      const requests = paths.map((path) => ({ method: 'GET' as const, path, headers }))
      const load: Load = { address: server.address, connections: CONNECTIONS, requests, seconds: run.seconds }
      return { name, round: () => withCpu(server, () => runJob<Traffic>('load/load', 'load', load)) }
    }
    const [pet, bare] = await run.alternate([contestant('one pet', service), contestant('bare Koa', peer)])
    await Promise.all([service.stop(), peer.stop()])
    if (!pet || !bare) throw new Error('two were measured')
    const quotient = ratio(pet, bare, ({ perSecond }) => perSecond)
    return {
      setting: `\`GET /v1/pets/{id}\` with an API key, ${thousands(ASKED)} of ${thousands(PETS)} pets in turn, ${CONNECTIONS} connections.`,
      columns: TRAFFIC_COLUMNS,
      rows: [pet, bare].map(trafficRow),
      claims: [atLeast('requests per second of bare Koa', 0.45, quotient, { short: 'one pet of bare Koa' })],
      notes: [cpuNote(pet, bare)],
    }
  })
}
