import cluster from 'node:cluster'
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import { stopProcess } from '../support/stop-process.js'
import { APP, type Serving, workplaceOfTests } from './app.js'
import { halfOf, onLinuxOnly, pidOf, processesIn, until } from './workers.js'

const TWO = { WORKERS: '2' }

describe('app serve with two workers', () => {
  const place = workplaceOfTests()

  onLinuxOnly()

  // When a terminal closes, each process in its group gets SIGHUP.
  it('is ready when both workers are ready, and drains both on SIGHUP', async () => {
    const serving = await place.serve({ ...TWO, SHUTDOWN_GRACE: '60s' })
    const { origin, child, ended, log } = serving
    const halfway = [await halfOf(origin), await halfOf(origin)]
    for (const number of [1, 2]) process.kill(pidOf(serving, number), 'SIGHUP')
    child.kill('SIGHUP')
    await until(() => log().includes('"stopping"'))
    const replies = await Promise.all(halfway.map((one) => one.finish()))
    expect([await ended, ...replies]).to.deep.equal([0, 200, 200])
    const events = [...log().matchAll(/"event":"(worker ready|ready|stopping|stopped)"/g)].map(
      ([, one]) => one,
    )
    expect(events).to.deep.equal(['worker ready', 'worker ready', 'ready', 'stopping', 'stopped'])
  })

  it('keeps serving when a worker is killed, logs the death, and restarts the worker', async () => {
    const serving = await place.serve(TWO)
    const first = pidOf(serving, 1)
    expect(readFileSync(`/proc/${first}/cmdline`, 'utf8')).to.include('--max-semi-space-size=8')
    process.kill(first, 'SIGKILL')
    await until(() => pidOf(serving, 1) !== first)
    const statuses = await Promise.all(Array.from({ length: 8 }, () => readiness(serving)))
    expect(new Set(statuses)).to.deep.equal(new Set([200]))
    const died =
      /"level":"error",.*"worker":1,"detail":"pid (\d+), SIGKILL; started again in 100 ms","event":"worker died"/
    expect(died.exec(serving.log())?.[1]).to.equal(String(first))
    expect(await serving.stop()).to.equal(0)
  })

  it('continues if standard error is not read, with any number of workers', async () => {
    const NODE_OPTIONS = '--report-on-signal --report-signal=SIGHUP'
    const serving = await place.serve({ WORKERS: '11', NODE_OPTIONS })
    expect(serving.log()).not.to.include('Warning')
    serving.child.stderr.destroy()
    const first = pidOf(serving, 1)
    // Node writes a message about the report to standard error.
    process.kill(first, 'SIGHUP')
    await until(() => readdirSync(place.folder).some((name) => name.startsWith('report.')))
    process.kill(first, 'SIGKILL')
    await until(() => pidOf(serving, 1) !== first)
    expect(await serving.stop()).to.equal(0)
  })

  it('hands a connection to the other worker if the first worker died before accepting it', async () => {
    const serving = await place.serve(TWO)
    const stopped = pidOf(serving, 1)
    await stopProcess(stopped)
    // Sends one request for each worker; the request for the stopped worker waits.
    const statuses = [readiness(serving), readiness(serving)]
    expect(await Promise.race(statuses)).to.equal(200)
    process.kill(stopped, 'SIGKILL')
    expect(await Promise.all(statuses)).to.deep.equal([200, 200])
    expect(await serving.stop()).to.equal(0)
  })

  it('resumes handing connections to a worker that had run out of file descriptors', async () => {
    const serving = await place.serve(TWO)
    const limit = (number: string) => {
      for (const worker of [1, 2])
        spawnSync('prlimit', ['--pid', String(pidOf(serving, worker)), `--nofile=${number}:`])
    }
    limit('1')
    const statuses = Array.from({ length: 4 }, () => readiness(serving))
    await until(() => serving.log().includes('"no free file descriptor"'))
    limit('1024')
    expect(await Promise.all(statuses)).to.deep.equal([200, 200, 200, 200])
    expect(await serving.stop()).to.equal(0)
  })

  it('kills a worker that does not stop within SHUTDOWN_GRACE, and logs the kill', async () => {
    const serving = await place.serve({ ...TWO, SHUTDOWN_GRACE: '0' })
    await stopProcess(pidOf(serving, 2))
    expect(await serving.stop()).to.equal(0)
    expect(serving.log()).to.match(/"level":"warn",.*"worker":2,.*"event":"worker killed"/)
    expect(processesIn(place.folder)).to.deep.equal([])
  })

  it('stops immediately with all its workers on a second signal', async () => {
    const { origin, child, ended, log } = await place.serve({ ...TWO, SHUTDOWN_GRACE: '60s' })
    const halfway = await halfOf(origin)
    child.kill('SIGTERM')
    await until(() => log().includes('"stopping"'))
    child.kill('SIGTERM')
    expect(await ended).to.equal('SIGTERM')
    halfway.destroy()
    await until(() => processesIn(place.folder).length === 0)
  })

  it('leaves no worker running when the primary process is killed, and completes requests in progress', async () => {
    const { origin, child, ended } = await place.serve({ ...TWO, SHUTDOWN_GRACE: '60s' })
    const halfway = await halfOf(origin)
    child.kill('SIGKILL')
    expect(await halfway.finish()).to.equal(200)
    await until(() => processesIn(place.folder).length === 0)
    await ended
  })

  it('completes requests in progress even if the primary process dies while handing over a connection', async () => {
    const { origin, child, ended, ...serving } = await place.serve({ ...TWO, SHUTDOWN_GRACE: '60s' })
    const halfway = [await halfOf(origin), await halfOf(origin)]
    for (const worker of [1, 2]) await stopProcess(pidOf(serving, worker))
    const { hostname, port } = new URL(origin)
    const waiting = [1, 2].map(() => connect(Number(port), hostname).on('error', () => undefined))
    // When the primary logs a later signal, the primary has already accepted these connections.
    await Promise.all(waiting.map((socket) => once(socket, 'connect')))
    const before = serving.log().length
    child.kill('SIGUSR2')
    await until(() => serving.log().slice(before).includes('"log level"'))
    child.kill('SIGKILL')
    await new Promise((resolve) => child.once('exit', resolve))
    for (const pid of processesIn(place.folder)) process.kill(pid, 'SIGCONT')
    expect(await Promise.all(halfway.map((one) => one.finish()))).to.deep.equal([200, 200])
    for (const socket of waiting) socket.destroy()
    await until(() => processesIn(place.folder).length === 0)
    await ended
  })

  it('lets only the primary process handle signals that are sent to the whole group', async () => {
    const serving = await place.serve(TWO)
    const pids = [pidOf(serving, 1), pidOf(serving, 2)]
    for (const pid of pids)
      for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGUSR2']) process.kill(pid, signal)
    expect(await Promise.all([readiness(serving), readiness(serving)])).to.deep.equal([200, 200])
    expect([pidOf(serving, 1), pidOf(serving, 2)]).to.deep.equal(pids)
    serving.child.kill('SIGINT')
    expect(await serving.ended).to.equal(0)
    expect(serving.log()).not.to.include('worker died')
  })

  it('imports accounts before the service responds to any request', async () => {
    writeFileSync(join(place.folder, 'accounts.ndjson'), '{"email": "ada@example.com"}\n')
    const { child, ended, log } = await place.serve(TWO, { args: ['--import', 'accounts.ndjson'] })
    child.kill('SIGTERM')
    await ended
    expect(log()).to.match(/"event":"accounts imported"[^]*"event":"worker ready"[^]*"event":"ready"/)
  })

  it('divides MAX_CONNECTIONS among the workers, each of which closes connections above its limit', async () => {
    const { origin, child, ended, log } = await place.serve({ ...TWO, MAX_CONNECTIONS: '2' })
    const first = [await halfOf(origin), await halfOf(origin)]
    const { hostname, port } = new URL(origin)
    const third = connect(Number(port), hostname)
    third.on('error', () => undefined)
    await new Promise((resolve) => third.once('close', resolve))
    child.kill('SIGTERM')
    await until(() => log().includes('"stopping"'))
    expect(await Promise.all(first.map((one) => one.finish()))).to.deep.equal([200, 200])
    expect(await ended).to.equal(0)
    expect(log()).to.include('more than MAX_CONNECTIONS concurrent connections')
  })

  it('restarts a worker that cannot open its store, and logs the reason', async () => {
    const file = join(place.folder, 'own.db')
    const serving = await place.serve({ ...TWO, DATABASE_URL: `sqlite:${file}` })
    renameSync(file, `${file}-aside`)
    mkdirSync(file)
    const killed = pidOf(serving, 1)
    process.kill(killed, 'SIGKILL')
    await until(() => /"worker":1,"detail":"pid \d+, status 1, [^";]+; started again/.test(serving.log()))
    rmdirSync(file)
    renameSync(`${file}-aside`, file)
    await until(() => pidOf(serving, 1) !== killed)
    await until(async () => (await readiness(serving)) === 200)
    expect(await serving.stop()).to.equal(0)
  })

  it('starts no workers inside another cluster: auto then means 1, and a higher number is rejected', async () => {
    const endOf = async (WORKERS: string) => {
      cluster.setupPrimary({ exec: APP, args: ['serve'], cwd: place.folder, silent: true })
      const worker = cluster.fork({ ...place.env, PORT: '0', WORKERS })
      worker.once('listening', () => worker.process.kill('SIGTERM'))
      const [code] = (await once(worker, 'exit')) as [number]
      return code
    }
    expect([await endOf('auto'), await endOf('2')]).to.deep.equal([0, 1])
  })
})

async function readiness({ origin }: Serving): Promise<number> {
  return (await fetch(`${origin}/health/ready`, { headers: { Connection: 'close' } })).status
}
