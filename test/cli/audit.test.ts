import { userInfo } from 'node:os'
import { expect } from 'chai'
import { type Outcome, workplaceOfTests } from './app.js'
import { seedAudit } from './audit-seeds.js'

const DAY = 86_400_000
const PASSWORD = 'a good long password'
const OPERATOR = `cli:${userInfo().username}`
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

type Row = Readonly<Record<string, unknown>>

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

  it('is in the store by default, with the system user as actor', async () => {
    const { code, stderr } = await createAda()
    expect([code, stderr]).to.deep.equal([0, ''])
    const [{ at, id: _, ...row } = {}, ...others] = await auditRows()
    const common = { actor: OPERATOR, address: null, requestId: null, outcome: 'success' }
    expect(row).to.deep.equal({ event: 'user.create', subject: 'account:1', ...common })
    expect(at).to.match(ISO)
    expect(others).to.deep.equal([])
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
})
