import { alternate, median, type Contestant } from './alternate.js'
import { runToEnd, type ServerProcess } from './processes.js'
import { ask } from './reply.js'
import { atMost, type Options, type Report } from './report.js'
import { startService } from './service.js'
import { inWorkplace, type Workplace } from './workplace.js'

const EMPTY = 'empty Node process'

/** From the start of the process to the first 200 of /health/ready, above a Node process that does nothing. */
export async function measureStart({ quick }: Options): Promise<Report> {
  return await inWorkplace(async (place) => {
    const [service, empty] = await alternate(
      [ready(place), { name: `${EMPTY}, start to end`, round: () => timed(() => runToEnd(['-e', '0'])) }],
      quick ? 3 : 10,
    )
    if (!service || !empty) throw new Error('two were measured')
    const above = median(service.rounds) - median(empty.rounds)
    return {
      title: 'Start, store exists',
      columns: ['', 'median ms', 'fastest ms', 'slowest ms'],
      rows: [service, empty].map(({ name, rounds }) => [
        name,
        ...[median(rounds), Math.min(...rounds), Math.max(...rounds)].map((time) => time.toFixed(0)),
      ]),
      claims: [atMost(`start above an ${EMPTY}`, 400, above, ' ms')],
    }
  })
}

function ready(place: Workplace): Contestant<number> {
  return {
    name: 'app serve, start to ready',
    round: async () => {
      let service: ServerProcess | undefined
      const time = await timed(async () => {
        service = await startService(place, 'anywhere')
        const { status } = await ask(`${service.address}/health/ready`, {})
        if (status !== 200) throw new Error(`not ready: ${status}`)
      })
      await service?.stop()
      return time
    },
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}
