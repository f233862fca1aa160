import { expect } from 'chai'
import { aNewAccount, aProject, emailOf } from '../../src/contracts/samples.js'
import type { AccountId, Epoch } from '../../src/domain/identity/account.js'
import { workplaceOfTests, wrongUsageOf } from './app.js'

const PASSWORD = 'a good long password'
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const SAVED = [0, { errors: [], save: 1 }]
const UNKNOWN = {
  errors: [{ field: 'email', type: 'NotFound', message: 'There is no account with this email.', code: 404 }],
  save: 0,
}

type Row = Record<string, unknown>

type Exported = { account: Row; auditRecords: Row[]; projects: Row[] }

describe('app', () => {
  const place = workplaceOfTests({ shared: true })
  const create = (email: string) => place.run(`user create ${email} --password-stdin`, { input: PASSWORD })

  before(async () => {
    await place.run('role create editor Editor')
    await place.run('role create author Author')
    for (const email of ['ada@example.com', 'bob@example.com']) await create(email)
    await place.run('user role ada@example.com editor')
  })

  const rowsOf = async (command: string) => (await place.run(command))[1] as Row[]
  const membersOf = async (command: string, name: string) => (await rowsOf(command)).map((row) => row[name])

  it('role list: prints the roles ordered by key', async () => {
    expect(await membersOf('role list', 'key')).to.deep.equal(['author', 'editor'])
    expect(await membersOf('role list', 'label')).to.deep.equal(['Author', 'Editor'])
  })

  it('user list: prints one row per line, without hashes', async () => {
    const { stdout } = await place.app(['user', 'list'])
    const [ada, bob] = JSON.parse(stdout) as [Row, Row]
    expect(stdout.trim().split('\n')).to.have.length(2)
    expect(ada).to.deep.include({ id: 1, email: 'ada@example.com', roles: ['editor'], disabledAt: null })
    expect(ada['createdAt']).to.match(ISO)
    expect(Object.keys(bob)).to.deep.equal(['id', 'email', 'roles', 'createdAt', 'disabledAt'])
  })

  it('user disable and user enable: disable an account and enable it again', async () => {
    expect(await place.run('user disable bob@example.com')).to.deep.equal(SAVED)
    expect((await rowsOf('user list'))[1]?.['disabledAt']).to.match(ISO)
    expect(await place.run('user enable bob@example.com')).to.deep.equal(SAVED)
    expect((await rowsOf('user list'))[1]?.['disabledAt']).to.equal(null)
  })

  it('user show: prints one account with its sessions and its last login, without the hash', async () => {
    const { stop, logIn } = await place.serve()
    await logIn('bob@example.com', PASSWORD)
    await stop()
    const [code, bob] = await place.run('user show BOB@example.com')
    const [, ada] = await place.run('user show ada@example.com')
    expect(code).to.equal(0)
    expect(Object.keys(bob as Row)).to.deep.equal([
      ...['id', 'email', 'roles', 'createdAt', 'disabledAt'],
      ...['sessions', 'secondFactor', 'lastLoginAt'],
    ])
    expect(bob).to.deep.include({ id: 2, email: 'bob@example.com', roles: [], disabledAt: null })
    expect((bob as Row)['lastLoginAt']).to.match(ISO)
    expect((bob as { sessions: object }).sessions).to.have.keys('active', 'more')
    const sessions = { active: 0, more: false }
    expect(ada).to.deep.include({ lastLoginAt: null, sessions, roles: ['editor'] })
  })

  it('session list: prints pages without session keys; session revoke ends all sessions', async () => {
    const { stop, logIn } = await place.serve()
    await place.run('session revoke bob@example.com')
    for (const _ of ['once', 'twice']) await logIn('bob@example.com', PASSWORD)
    const rows = await rowsOf('session list bob@example.com')
    const [first, second] = rows.map(({ id }) => id)
    for (const [option, ids] of [
      ['--limit 1', [first]],
      [`--after ${String(first)}`, [second]],
      [`--after ${String(second)}`, []],
    ] as const)
      expect(await membersOf(`session list bob@example.com ${option}`, 'id')).to.deep.equal(ids)
    const [code, unknown] = await place.run('session list bob@example.com --after none')
    expect([code, (unknown as { save: number }).save]).to.deep.equal([1, 0])
    const ended = [0, { errors: [], save: 1, ended: 1 }]
    expect(await place.run(`session revoke bob@example.com -- ${String(second)}`)).to.deep.equal(ended)
    expect(await place.run('session revoke bob@example.com')).to.deep.equal(ended)
    expect(await rowsOf('session list bob@example.com')).to.deep.equal([])
    await stop()
    expect(rows).to.have.length(2)
    expect(Object.keys(rows[0] ?? {})).to.deep.equal([
      ...['id', 'createdAt', 'refreshedAt', 'idleEndsAt', 'endsAt', 'client', 'network'],
    ])
    for (const row of rows) expect(row).to.include({ client: 'node', network: '127.0.0.1' })
  })

  it('apikey list: prints dates but no keys, even for a revoked key', async () => {
    const { stdout: made } = await place.app(['apikey', 'create', 'Shop front', '--role', 'editor'])
    const { id, key } = JSON.parse(made) as { id: number; key: string }
    expect(await place.run(`apikey revoke ${id}`)).to.deep.equal(SAVED)
    const { stdout } = await place.app(['apikey', 'list'])
    const [row] = JSON.parse(stdout) as [Row]
    expect(Object.keys(row)).to.deep.equal([
      ...['id', 'name', 'roles', 'createdBy', 'createdAt', 'revokedAt'],
      ...['expiresAt', 'lastUsedAt'],
    ])
    expect(row['revokedAt']).to.match(ISO)
    expect(row['createdBy']).to.equal('cli')
    expect(key).to.match(/^kennel_[\w-]{43}$/)
    expect(stdout).to.not.contain(key.slice('kennel_'.length))
  })

  it('apikey create --expires: sets the expiry of the key, which apikey list shows', async () => {
    const made = await place.run('apikey create Quarter --expires 90d')
    const later = await place.run('apikey create Until --expires 2035-03-01')
    const [quarter, day] = await rowsOf('apikey list --after 1')
    const lasts = Date.parse(String(quarter?.['expiresAt'])) - Date.parse(String(quarter?.['createdAt']))
    expect([made[0], later[0], quarter?.['id']]).to.deep.equal([0, 0, 2])
    expect(lasts / 86_400_000).to.be.closeTo(90, 0.01)
    expect(day?.['expiresAt']).to.equal('2035-03-01T00:00:00.000Z')
  })

  it('role list and apikey list: print pages', async () => {
    for (const [command, name, values] of [
      ['role list --limit 1 --after author', 'key', ['editor']],
      ['apikey list --limit 1 --after 1', 'id', [2]],
    ] as const)
      expect(await membersOf(command, name), command).to.deep.equal(values)
  })

  for (const command of [
    ...['role list --limit 0', 'apikey list --limit 0', 'apikey create Wrong --expires=-1d'],
  ])
    it(`${command}: is rejected as a usage error`, async () => {
      await wrongUsageOf(place, command)
    })

  for (const command of [
    ...['show', 'factor', 'disable', 'enable', 'unlock', 'export', 'delete'].map((verb) => `user ${verb}`),
    ...['session list', 'session revoke'],
  ])
    it(`${command}: rejects an unknown account, and a missing argument as a usage error`, async () => {
      expect(await place.run(`${command} nobody@example.com`)).to.deep.equal([1, UNKNOWN])
      await wrongUsageOf(place, command)
    })

  it('user export: prints one document with one row per line', async () => {
    await create('dora@example.com')
    await place.onStore(async ({ projects }) => {
      for (const name of ['One', 'Two'])
        await projects.insert(aProject(`House ${name}`), 3 as AccountId, Date.now())
    })
    const { code, stdout } = await place.app(['user', 'export', 'dora@example.com'])
    const { account, auditRecords, projects } = JSON.parse(stdout) as Exported
    expect(account['createdAt']).to.match(ISO)
    expect([code, projects.length]).to.deep.equal([0, 2])
    expect(auditRecords.at(-1)).to.include({ event: 'user.export', subject: 'account:3' })
    expect(stdout.split('\n').filter((line) => line.includes('"House '))).to.have.length(2)
  })

  it('user delete: removes an account', async () => {
    expect(await place.run('user delete dora@example.com')).to.deep.equal(SAVED)
    expect(await membersOf('user list', 'email')).to.deep.equal(['ada@example.com', 'bob@example.com'])
  })

  it('user duplicates: lists accounts that share a canonical email, or an empty list', async () => {
    expect(await rowsOf('user duplicates')).to.deep.equal([])
    const account = (id: number, name: string) => ({
      ...{ ...aNewAccount(name), id: id as AccountId, epoch: 1 as Epoch, createdAt: 0, roles: [] },
      sharedEmail: emailOf('canonical'),
    })
    await place.onStore(async ({ copyableRecords: records }) => {
      await records?.put('account', [account(7, 'canonical'), account(8, 'former')])
    })
    const row = { canonicalEmail: 'canonical@example.org', roles: [], disabledAt: null }
    const createdAt = '1970-01-01T00:00:00.000Z'
    expect(await rowsOf('user duplicates')).to.deep.equal([
      { ...row, createdAt, id: 7, email: 'canonical@example.org' },
      { ...row, createdAt, id: 8, email: 'former@example.org' },
    ])
  })
})
