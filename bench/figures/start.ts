import { median, type Contestant } from '../alternate.js'
import { runToEnd, type ServerProcess } from '../workplace/processes.js'
import { ask } from '../workplace/reply.js'
import { atMost, TIME_COLUMNS, timeRow, type Report } from '../report.js'
import type { Run } from '../run.js'
import { startService } from '../workplace/service.js'
import { inWorkplace, type Workplace } from '../workplace/workplace.js'

const EMPTY = 'empty Node process'
/** Node 24 and newer keep what they have compiled. */
const NEWER = Number.parseInt(process.versions.node) >= 24

/** From the start of the process to the first 200 of /health/ready, above a Node process that does nothing. */
export async function measureStart(run: Run): Promise<Report> {
  return await inWorkplace(async (place) => {
    const [service, empty] = await run.alternate(
      [ready(place), { name: `${EMPTY}, start to end`, round: () => timed(() => runToEnd(['-e', '0'])) }],
      { usual: 10, quick: 3 },
    )
    if (!service || !empty) throw new Error('two were measured')
    const above = median(service.rounds) - median(empty.rounds)
    return {
      setting: 'From the start of the process to the first 200 of `/health/ready`; the store exists.',
      columns: TIME_COLUMNS,
      rows: [service, empty].map(timeRow),
      claims: [
        atMost(
          `start to ready, per ${EMPTY}`,
          NEWER ? 9 : 12,
          median(service.rounds) / median(empty.rounds),
          {
            short: `start to ready, per ${EMPTY}`,
            digits: 1,
          },
        ),
        atMost(`start above an ${EMPTY}`, 400, above, { unit: 'ms', digits: 0 }),
      ],
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
