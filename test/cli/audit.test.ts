import { expect } from 'chai'
import { AUDIT_EVENTS, type AuditRecord, type AuditRecordId } from '../../src/domain/audit.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import { timePrefix } from '../../src/domain/instant.js'
import { APP, workplaceOfTests, wrongUsageOf } from './app.js'
import { onTerminal } from './terminal.js'
import { operatorName } from '../../src/configuration/environment.js'

const HOUR = 3_600_000
const NOW = Date.now()
const [ADA, GONE] = [1, 999] as readonly number[] as readonly [AccountId, AccountId]
const plain = { actor: 'anonymous', outcome: 'failure', accounts: [] } as const
/** The count of aggregated login failures within a minute. */
const FLOOD = { count: 1_745, countKey: 'minute and kind' } as const

const SEEDS: readonly Omit<AuditRecord, 'id'>[] = [
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
  '{"at":"2020-02-28T23:59:59.999Z","event":"role.assign","actor":"cli:root","actorEmail":null,"subject":"account:999 role:editor","subjectEmail":null,"address":null,"requestId":null,"outcome":"success"}',
  '{"at":"2020-02-29T00:00:00.000Z","event":"impersonation.start","actor":"account:1","actorEmail":"ada@example.com","subject":"account:999","subjectEmail":null,"address":"2001:db8::1","requestId":"request-0001","outcome":"success"}',
  '{"at":"2020-02-29T12:30:00.000Z","event":"login","actor":"anonymous","actorEmail":null,"subject":null,"subjectEmail":null,"address":"192.0.2.1","requestId":null,"outcome":"failure","count":1745}',
  `{"at":"${iso(25)}","event":"login","actor":"anonymous","actorEmail":null,"subject":"account:1","subjectEmail":"ada@example.com","address":null,"requestId":null,"outcome":"failure"}`,
  `{"at":"${iso(23)}","event":"refresh.reuse","actor":"anonymous","actorEmail":null,"subject":"account:1","subjectEmail":"ada@example.com","address":null,"requestId":null,"outcome":"failure"}`,
]

function documentOf(places: string): string {
  const rows = Array.from(places, (place) => {
    return LINES[Number(place)]?.replace(/\}$/, `,"id":"${idOf(Number(place))}"}`)
  })
  return rows.length === 0 ? '[]\n' : `[${rows.join(',\n')}]\n`
}

/** Records of the same time are ordered by their position in the list. */
const idOf = (place: number) =>
  `${timePrefix(SEEDS[place]?.at ?? 0)}${String(place).padStart(6, '0')}` as AuditRecordId

const LISTED: Readonly<Record<string, string>> = {
  '': '01234',
  '--since 2020-02-29T13:30:00.000+01:00': '234',
  '--user ADA@Example.com --event login --since 2020-02-29': '3',
  '--until 2020-02-29T13:30+01:00 --newest-first --limit 1': '1',
  [`--limit 2 --after ${idOf(1)}`]: '23',
}

describe('app audit list', () => {
  const place = workplaceOfTests({ shared: true })
  before(async () => {
    // Auditing is off here, so that the log contains only the seeded records.
    const [env, input] = [{ AUDIT: 'off' }, 'a good long password']
    await place.run('user create ada@example.com --password-stdin', { env, input })
    await place.onStore(async ({ audit }) => {
      for (const [index, seed] of SEEDS.entries()) await audit.append({ id: idOf(index), ...seed })
    })
  })

  for (const [options, places] of Object.entries(LISTED))
    it(`${options || 'without options'}: lists ${places.length} rows in order`, async () => {
      const { code, stdout } = await place.app(['audit', 'list', ...options.split(' ').filter(Boolean)])
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: documentOf(places) })
    })

  for (const [option, value, words] of [
    ['--limit', '0', []],
    ['--after', 'account:1', []],
    ['--since', 'yesterday', ['--since must be a duration before now, such as 24h, or a date']],
    ['--until', '', ['--until must be a duration before now, such as 24h, or a date']],
    ['--event', 'LOGIN', AUDIT_EVENTS],
  ] as const)
    it(`rejects an invalid value of ${option} as a usage error`, async () => {
      const said = await wrongUsageOf(place, ['audit', 'list', `${option}=${value}`])
      for (const word of words) expect(said).to.contain(word)
    })

  it('lists nothing and prints the reason if --user is unknown or invalid', async () => {
    for (const [user, type, message, code] of [
      ['nobody@example.com', 'NotFound', 'There is no account with this email.', 404],
      ['no-email', 'Format', 'email-not-valid', 400],
    ] as const) {
      const errors = [{ field: 'email', type, message, code }]
      expect(await place.run(`audit list --user=${user}`)).to.deep.equal([1, { errors, save: 0 }])
    }
  })

  it('prints a table on a terminal, and JSON with --json', async () => {
    const table = await onTerminal(place, 'audit list')
    const json = await onTerminal(place, 'audit list --json')
    const none = await onTerminal(place, 'audit list --event user.import')
    const [head, ...rows] = table.text.trim().split(/\r?\n/)
    expect(head?.trim().split(/ {2,}/)).to.deep.equal([
      ...['AT', 'EVENT', 'ACTOR', 'ACTOR EMAIL', 'SUBJECT', 'SUBJECT EMAIL', 'ADDRESS', 'REQUEST ID'],
      ...['OUTCOME', 'COUNT', 'ID'],
    ])
    expect(rows[1]?.trim().split(/ {2,}/)).to.deep.equal([
      ...['2020-02-29T00:00:00.000Z', 'impersonation.start', 'account:1', 'ada@example.com'],
      ...['account:999', '2001:db8::1', 'request-0001', 'success', idOf(1)],
    ])
    expect(rows).to.have.length(SEEDS.length)
    expect(json.text.replaceAll('\r', '')).to.equal(documentOf('01234'))
    expect([none.code, none.text.trim()]).to.deep.equal([0, 'There are none.'])
  })

  it('prints a table that fits the terminal', async () => {
    const narrow = `stty cols 80; '${process.execPath}' '${APP}'`
    const { text } = await onTerminal(place, `--version; ${narrow} audit list`)
    const lines = text.trim().split(/\r?\n/)
    expect(lines.filter((line) => line.length > 80)).to.deep.equal([])
    expect(lines.length).to.be.greaterThan(SEEDS.length * 2)
    expect(text).to.contain(idOf(1))
  })
})

const PASSWORD = 'a good long password'
const OPERATOR = `cli:${operatorName()}`

type Row = Readonly<Record<string, unknown>>

describe('the audit log of the command line', () => {
  const place = workplaceOfTests()

  const auditRows = async () => JSON.parse((await place.app(['audit', 'list'])).stdout) as Row[]
  const run = (command: string, env: Record<string, string> = {}) =>
    place.app(command.split(' '), { env, input: PASSWORD })

  const made = { event: 'user.create', actor: OPERATOR, subject: 'account:1', outcome: 'success' }
  const shown = { address: null, requestId: null, actorEmail: null, subjectEmail: 'ada@example.com' }
  for (const [audit, isStored, isLogged] of [
    ['store by default', true, false],
    ['off', false, false],
    ['log', false, true],
    ['log, store', true, true],
  ] as const)
    it(`is written to the target in AUDIT, with the system user as actor: ${audit}`, async () => {
      const env = audit === 'store by default' ? {} : { AUDIT: audit }
      const { stdout, stderr } = await run('user create ada@example.com --password-stdin', env)
      expect(stdout).to.equal('{"errors":[],"save":1}\n')
      const lines = stderr.split('\n').filter((line) => line !== '')
      const logged = lines.map((line) => JSON.parse(line) as Row)
      const stored = (await auditRows()).map(({ at: _, id: __, ...row }) => row)
      expect(stored).to.deep.equal(isStored ? [{ ...made, ...shown }] : [])
      expect(logged.map(({ time: _, ...line }) => line)).to.deep.equal(
        isLogged ? [{ level: 'info', event: 'audit', audit: made }] : [],
      )
    })
})
