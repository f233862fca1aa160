import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { type Serving, workplaceOfTests } from './app.js'
import { linesIn, metricsOf, onLinuxOnly, pidOf, until } from './workers.js'

const TWO = { WORKERS: '2', TRUST_PROXY: '1' }

/** Sends a request on a new connection, so that both workers get requests; returns whether a response arrived. */
async function ask({ origin }: Pick<Serving, 'origin'>, id: string): Promise<boolean> {
  const headers = { 'X-API-Key': 'unknown', 'X-Request-Id': id, Connection: 'close' }
  const reply = await fetch(`${origin}/v1/pets`, { headers }).catch(() => undefined)
  return reply?.status === 401
}

/** JavaScript that makes a worker do something on SIGHUP; every process preloads it. */
const AT_HANGUP = (action: string) =>
  `const fs = require('node:fs')
  function writeAll(text) {
    for (let rest = Buffer.from(text); rest.length > 0;)
      try {
        rest = rest.subarray(fs.writeSync(1, rest))
      } catch (error) {
        if (error.code !== 'EAGAIN') throw error
      }
  }
  if (process.argv.includes('worker')) process.on('SIGHUP', () => { ${action} })`

describe('the log of app serve with two workers', () => {
  onLinuxOnly()
  const place = workplaceOfTests()

  const preloaded = (action: string) => {
    const file = join(place.folder, 'at-hangup.cjs')
    writeFileSync(file, AT_HANGUP(action))
    return { ...TWO, NODE_OPTIONS: `--require ${file}` }
  }
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

  it('changes to debug and back, each time with one signal and one log line, even in workers that start later', async () => {
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
    const serving = await place.serve(
      preloaded("setImmediate(() => { throw new Error('a defect of a test') })"),
    )
    const pid = pidOf(serving, 1)
    let errors = ''
    serving.child.stderr.on('data', (piece: Buffer) => (errors += piece.toString()))
    process.kill(pid, 'SIGHUP')
    await until(() => pidOf(serving, 1) !== pid)
    expect(errors).to.include('Error: a defect of a test')
    expect(serving.log()).to.match(/"worker":1,"detail":"pid \d+, status 1;[^\n]*"event":"worker died"/)
    expect(await serving.stop()).to.equal(0)
  })

  it('continues if the lines are not read, and later reports and counts the dropped lines', async () => {
    const progress = join(place.folder, 'progress')
    const long = `writeAll(('x'.repeat(1023) + '\\n').repeat(1024))`
    const env = preloaded(`for (let n = 0; n < 8; n += 1) ${long}; fs.writeFileSync('${progress}', 'done')`)
    const { child, ended, origin, log } = await place.serve({ ...env, METRICS_PORT: '0' })
    const metrics = metricsOf({ log })
    child.stdout.removeAllListeners('data').pause()
    process.kill(pidOf({ log }, 1), 'SIGHUP')
    await until(() => existsSync(progress))
    for (let n = 0; n < 10; n += 1) expect(await ask({ origin }, `request-number-${n}`)).to.equal(true)
    let dropped = 0
    await until(async () => {
      const scraped = await (await fetch(`${metrics}/metrics`)).text()
      dropped = Number(/^kennel_log_lines_dropped_total (\d+)$/m.exec(scraped)?.[1])
      return dropped > 0
    })
    let rest = ''
    child.stdout.on('data', (piece: Buffer) => (rest += piece.toString())).resume()
    await until(() => rest.includes('"event":"log lines dropped"'))
    child.kill('SIGTERM')
    expect(await ended).to.equal(0)
    const counts = [...rest.matchAll(/"count":(\d+),"event":"log lines dropped"/g)].map(([, count]) => count)
    expect(Math.max(...counts.map(Number))).to.be.at.least(6 * 1024)
  })
})
