import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'chai'
import { type Serving, workplaceOfTests } from './app.js'
import { linesIn, type Line } from './workers.js'

/** Waits until a line of the log matches, and returns all lines. */
async function linesWith(
  child: ChildProcess,
  log: () => string,
  fits: (line: Line) => boolean,
): Promise<Line[]> {
  while (!linesIn(log()).some(fits)) await once(child.stdout!, 'data')
  return linesIn(log())
}

function levelsIn(lines: readonly Line[]): unknown[] {
  return lines.filter(({ event }) => event === 'log level').map(({ detail }) => detail)
}

describe('the log of app serve', () => {
  const place = workplaceOfTests()

  const linesOf = ({ child, log }: Serving, fits: (line: Line) => boolean) => linesWith(child, log, fits)
  const switchLevel = async (serving: Serving, to: string, times = 1) => {
    serving.child.kill('SIGUSR2')
    return await linesOf(
      serving,
      () => levelsIn(linesIn(serving.log())).filter((one) => one === to).length >= times,
    )
  }
  /** A rejected request, whose reason is logged at debug. */
  const refused = (origin: string, id: string) =>
    fetch(`${origin}/v1/pets`, { headers: { 'X-API-Key': 'unknown', 'X-Request-Id': id } })
  const ended = (id: string) => (line: Line) => line['requestId'] === id && line['event'] === 'request'

  it('changes to debug on SIGUSR2 and back on the next SIGUSR2, while the service responds', async () => {
    const serving = await place.serve({ TRUST_PROXY: '1' })
    const { origin } = serving
    for (const round of [1, 2]) {
      await refused(origin, `request-info-${round}`)
      const before = await linesOf(serving, ended(`request-info-${round}`))
      await switchLevel(serving, 'debug', round)
      await refused(origin, `request-debug-${round}`)
      const after = await linesOf(serving, ended(`request-debug-${round}`))
      await switchLevel(serving, 'info', round)
      expect(before.filter(({ requestId }) => requestId === `request-info-${round}`)).to.have.length(1)
      const told = after.filter(({ requestId }) => requestId === `request-debug-${round}`)
      expect(told.map(({ level, event }) => [level, event])).to.deep.equal([
        ['debug', 'request refused'],
        ['info', 'request'],
      ])
    }
    expect(await serving.stop()).to.equal(0)
    expect(levelsIn(linesIn(serving.log()))).to.deep.equal(['debug', 'info', 'debug', 'info'])
  })

  it('contains every finished request when a second signal stops the service immediately', async () => {
    const serving = await place.serve({ TRUST_PROXY: '1' })
    const { origin, child } = serving
    const ids = Array.from({ length: 50 }, (_, index) => `request-number-${index}`)
    await Promise.all(ids.map((id) => refused(origin, id)))
    child.kill('SIGTERM')
    child.kill('SIGINT')
    await serving.ended
    const told = linesIn(serving.log()).filter(({ event }) => event === 'request')
    expect(told.map(({ requestId }) => requestId)).to.include.members(ids)
  })
})
