import { expect } from 'chai'
import { aProject } from '../../src/contracts/samples.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import { makeWorkplace, type Workplace } from './app.js'
import { seedAudit } from './audit-seeds.js'
import { onStoreOf } from './workplace-store.js'

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const UNKNOWN = {
  errors: [{ field: 'email', type: 'NotFound', message: 'There is no account with this email.', code: 404 }],
  save: 0,
}

type Row = Record<string, unknown>

type Exported = Readonly<Record<'account' | 'secondFactor', Readonly<Record<string, unknown>>>> &
  Readonly<Record<'auditRecords' | 'projects' | 'sessions', readonly Readonly<Record<string, unknown>>[]>>

describe('app', () => {
  let place: Workplace

  before(async () => {
    place = await makeWorkplace()
    await place.app(['role', 'create', 'editor', 'Editor'])
    await place.app(['role', 'create', 'author', 'Author'])
    for (const email of ['ada@example.com', 'bob@example.com']) {
      await place.app(['user', 'create', email, '--password-stdin'], { input: 'a good long password' })
    }
    await place.app(['user', 'role', 'ada@example.com', 'editor'])
  })
  after(() => place.remove())

  const run = async (...args: string[]) => {
    const { code, stdout } = await place.app(args)
    return [code, JSON.parse(stdout) as unknown] as const
  }
  const rowsOf = async (...args: string[]) => (await run(...args))[1] as Row[]

  async function logIn(origin: string): Promise<number> {
    const reply = await fetch(`${origin}/api/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email: 'bob@example.com', password: 'a good long password' }),
    })
    return reply.status
  }

  it('role list: the table by key', async () => {
    const [code, rows] = await run('role', 'list')
    expect(code).to.equal(0)
    expect((rows as Row[]).map(({ key, label }) => [key, label])).to.deep.equal([
      ['author', 'Author'],
      ['editor', 'Editor'],
    ])
  })

  it('user list: no hashes, a row on each line', async () => {
    const { stdout } = await place.app(['user', 'list'])
    const [ada, bob] = JSON.parse(stdout) as [Row, Row]
    expect(stdout.trim().split('\n')).to.have.length(2)
    expect(ada).to.deep.include({ id: 1, email: 'ada@example.com', roles: ['editor'], disabledAt: null })
    expect(ada['createdAt']).to.match(ISO)
    expect(Object.keys(bob)).to.deep.equal(['id', 'email', 'roles', 'createdAt', 'disabledAt'])
  })

  it('user disable ends sessions and blocks the login; user enable allows it again', async () => {
    const { origin, child, ended } = await place.serve()
    const before = await logIn(origin)
    const active = await rowsOf('session', 'list', 'bob@example.com')
    const disabled = await run('user', 'disable', 'bob@example.com')
    const again = await run('user', 'disable', 'bob@example.com')
    const ended_ = await rowsOf('session', 'list', 'bob@example.com')
    const barred = await logIn(origin)
    const [, bob] = await rowsOf('user', 'list')
    const enabled = await run('user', 'enable', 'bob@example.com')
    const after = await logIn(origin)
    child.kill()
    await ended
    expect([before, barred, after]).to.deep.equal([200, 401, 200])
    expect([active.length, ended_.length]).to.deep.equal([1, 0])
    expect([disabled, again, enabled]).to.deep.equal(Array(3).fill([0, { errors: [], save: 1 }]))
    expect(bob?.['disabledAt']).to.match(ISO)
  })

  it('user show: one account with its sessions and its last login, and no hash', async () => {
    const { origin, child, ended } = await place.serve()
    await logIn(origin)
    child.kill()
    await ended
    const [code, shown] = await run('user', 'show', 'BOB@example.com')
    const [, ada] = await run('user', 'show', 'ada@example.com')
    expect(code).to.equal(0)
    expect(Object.keys(shown as Row)).to.deep.equal([
      ...['id', 'email', 'roles', 'createdAt', 'disabledAt'],
      ...['sessions', 'secondFactor', 'lastLoginAt'],
    ])
    expect(shown).to.deep.include({ id: 2, email: 'bob@example.com', roles: [], disabledAt: null })
    expect((shown as Row)['lastLoginAt']).to.match(ISO)
    expect((shown as { sessions: object }).sessions).to.have.keys('active', 'more')
    expect(ada).to.deep.include({
      lastLoginAt: null,
      sessions: { active: 0, more: false },
      roles: ['editor'],
    })
  })

  it('session list shows no keys, session revoke ends them all', async () => {
    const { origin, child, ended } = await place.serve()
    await run('session', 'revoke', 'bob@example.com')
    await logIn(origin)
    await logIn(origin)
    const rows = await rowsOf('session', 'list', 'bob@example.com')
    const [first, second] = rows.map(({ id }) => String(id))
    const idsOf = async (...args: string[]) =>
      (await rowsOf('session', 'list', 'bob@example.com', ...args)).map(({ id }) => id)
    const parts = [
      await idsOf('--limit', '1'),
      await idsOf('--after', first ?? ''),
      await idsOf('--after', second ?? ''),
    ]
    const unknown = await run('session', 'list', 'bob@example.com', '--after', 'none')
    const revoked = await run('session', 'revoke', 'bob@example.com')
    const none = await run('session', 'list', 'bob@example.com')
    child.kill()
    await ended
    expect(rows).to.have.length(2)
    expect(parts).to.deep.equal([[first], [second], []])
    expect([unknown[0], (unknown[1] as { save: number }).save]).to.deep.equal([1, 0])
    expect(Object.keys(rows[0] ?? {})).to.deep.equal([
      'id',
      'createdAt',
      'refreshedAt',
      'idleEndsAt',
      'endsAt',
      'client',
      'network',
    ])
    expect(rows.map(({ client, network }) => [client, network])).to.deep.equal(
      rows.map(() => ['node', '127.0.0.1']),
    )
    expect(revoked).to.deep.equal([0, { errors: [], save: 1, ended: 2 }])
    expect(none).to.deep.equal([0, []])
  })

  it('apikey list shows dates and never a key; apikey revoke ends it immediately', async () => {
    const [, made] = await run('apikey', 'create', 'Shop front', '--role', 'editor')
    const { id, key } = made as { id: number; key: string }
    const { origin, child, ended } = await place.serve()
    const ask = async () => (await fetch(`${origin}/v1/pets`, { headers: { 'X-API-Key': key } })).status
    const before = await ask()
    const revoked = await run('apikey', 'revoke', String(id))
    const after = await ask()
    child.kill()
    await ended
    const { stdout } = await place.app(['apikey', 'list'])
    const [row] = JSON.parse(stdout) as [Row]
    expect([before, after]).to.deep.equal([200, 401])
    expect(revoked).to.deep.equal([0, { errors: [], save: 1 }])
    expect(Object.keys(row)).to.deep.equal([
      ...['id', 'name', 'roles', 'createdAt', 'revokedAt'],
      ...['expiresAt', 'lastUsedAt'],
    ])
    expect(row['lastUsedAt']).to.match(/T\d\d:00:00\.000Z$/)
    expect(row['revokedAt']).to.match(ISO)
    expect(stdout).to.not.contain(key.slice('kennel_'.length))
  })

  it('apikey create --expires ends the key automatically; apikey list shows when', async () => {
    const [code, made] = await run('apikey', 'create', 'Quarter', '--expires', '90d')
    const [later] = await run('apikey', 'create', 'Until a day', '--expires', '2035-03-01')
    const { stdout } = await place.app(['apikey', 'list', '--after', '1'])
    const [quarter, day] = JSON.parse(stdout) as [Row, Row]
    const lasts = Date.parse(String(quarter['expiresAt'])) - Date.parse(String(quarter['createdAt']))
    expect([code, later, (made as Row)['id'], quarter['id']]).to.deep.equal([0, 0, 2, 2])
    expect(lasts / 86_400_000).to.be.closeTo(90, 0.01)
    expect(day['expiresAt']).to.equal('2035-03-01T00:00:00.000Z')
  })

  for (const expires of ['0d', '2020-01-01', '365250d', '999999999d']) {
    it(`apikey create --expires ${expires}: creates no key`, async () => {
      const [code, result] = await run('apikey', 'create', 'Wrong', '--expires', expires)
      expect(code).to.equal(1)
      expect(result).to.deep.equal({
        errors: [
          {
            message: 'must be a moment from now to ten years ahead',
            field: 'expiresAt',
            type: 'NotValid',
            code: 400,
          },
        ],
        save: 0,
      })
    })
  }

  for (const wrong of ['0', '90', '90w', '1y', '-1d', '1.5d', '', 'tomorrow', '2026-02-30']) {
    it(`apikey create --expires=${wrong}: wrong usage`, async () => {
      const { code, stdout } = await place.app(['apikey', 'create', 'Wrong', `--expires=${wrong}`])
      expect([code, stdout]).to.deep.equal([2, ''])
    })
  }

  it('role list and apikey list: the first page, and the page after it', async () => {
    const keysOf = async (...args: string[]) => (await rowsOf('role', 'list', ...args)).map(({ key }) => key)
    expect(await keysOf('--limit', '1')).to.deep.equal(['author'])
    expect(await keysOf('--limit', '1', '--after', 'author')).to.deep.equal(['editor'])
    expect(await keysOf('--after', 'b')).to.deep.equal(['editor'])
    expect(await keysOf('--after', 'editor')).to.deep.equal([])
    const idsOf = async (...args: string[]) => (await rowsOf('apikey', 'list', ...args)).map(({ id }) => id)
    expect(await idsOf('--limit', '1', '--after', '1')).to.deep.equal([2])
    expect(await idsOf('--after', '99')).to.deep.equal([])
    for (const topic of ['role', 'apikey'])
      expect((await place.app([topic, 'list', '--limit', '0'])).code).to.equal(2)
  })

  for (const [id, type] of [
    ['99', 'NotFound'],
    ['zero', 'Format'],
    ['1e1', 'Format'],
  ] as const) {
    it(`apikey revoke ${id}: nothing is saved`, async () => {
      const [code, result] = await run('apikey', 'revoke', id)
      expect([code, result]).to.have.deep.nested.property('[1].save', 0)
      expect([code, result]).to.have.nested.property('[1].errors[0].type', type)
      expect(code).to.equal(1)
    })
  }

  for (const command of [
    ['user', 'show'],
    ['user', 'disable'],
    ['user', 'enable'],
    ['user', 'export'],
    ['user', 'delete'],
    ['session', 'list'],
    ['session', 'revoke'],
  ]) {
    it(`${command.join(' ')}: an unknown account is an error, and a missing argument is wrong usage`, async () => {
      expect(await run(...command, 'nobody@example.com')).to.deep.equal([1, UNKNOWN])
      const { code, stdout } = await place.app(command)
      expect([code, stdout]).to.deep.equal([2, ''])
    })
  }

  it('user export prints one document, with times in ISO format and no hash', async () => {
    await place.app(['user', 'create', 'dora@example.com', '--password-stdin'], { input: 'a good long one' })
    const empty = await place.app(['user', 'export', 'dora@example.com'])
    const { account, auditRecords, ...rest } = JSON.parse(empty.stdout) as Exported
    expect(empty.code).to.equal(0)
    expect(account).to.include({ email: 'dora@example.com', hasPassword: true })
    expect(account['createdAt']).to.match(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(rest).to.deep.equal({ secondFactor: null, resetTokens: [], mails: [], sessions: [], projects: [] })
    expect(auditRecords.map(({ event }) => event)).to.deep.equal(['user.create', 'user.export'])
    expect(empty.stdout).to.not.match(/scrypt|c2NyeXB0/)
  })

  it('user export prints one document even if it is longer than a page, a row on each line', async () => {
    const seed = { event: 'login', actor: 'account:3', subject: 'account:3', outcome: 'success' } as const
    const seeds = Array.from({ length: 1_001 }, (_, index) => ({
      ...{ ...seed, at: Date.now() - 10_000 + index, accounts: [3 as AccountId] },
    }))
    await seedAudit(place, seeds)
    await onStoreOf(place, async ({ projects }) => {
      for (let count = 0; count < 101; count += 1)
        await projects.insert(aProject(`House ${count}`), 3 as AccountId, Date.now())
    })
    const { code, stdout } = await place.app(['user', 'export', 'dora@example.com'])
    const { auditRecords, projects } = JSON.parse(stdout) as Exported
    expect([code, projects.length]).to.deep.equal([0, 101])
    expect(auditRecords.filter(({ event }) => event === 'login')).to.have.length(1_001)
    expect(auditRecords.at(-1)).to.include({ event: 'user.export', subject: 'account:3' })
    expect(stdout.split('\n').filter((line) => line.includes('"House '))).to.have.length(101)
  })

  it('user delete removes the account and its sessions; the ID is not used again', async () => {
    await place.app(['user', 'create', 'eve@example.com', '--password-stdin'], { input: 'a good long one' })
    const deleted = await run('user', 'delete', 'eve@example.com')
    await place.app(['user', 'create', 'eve@example.com', '--password-stdin'], { input: 'a good long one' })
    const rows = await rowsOf('user', 'list')
    expect(deleted).to.deep.equal([0, { errors: [], save: 1 }])
    expect(rows.at(-1)).to.include({ email: 'eve@example.com', id: 5 })
  })

  it('store purge prints the number of removed records', async () => {
    expect(await run('store', 'purge')).to.deep.equal([0, { errors: [], save: 1, removed: 0 }])
  })
})
