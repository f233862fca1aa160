import { userInfo } from 'node:os'
import { expect } from 'chai'
import { type Outcome, type Serving, workplaceOfTests } from './app.js'
import { seedAudit } from './audit-seeds.js'

const DAY = 86_400_000
const CANARY = 'cAnArY'
const PASSWORD = `${CANARY} password`
const OPERATOR = `cli:${userInfo().username}`
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

type Row = Readonly<Record<string, unknown>>
type Issued = { readonly view: { readonly jwt: string; readonly refreshToken: string } }

describe('the audit log of app', () => {
  const place = workplaceOfTests()

  const auditRows = async () => JSON.parse((await place.app(['audit', 'list'])).stdout) as Row[]
  const run = (command: string, env: Record<string, string> = {}) =>
    place.app(command.split(' '), { env, input: PASSWORD })
  const createAda = (env: Record<string, string> = {}) =>
    run('user create ada@example.com --password-stdin', env)
  const auditLinesOf = ({ stderr }: Pick<Outcome, 'stderr'>) =>
    stderr
      .split('\n')
      .filter((line) => line.includes('"event":"audit"'))
      .map((line) => JSON.parse(line) as Row)

  it('has every command that changes something, with the system user as actor', async () => {
    const steps: readonly (readonly [string, ...[event: string, subject: string | null][]])[] = [
      ['role create editor Editor'],
      ['user create ada@example.com --password-stdin', ['user.create', 'account:1']],
      ['user create bob@example.com --password-stdin', ['user.create', 'account:2']],
      ['user role ada@example.com editor', ['role.assign', 'account:1 role:editor']],
      ['user role ada@example.com editor'],
      ['user role ada@example.com editor --remove', ['role.remove', 'account:1 role:editor']],
      ['user password ada@example.com --password-stdin', ['password.set', 'account:1']],
      ['user password --all', ['password.set', 'account:1'], ['password.set', 'account:2']],
      ['user disable ada@example.com', ['user.disable', 'account:1']],
      ['user enable ada@example.com', ['user.enable', 'account:1']],
      ['session revoke ada@example.com', ['session.revoke', 'account:1']],
      ['user export ada@example.com', ['user.export', 'account:1']],
      ['user delete bob@example.com', ['user.delete', 'account:2']],
      ['apikey create shop', ['apikey.create', 'apikey:1']],
      ['apikey revoke 1', ['apikey.revoke', 'apikey:1']],
      ...['user list', 'role list', 'session list ada@example.com', 'apikey list', 'store purge'].map(
        (command) => [command] as const,
      ),
    ]
    for (const [command] of steps) expect((await run(command)).code, command).to.equal(0)
    const imported = await place.app(['user', 'import', '-'], {
      input: ['carl', 'dora'].map((name) => JSON.stringify({ email: `${name}@example.com` })).join('\n'),
    })
    expect(JSON.parse(imported.stdout)).to.include({ save: 2 })
    const rows = await auditRows()
    const expected = [...steps.flatMap(([, ...records]) => records), ['user.import', null] as const]
    const common = { actor: OPERATOR, address: null, requestId: null, outcome: 'success' }
    expect(rows.map(({ at: _at, id: _id, ...row }) => row)).to.deep.equal(
      expected.map(([event, subject]) => ({ event, subject, ...common })),
    )
    for (const { at } of rows) expect(at).to.match(ISO)
  })

  it('has nothing about a command that saved nothing', async () => {
    await createAda({ AUDIT: 'off' })
    for (const command of [
      'user create ada@example.com --password-stdin',
      ...['user password nobody@example.com --password-stdin', 'user role ada@example.com unknown'],
      ...['user disable nobody@example.com', 'user export nobody@example.com'],
      ...['user delete nobody@example.com', 'session revoke nobody@example.com', 'apikey revoke 7'],
    ]) {
      expect((await run(command)).code, command).to.equal(1)
    }
    expect(await auditRows()).to.deep.equal([])
  })

  it('is empty with AUDIT=off', async () => {
    const outcome = await createAda({ AUDIT: 'off' })
    expect([outcome.code, auditLinesOf(outcome)]).to.deep.equal([0, []])
    expect(await auditRows()).to.deep.equal([])
  })

  it('is a line on standard error with AUDIT=log, and nothing in the store', async () => {
    const outcome = await createAda({ AUDIT: 'log' })
    expect([outcome.code, outcome.stdout]).to.deep.equal([0, '{"errors":[],"save":1}\n'])
    expect(auditLinesOf(outcome).map(({ time: _time, ...line }) => line)).to.deep.equal([
      {
        level: 'info',
        audit: { event: 'user.create', actor: OPERATOR, subject: 'account:1', outcome: 'success' },
        event: 'audit',
      },
    ])
    expect(await auditRows()).to.deep.equal([])
  })

  it('has no line on standard error with AUDIT=store', async () => {
    const { code, stderr } = await createAda()
    expect([code, stderr]).to.deep.equal([0, ''])
    expect(await auditRows()).to.have.length(1)
  })

  it('has both with AUDIT=store,log', async () => {
    const created = await createAda({ AUDIT: 'store,log' })
    const disabled = await run('user disable ada@example.com', { AUDIT: 'log, store' })
    const events = ['user.create', 'user.disable']
    const lines = [created, disabled].flatMap(auditLinesOf)
    expect(lines.map(({ audit }) => (audit as Row)['event'])).to.deep.equal(events)
    expect((await auditRows()).map(({ event }) => event)).to.deep.equal(events)
  })

  it('keeps records for AUDIT_RETENTION, a year by default', async () => {
    const ages = [3_651, 366, 364, 2, 0]
    const now = Date.now()
    const plain = { event: 'login', actor: 'anonymous', outcome: 'failure', accounts: [] } as const
    await seedAudit(
      place,
      ages.map((age) => ({ ...plain, at: now - age * DAY })),
    )
    const purged = async (env: Record<string, string>) =>
      (JSON.parse((await run('store purge', env)).stdout) as { removed: number }).removed
    expect(await purged({ AUDIT_RETENTION: 'forever' })).to.equal(0)
    expect(await purged({})).to.equal(2)
    expect(await purged({ AUDIT_RETENTION: '1d' })).to.equal(2)
    expect((await auditRows()).map(({ at }) => at)).to.deep.equal([new Date(now).toISOString()])
  })

  it('has no secret in any row or line after many commands and requests', async () => {
    await createAda()
    await run('user password ada@example.com --password-stdin')
    const made = await place.app(['apikey', 'create', `${CANARY} key`])
    const { key } = JSON.parse(made.stdout) as { key: string }
    const serving = await place.serve({ AUDIT: 'store,log', TRUST_PROXY: '1' })
    const issued = await dayOfRequests(serving, key)
    await serving.stop()
    const { stdout } = await place.app(['audit', 'list'])
    const rows = JSON.parse(stdout) as Row[]
    expect(rows.map(({ event, outcome }) => `${String(event)} ${String(outcome)}`)).to.deep.equal([
      ...['user.create success', 'password.set success', 'apikey.create success'],
      ...['login success', 'login failure', 'login failure', 'logout success'],
    ])
    expect(rows[3]).to.include({ actor: 'account:1', address: '127.0.0.1', requestId: 'request-of-login' })
    const lines = auditLinesOf({ stderr: serving.log() })
    expect(lines).to.have.length(4)
    for (const secret of [CANARY, key, key.slice('kennel_'.length), ...issued]) {
      expect(secret).to.have.length.greaterThan(5)
      expect(stdout.includes(secret)).to.equal(false)
      expect(serving.log().includes(secret)).to.equal(false)
    }
  })
})

/** Logs in, successfully and not, refreshes, reads pets and logs out; returns every secret that was handed out. */
async function dayOfRequests({ origin }: Serving, key: string): Promise<readonly string[]> {
  const post = (path: string, json: object, headers: Record<string, string> = {}) =>
    fetch(`${origin}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'User-Agent': CANARY, ...headers },
      body: JSON.stringify(json),
    })
  const issuedBy = async (reply: Response) => {
    const { jwt, refreshToken } = ((await reply.json()) as Issued).view
    const cookie = reply.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    return { jwt, refreshToken, cookie }
  }
  const email = 'ada@example.com'
  const login = await post('login', { email, password: PASSWORD }, { 'X-Request-Id': 'request-of-login' })
  const first = await issuedBy(login)
  const wrong = [
    await post('login', { email, password: `${CANARY} wrong` }),
    await post('login', { email: `${CANARY}@example.com`, password: PASSWORD }),
  ]
  const refresh = await post('refresh', { refreshToken: first.refreshToken }, { Cookie: first.cookie })
  const second = await issuedBy(refresh)
  const pets = await fetch(`${origin}/v1/pets`, { headers: { 'X-API-Key': key } })
  const held = { Cookie: second.cookie, 'X-Authorization': `Bearer ${second.jwt}` }
  const logout = await post('logout', {}, held)
  expect([...wrong, refresh, pets, logout].map(({ status }) => status)).to.deep.equal([
    401, 401, 200, 200, 200,
  ])
  return [first, second].flatMap(({ cookie, jwt, refreshToken }) => [
    cookie.slice(cookie.indexOf('=') + 1),
    jwt,
    refreshToken,
  ])
}
