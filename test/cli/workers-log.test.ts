import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Serving, workplaceOfTests } from './app.js'
import { linesIn, onLinuxOnly, pidOf, until } from './workers.js'

const TWO = { WORKERS: '2', TRUST_PROXY: '1' }

/** Sends a request on a new connection, so that both workers get requests; returns whether a response arrived. */
async function ask({ origin }: Pick<Serving, 'origin'>, id: string): Promise<boolean> {
  const headers = { 'X-API-Key': 'unknown', 'X-Request-Id': id, Connection: 'close' }
  const reply = await fetch(`${origin}/v1/pets`, { headers }).catch(() => undefined)
  return reply?.status === 401
}

describe('the log of app serve with two workers', () => {
  onLinuxOnly()
  const place = workplaceOfTests()

  const told = (serving: Serving, id: string) =>
    linesIn(serving.log()).filter((line) => line['requestId'] === id)

  it('has one complete line with the worker number for every request, even if workers are killed', async () => {
    const serving = await place.serve(TWO)
    const settled: string[] = []
    const burst = async (name: string, count: number) => {
      const ids = Array.from({ length: count }, (_, n) => `${name}-number-${n}`)
      return { ids, answered: await Promise.all(ids.map((id) => ask(serving, id))) }
    }
    for (const round of [1, 2, 3]) {
      const { ids, answered } = await burst(`round-${round}`, 100)
      expect(answered).to.not.include(false)
      await until(() => ids.every((id) => told(serving, id).length > 0))
      settled.push(...ids)
      const pid = pidOf(serving, 1)
      const hit = burst(`hit-${round}`, 100)
      process.kill(pid, 'SIGKILL')
      await hit
      await until(() => pidOf(serving, 1) !== pid)
    }
    expect(await serving.stop()).to.equal(0)
    expect(settled.map((id) => told(serving, id).length)).to.deep.equal(settled.map(() => 1))
    const requests = linesIn(serving.log()).filter(({ event }) => event === 'request')
    expect(new Set(requests.map(({ requestId }) => requestId)).size).to.equal(requests.length)
    expect(new Set(requests.map(({ worker }) => worker))).to.deep.equal(new Set([1, 2]))
  })

  it('switches to the level debug and back, each time with one signal and one log line, even in workers that start later', async () => {
    const serving = await place.serve(TWO)
    const levels = () =>
      linesIn(serving.log())
        .filter(({ event }) => event === 'log level')
        .map(({ detail }) => detail)
    const workersAtDebug = async (name: string) => {
      const seen = new Set<unknown>()
      for (let n = 0; n < 10; n += 1) {
        const id = `${name}-number-${n}`
        await ask(serving, id)
        await until(() => told(serving, id).some(({ event }) => event === 'request'))
        for (const { level, worker } of told(serving, id)) if (level === 'debug') seen.add(worker)
      }
      return seen
    }
    serving.child.kill('SIGUSR2')
    await until(() => levels().length === 1)
    const pid = pidOf(serving, 1)
    process.kill(pid, 'SIGKILL')
    await until(() => pidOf(serving, 1) !== pid)
    expect(await workersAtDebug('at-debug')).to.deep.equal(new Set([1, 2]))
    serving.child.kill('SIGUSR2')
    await until(() => levels().length === 2)
    expect(await workersAtDebug('at-info')).to.deep.equal(new Set())
    expect(await serving.stop()).to.equal(0)
    expect(levels()).to.deep.equal(['debug', 'info'])
  })

  it('prints the error of a crashed worker to standard error, and logs that the worker died', async () => {
    // Every process preloads this file.
    const file = join(place.folder, 'at-hangup.cjs')
    const defect = "setImmediate(() => { throw new Error('a defect of a test') })"
    writeFileSync(file, `if (process.argv.includes('worker')) process.on('SIGHUP', () => ${defect})`)
    const serving = await place.serve({ ...TWO, NODE_OPTIONS: `--require ${file}` })
    const pid = pidOf(serving, 1)
    let errors = ''
    serving.child.stderr.on('data', (piece: Buffer) => (errors += piece.toString()))
    process.kill(pid, 'SIGHUP')
    await until(() => pidOf(serving, 1) !== pid)
    expect(errors).to.include('Error: a defect of a test')
    expect(serving.log()).to.match(/"worker":1,"detail":"pid \d+, status 1;[^\n]*"event":"worker died"/)
    expect(await serving.stop()).to.equal(0)
  })
})
