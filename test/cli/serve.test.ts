import { connect } from 'node:net'
import { expect } from 'chai'
import { credentialsIn, workplaceOfTests, type Serving } from './app.js'
import { halfOf, until, onLinuxOnly, linesIn } from './workers.js'
import { connectionTable, expectedOf, outcomesOf } from '../support/http/connection-table.js'

describe('app serve', () => {
  const place = workplaceOfTests()

  it('uses the same generated passphrase after a restart, so that the sessions stay valid', async () => {
    const [email, input] = ['ada@example.com', 'a good long password']
    await place.run(`user create ${email} --password-stdin`, { input })
    const first = await place.serve({ PUBLIC_URL: 'http://127.0.0.1:1' })
    const login = await first.logIn(email, input)
    const headers = await credentialsIn(login)
    await first.stop()
    expect(first.log()).to.contain('tokens are signed with a passphrase that was generated for development')
    const second = await place.serve({ PUBLIC_URL: 'http://127.0.0.1:1' })
    const identity = await fetch(`${second.origin}/api/auth/get-identity`, { headers })
    await second.stop()
    expect(identity.status).to.equal(200)
  })

  it('drains on SIGHUP, even if a closing terminal sends the signal twice', async () => {
    const { origin, child, ended, log } = await place.serve({ SHUTDOWN_GRACE: '60s' })
    const halfway = await halfOf(origin)
    child.kill('SIGHUP')
    await until(() => log().includes('"stopping"'))
    child.kill('SIGHUP')
    // The log line about this later signal shows that the second SIGHUP was handled.
    child.kill('SIGUSR2')
    await until(() => log().includes('"log level"'))
    expect([await halfway.finish(), await ended]).to.deep.equal([200, 0])
  })

  it('completes all requests in progress after SIGTERM under load, and exits with status 0', async () => {
    const { origin, child, ended } = await place.serve()
    const { hostname, port } = new URL(origin)
    const statuses: number[] = []
    let stopping = false
    const load = Array.from({ length: 8 }, async () => {
      while (!stopping) {
        const status = await statusOf(hostname, Number(port))
        if (status !== undefined) statuses.push(status)
      }
    })
    await until(() => statuses.length >= 200)
    child.kill('SIGTERM')
    const code = await ended
    stopping = true
    await Promise.all(load)
    expect(code).to.equal(0)
    expect(new Set(statuses)).to.deep.equal(new Set([200]))
  })

  it('stops immediately on a second signal', async () => {
    const { origin, child, ended, log } = await place.serve({ SHUTDOWN_GRACE: '60s' })
    const halfway = await halfOf(origin)
    child.kill('SIGHUP')
    await until(() => log().includes('"stopping"'))
    child.kill('SIGTERM')
    const how = await ended
    halfway.destroy()
    expect(how).to.equal('SIGTERM')
  })

  it('reports every configuration error and does not start', async () => {
    const { code, stdout, stderr } = await place.child(['serve'], {
      env: { LOG_LEVEL: 'canary', NODE_ENV: 'production', CORS_ORIGINS: '*' },
    })
    expect([code, stdout]).to.deep.equal([1, ''])
    for (const name of ['LOG_LEVEL', 'PUBLIC_URL', 'CORS_ORIGINS', 'SECURITY_JWT_PASSPHRASE']) {
      expect(stderr).to.contain(name)
    }
    expect(stderr).to.not.contain('canary')
    expect(stderr).to.not.match(/\n\s+at /)
  })
})

/** Sends one request on a separate connection; returns the status, or `undefined` if the server accepted no byte. */
async function statusOf(host: string, port: number): Promise<number | undefined> {
  const socket = connect(port, host)
  socket.on('error', () => undefined)
  socket.write('GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  let text = ''
  socket.on('data', (chunk) => (text += chunk.toString()))
  await new Promise((resolve) => socket.once('close', resolve))
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]
  return status === undefined ? undefined : Number(status)
}

const EMAIL = 'ada@example.com'
const PASSWORD = 'a quiet river at dusk'
const LIMITS = { REQUEST_TIMEOUT: '2s', KEEP_ALIVE_TIMEOUT: '65s', SHUTDOWN_GRACE: '2s' }

describe('app serve', () => {
  const place = workplaceOfTests()

  onLinuxOnly()

  it('sends the expected responses to half-closed, slow, broken and pipelining clients', async () => {
    const input = `${PASSWORD}\n`
    await place.app(['user', 'create', EMAIL, '--password-stdin'], { input })
    const { stdout } = await place.app(['apikey', 'create', 'one'])
    const { key } = JSON.parse(stdout) as { key: string }
    const table = connectionTable({ apiKey: key, email: EMAIL, password: PASSWORD })
    const service = await place.serve({ ...LIMITS, WORKERS: '2' })
    expect(await outcomesOf(service.origin, table)).to.deep.equal(expectedOf(table))
    expect(await service.stop()).to.equal(0)
    expect(service.log().match(/.*"level":"error".*/g)).to.equal(null)
  })
})

describe('the log of app serve', () => {
  const place = workplaceOfTests()

  /** A rejected request; the reason is logged at debug level. */
  const refused = (origin: string, id: string) =>
    fetch(`${origin}/v1/pets`, { headers: { 'X-API-Key': 'unknown', 'X-Request-Id': id } })
  const levels = ({ log }: Serving) =>
    linesIn(log()).flatMap(({ event, detail }) => (event === 'log level' ? [detail] : []))

  it('changes to debug on SIGUSR2 and back on the next SIGUSR2, while the service responds', async () => {
    const serving = await place.serve({ TRUST_PROXY: '1' })
    const switchLevel = async (to: string) => {
      serving.child.kill('SIGUSR2')
      await until(() => levels(serving).includes(to))
    }
    const loggedFor = async (id: string) => {
      await refused(serving.origin, id)
      const told = () => linesIn(serving.log()).filter(({ requestId }) => requestId === id)
      await until(() => told().some(({ event }) => event === 'request'))
      return told().map(({ level, event }) => `${String(level)} ${String(event)}`)
    }
    await switchLevel('debug')
    expect(await loggedFor('request-debug')).to.deep.equal(['debug request refused', 'info request'])
    await switchLevel('info')
    expect(await loggedFor('request-info')).to.deep.equal(['info request'])
    expect(await serving.stop()).to.equal(0)
    expect(levels(serving)).to.deep.equal(['debug', 'info'])
  })

  it('contains every finished request when a second signal stops the service immediately', async () => {
    const serving = await place.serve({ TRUST_PROXY: '1' })
    const ids = Array.from({ length: 50 }, (_, index) => `request-number-${index}`)
    await Promise.all(ids.map((id) => refused(serving.origin, id)))
    serving.child.kill('SIGTERM')
    serving.child.kill('SIGINT')
    await serving.ended
    const told = linesIn(serving.log()).filter(({ event }) => event === 'request')
    expect(told.map(({ requestId }) => requestId)).to.include.members(ids)
  })
})
