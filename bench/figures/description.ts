import { median, type Results } from '../alternate.js'
import type { Load } from '../load/load.js'
import { runJob } from '../workplace/processes.js'
import { ask, startBareKoa } from '../workplace/reply.js'
import { atMost, TRAFFIC_COLUMNS, type Report, type Row } from '../report.js'
import type { Run } from '../run.js'
import { startService } from '../workplace/service.js'
import type { Traffic } from '../load/traffic.js'
import { inWorkplace } from '../workplace/workplace.js'

const PATH = '/openapi.json'

/** `/openapi.json` from memory, one reader after the other, against a bare Koa that sends the same bytes. */
export async function measureDescription(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const service = await startService(place)
    const reply = await ask(service.address + PATH, {})
    const peer = await startBareKoa(reply)
    const contestants = [
      { name: PATH, server: service },
      { name: 'bare Koa', server: peer },
    ].map(({ name, server: { address } }) => {
      const load: Load = {
        address,
        connections: 1,
        requests: [{ method: 'GET', path: PATH }],
        seconds: run.seconds,
      }
      return { name, round: () => runJob<Traffic>('load/load', 'load', load) }
    })
    const [ours, bare] = await run.alternate(contestants)
    await Promise.all([service.stop(), peer.stop()])
    if (!ours || !bare) throw new Error('two were measured')
    return {
      setting: `\`${PATH}\`, ${Math.round(reply.body.length / 1024)} kB from memory, one reader after the other, beside bare Koa with the same text.`,
      columns: TRAFFIC_COLUMNS.slice(0, 3),
      rows: [row(ours), row(bare)],
      claims: [atMost('half of the readers wait', 1, of(ours, 'p50'), { unit: 'ms', digits: 2 })],
    }
  })
}

function of({ rounds }: Results<Traffic>, figure: 'perSecond' | 'p50' | 'p99'): number {
  return median(rounds.map((round) => round[figure]))
}

function row(results: Results<Traffic>): Row {
  return { name: results.name, values: [of(results, 'perSecond'), of(results, 'p50'), of(results, 'p99')] }
}
