import { spawn } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect } from 'chai'
import { AUDIT_EVENTS } from '../../src/domain/audit.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import { timePrefix } from '../../src/domain/time-ordered-id.js'
import { APP, makeWorkplace, type Workplace } from './app.js'
import { seedAudit, type Seed } from './audit-seeds.js'
import { onTerminal } from './terminal.js'

const HOUR = 3_600_000
const NOW = Date.now()
const [ADA, GONE] = [1, 999] as readonly number[] as readonly [AccountId, AccountId]
const plain = { actor: 'anonymous', outcome: 'failure', accounts: [] } as const
/** The count of aggregated login failures within a minute. */
const FLOOD = { count: 1_745, countKey: 'minute and kind' } as const

const SEEDS: readonly Seed[] = [
  {
    ...{ at: Date.parse('2020-02-28T23:59:59.999Z'), event: 'role.assign', actor: 'cli:root' },
    ...{ subject: 'account:999 role:editor', outcome: 'success', accounts: [GONE] },
  },
  {
    ...{ at: Date.parse('2020-02-29T00:00:00.000Z'), event: 'impersonation.start', actor: 'account:1' },
    ...{ subject: 'account:999', address: '2001:db8::1', requestId: 'request-0001' },
    ...{ outcome: 'success', accounts: [ADA, GONE] },
  },
  { ...plain, at: Date.parse('2020-02-29T12:30:00.000Z'), event: 'login', address: '192.0.2.1', ...FLOOD },
  { ...plain, at: NOW - 25 * HOUR, event: 'login', subject: 'account:1', accounts: [ADA] },
  { ...plain, at: NOW - 23 * HOUR, event: 'refresh.reuse', subject: 'account:1', accounts: [ADA] },
]
const iso = (age: number) => new Date(NOW - age * HOUR).toISOString()
const LINES = [
  '{"at":"2020-02-28T23:59:59.999Z","event":"role.assign","actor":"cli:root","subject":"account:999 role:editor","address":null,"requestId":null,"outcome":"success"}',
  '{"at":"2020-02-29T00:00:00.000Z","event":"impersonation.start","actor":"account:1","subject":"account:999","address":"2001:db8::1","requestId":"request-0001","outcome":"success"}',
  '{"at":"2020-02-29T12:30:00.000Z","event":"login","actor":"anonymous","subject":null,"address":"192.0.2.1","requestId":null,"outcome":"failure","count":1745}',
  `{"at":"${iso(25)}","event":"login","actor":"anonymous","subject":"account:1","address":null,"requestId":null,"outcome":"failure"}`,
  `{"at":"${iso(23)}","event":"refresh.reuse","actor":"anonymous","subject":"account:1","address":null,"requestId":null,"outcome":"failure"}`,
]

/** The JSON document with these seeds. */
function documentOf(places: readonly number[]): string {
  const rows = places.map((place) => LINES[place]?.replace(/\}$/, `,"id":"${idOf(place)}"}`))
  return rows.length === 0 ? '[]\n' : `[${rows.join(',\n')}]\n`
}

/** The ID as `seedAudit` makes it. */
function idOf(place: number): string {
  return `${timePrefix(SEEDS[place]?.at ?? 0)}${String(place).padStart(6, '0')}`
}

describe('app audit list', () => {
  let place: Workplace
  before(async () => {
    place = await makeWorkplace()
    // This command is not audited, so the seeds are the only records.
    const [env, input] = [{ AUDIT: 'off' }, 'a good long password']
    await place.app(['user', 'create', 'ada@example.com', '--password-stdin'], { env, input })
    await seedAudit(place, SEEDS)
  })
  after(() => place.remove())

  const list = async (...args: string[]) => {
    const { code, stdout } = await place.app(['audit', 'list', ...args])
    return { code, stdout }
  }

  for (const [args, places] of [
    [[], [0, 1, 2, 3, 4]],
    [['--json'], [0, 1, 2, 3, 4]],
    [
      ['--user', 'ada@example.com'],
      [1, 3, 4],
    ],
    [
      ['--user', ' ADA@Example.com '],
      [1, 3, 4],
    ],
    [
      ['--user', '1'],
      [1, 3, 4],
    ],
    [
      ['--user', '999'],
      [0, 1],
    ],
    [['--user', '12345'], []],
    [
      ['--event', 'login'],
      [2, 3],
    ],
    [['--event', 'apikey.create'], []],
    [
      ['--since', '2020-02-29'],
      [1, 2, 3, 4],
    ],
    [
      ['--since', '2020-02-29T12:30Z'],
      [2, 3, 4],
    ],
    [
      ['--since', '2020-02-29T13:30:00.000+01:00'],
      [2, 3, 4],
    ],
    [
      ['--since', '2020-02-29T12:30:00.001Z'],
      [3, 4],
    ],
    [['--since', '24h'], [4]],
    [
      ['--since', '3650d'],
      [0, 1, 2, 3, 4],
    ],
    [['--since', '0m'], []],
    [['--user', '1', '--event', 'login', '--since', '2020-02-29'], [3]],
    [
      ['--limit', '2'],
      [0, 1],
    ],
    [
      ['--limit', '2', '--after', idOf(1)],
      [2, 3],
    ],
    [['--after', idOf(4)], []],
    [
      ['--limit', '9'],
      [0, 1, 2, 3, 4],
    ],
    [['--newest-first'], [4, 3, 2, 1, 0]],
    [
      ['--newest-first', '--limit', '2'],
      [4, 3],
    ],
    [
      ['--newest-first', '--limit', '2', '--after', idOf(3)],
      [2, 1],
    ],
    [['--newest-first', '--after', idOf(0)], []],
    [
      ['--newest-first', '--user', '1', '--limit', '2'],
      [4, 3],
    ],
    [
      ['--newest-first', '--event', 'login', '--since', '2020-02-29T12:30Z'],
      [3, 2],
    ],
  ] as const) {
    it(`${args.join(' ') || 'without options'}: ${places.length} rows in order`, async () => {
      expect(await list(...args)).to.deep.equal({ code: 0, stdout: documentOf(places) })
    })
  }

  for (const args of [
    ['--limit', '0'],
    ['--limit', '-1'],
    ['--limit', 'all'],
    ['--limit', '1.5'],
    ['--after', ''],
    ['--after', '{"$gt":""}'],
    ['--after', 'account:1'],
    ['--after', '43643a43-7af1-4a59-a259-bdeb578af6b7'],
    ['--after', 'last'],
  ]) {
    it(`${args.join(' ')}: wrong usage`, async () => {
      expect(await list(`${args[0]}=${args[1]}`)).to.deep.equal({ code: 2, stdout: '' })
    })
  }

  for (const [user, type, message] of [
    ['nobody@example.com', 'NotFound', 'There is no account with this email.'],
    ['no email', 'Format', 'email-not-valid'],
    ['0', 'Format', 'email-not-valid'],
    ['-1', 'Format', 'email-not-valid'],
    ['{"$gt":""}', 'Format', 'email-not-valid'],
  ] as const) {
    it(`--user ${user}: nothing, and the reason`, async () => {
      const { code, stdout } = await list(`--user=${user}`)
      const errors = [{ field: 'email', type, message, code: type === 'NotFound' ? 404 : 400 }]
      expect([code, JSON.parse(stdout)]).to.deep.equal([1, { errors, save: 0 }])
    })
  }

  for (const since of [
    '2020-02-30',
    '2019-02-29',
    '2020-02-29T12:30',
    '24',
    '24x',
    '-24h',
    'yesterday',
    '',
  ]) {
    it(`--since ${JSON.stringify(since)}: wrong usage`, async () => {
      const { code, stdout, stderr } = await place.app(['audit', 'list', `--since=${since}`])
      expect([code, stdout]).to.deep.equal([2, ''])
      expect(stderr.replace(/[\s›]+/g, ' ')).to.contain('--since is a time ago, such as 24h, or a date')
    })
  }

  it('--event unknown: wrong usage, with the known events', async () => {
    for (const event of ['unknown', 'LOGIN', '']) {
      const { code, stdout, stderr } = await place.app(['audit', 'list', `--event=${event}`])
      expect([code, stdout]).to.deep.equal([2, ''])
      for (const known of AUDIT_EVENTS) expect(stderr).to.contain(known)
    }
  })

  it('is rejected without the permission', async () => {
    const file = join(place.folder, 'permissions.json')
    await writeFile(file, JSON.stringify({ roles: { cli: { components: { user: ['*'] } } } }))
    const { code, stdout } = await place.app(['audit', 'list'], { env: { PERMISSIONS_FILE: file } })
    const errors = [
      { field: '', type: 'Forbidden', message: 'This action is not granted to you.', code: 403 },
    ]
    expect([code, JSON.parse(stdout)]).to.deep.equal([1, { errors, save: 0 }])
  })

  it('is a table on a terminal, and JSON on request', async () => {
    const table = await onTerminal(place, 'audit list')
    const json = await onTerminal(place, 'audit list --json')
    const [head, ...rows] = table.text.trim().split(/\r?\n/)
    expect(head?.trim().split(/ {2,}/)).to.deep.equal([
      ...['AT', 'EVENT', 'ACTOR', 'SUBJECT', 'ADDRESS', 'REQUEST ID', 'OUTCOME', 'COUNT', 'ID'],
    ])
    expect(rows[1]?.trim().split(/ {2,}/)).to.deep.equal([
      ...['2020-02-29T00:00:00.000Z', 'impersonation.start', 'account:1', 'account:999', '2001:db8::1'],
      ...['request-0001', 'success', idOf(1)],
    ])
    expect(rows).to.have.length(SEEDS.length)
    expect(json.text.replaceAll('\r', '')).to.equal(documentOf([0, 1, 2, 3, 4]))
  })

  it('says on a terminal that there are no records', async () => {
    const { code, text: shown } = await onTerminal(place, 'audit list --event user.import')
    expect([code, shown.trim()]).to.deep.equal([0, 'There are none.'])
  })
})

describe('app audit list of many records', () => {
  const COUNT = 5_000
  let place: Workplace
  before(async () => {
    place = await makeWorkplace()
    const many = Array.from({ length: COUNT }, (_, n): Seed => {
      return { ...plain, at: NOW - HOUR + (n >> 4), event: 'login', requestId: `request-${n}` }
    })
    await seedAudit(place, many)
  })
  after(() => place.remove())

  it('lists each record once and in order, even records of the same millisecond', async () => {
    const { code, stdout } = await place.app(['audit', 'list'])
    const rows = JSON.parse(stdout) as { requestId: string }[]
    expect(code).to.equal(0)
    expect(rows.map(({ requestId }) => requestId)).to.deep.equal(
      Array.from({ length: COUNT }, (_, n) => `request-${n}`),
    )
  })

  it('ends without an error when its reader closes the pipe', async () => {
    const command = `"${process.execPath}" "${APP}" audit list | head -1; echo "\${PIPESTATUS[0]}"`
    const child = spawn('bash', ['-c', command], { cwd: place.folder, env: place.env })
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    const [first, status] = stdout.trim().split('\n')
    expect(first).to.match(/^\[\{"at":"[^"]+","event":"login",.*"requestId":"request-0",.*\},$/)
    expect([status, stderr.trim()]).to.deep.equal([
      '0',
      'Standard output was closed before everything was written.',
    ])
  })
})
