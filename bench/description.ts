import { alternate, median, type Results } from './alternate.js'
import type { Load } from './load.js'
import { runJob } from './processes.js'
import { ask, startBareKoa } from './reply.js'
import { atMost, type Options, type Report } from './report.js'
import { startService } from './service.js'
import type { Traffic } from './traffic.js'
import { inWorkplace } from './workplace.js'

const PATH = '/openapi.json'

/** `/openapi.json` from memory, one reader after the other, against a bare Koa that sends the same bytes. */
export async function measureDescription({ quick }: Options): Promise<Report> {
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
        seconds: quick ? 1 : 4,
      }
      return { name, round: () => runJob<Traffic>('load', 'load', load) }
    })
    const [ours, bare] = await alternate(contestants, quick ? 2 : 5)
    await Promise.all([service.stop(), peer.stop()])
    if (!ours || !bare) throw new Error('two were measured')
    return {
      title: `${PATH}, ${Math.round(reply.body.length / 1024)} kB`,
      columns: ['', 'requests/s', 'p50 ms', 'p99 ms'],
      rows: [row(ours), row(bare)],
      claims: [atMost('microseconds for one, half of the time', 1_000, 1_000 * of(ours, 'p50'), ' µs')],
    }
  })
}

function of({ rounds }: Results<Traffic>, figure: 'perSecond' | 'p50' | 'p99'): number {
  return median(rounds.map((round) => round[figure]))
}

function row(results: Results<Traffic>): string[] {
  return [
    results.name,
    of(results, 'perSecond').toFixed(0),
    of(results, 'p50').toFixed(2),
    of(results, 'p99').toFixed(2),
  ]
}
