import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { hashSync } from 'bcryptjs'
import { expect } from 'chai'
import { createScryptHasher } from '../../src/adapters/scrypt/index.js'
import type { Password } from '../../src/domain/identity/password.js'
import { SERVER_STORE } from '../support/server-stores.js'
import type { Outcome } from '../support/outcome.js'
import { type Workplace, workplaceOfTests } from './app.js'
import { onTerminal } from './terminal.js'

const PASSWORD = 'a quiet river at dusk'
const BCRYPT = hashSync(PASSWORD, 4)
/** Created with Python's argon2-cffi 25.1 and hashlib; the last hash is a Keycloak credential. */
const FOREIGN = [
  '$argon2id$v=19$m=1024,t=2,p=2$c2FsdHNhbHRzYWx0c2FsdA$doMZWC6+YK3Uu2+Npx/Z4ZAURrSEGsXydjZCOnMDi2Y',
  '{SSHA256}KZYVhfCN9iBJ/cEjjeapP12sAP0egEUoQfhYWMMs7RRzYWx0c2FsdA==',
  JSON.stringify({
    secretData:
      '{"value":"KZeBoFfH7jugQQyAcNxm1aRgXKGi/8kO/ZMZEOwKSj+FojszwaI2TlbUfImxex17mdSEHT0H79liTTHiV/q7tQ==","salt":"c2FsdHNhbHRzYWx0c2FsdA=="}',
    credentialData: '{"hashIterations":1000,"algorithm":"pbkdf2-sha256"}',
  }),
]
const CANARY = 'canary-of-a-hash'

type Result = { errors: { line: number; message: string }[]; save: number; unchanged: number }

describe('app user import', () => {
  const place = workplaceOfTests()
  beforeEach(async () => {
    await place.app(['role', 'create', 'editor', 'Editor'])
  })

  const importLines = async (lines: readonly (object | string)[]) => {
    const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
    await writeFile(join(place.folder, 'accounts.ndjson'), `${texts.join('\n')}\n`)
    return read(await place.app(['user', 'import', 'accounts.ndjson']))
  }

  it('imports accounts with roles and all kinds of hashes, and the accounts can log in', async () => {
    const scrypt = createScryptHasher({ cost: { logN: 10, r: 8, p: 1 }, concurrency: 1 })
    const bcrypt = ['$2a$', '$2b$', '$2y$'].map((prefix) => prefix + BCRYPT.slice(4))
    const lines = [await scrypt.hash(PASSWORD as Password), ...bcrypt, ...FOREIGN].map(
      (passwordHash, index) => ({
        ...{ email: `user${index}@example.com`, passwordHash, roles: ['editor'] },
      }),
    )
    const outcome = await importLines([...lines, { email: 'nobody@example.com' }])
    expect(outcome).to.deep.equal([0, { errors: [], save: 8, unchanged: 0 }])
    const service = await place.serve()
    const logIn = async (email: string, password: string) => {
      const reply = await service.logIn(email, password)
      const { view } = (await reply.json()) as { view: { roleList: Record<string, { key: string }> } }
      return [reply.status, Object.values(view.roleList).map((role) => role.key)]
    }
    const logins = await Promise.all(lines.map(({ email }) => logIn(email, PASSWORD)))
    const [without] = await logIn('nobody@example.com', '')
    await service.stop()
    expect(logins).to.deep.equal(lines.map(() => [200, ['editor']]))
    expect(without).to.not.equal(200)
  })

  it('reports each invalid line and saves the valid lines', async () => {
    const outcome = await importLines([
      ...[{ email: 'first@example.com' }, { email: 'hash@example.com', passwordHash: CANARY }],
      ...[`{"email": "json@example.com", "passwordHash": "${CANARY}`, '', { email: 'last@example.com' }],
    ])
    const errors = [
      { line: 2, message: 'passwordHash: is not a hash of a known format' },
      { line: 3, message: 'the line is not JSON' },
    ]
    expect(outcome).to.deep.equal([1, { errors, save: 2, unchanged: 0 }])
    expect(await emails(place)).to.deep.equal(['first@example.com', 'last@example.com'])
  })

  it('imports the export of another system with its IDs and roles, and a dry run reports the same result without changing anything', async () => {
    const [, , passwordJson = ''] = FOREIGN
    const user = (id: string, more: object) => ({ id, email: `${id}@example.com`, enabled: true, ...more })
    const credentials = [{ type: 'password', ...(JSON.parse(passwordJson) as object) }]
    const users = [
      user('ada', { credentials, realmRoles: ['walker', 'offline_access'] }),
      user('bob', { enabled: false, realmRoles: ['offline_access'] }),
      user('eve', { email: 'ADA@example.com' }),
    ]
    await writeFile(join(place.folder, 'realm.json'), JSON.stringify({ realm: 'shop', users }))
    const run = async (...options: string[]) =>
      read(await place.app(['user', 'import', '--from', 'keycloak', ...options, 'realm.json']))
    const errors = [{ line: 1, object: 3, message: 'email: already occurs in object 1' }]
    const roles = { roles: { editor: 1 }, unknownRoles: { offline_access: 2 } }
    const result = { errors, save: 2, unchanged: 0, withoutPassword: 1, ...roles }
    expect(await run('--role', 'walker=editor', '--dry-run')).to.deep.equal([1, result])
    expect(await emails(place)).to.deep.equal([])
    expect(await run('--role', 'walker=editor', '--ids', 'ids.ndjson')).to.deep.equal([1, result])
    const again = await run('--role', 'walker=editor', '--ids', 'ids.ndjson')
    expect(again).to.deep.equal([1, { ...result, save: 0, unchanged: 2, withoutPassword: 0 }])
    const { stdout } = await place.app(['user', 'list'])
    const listed = JSON.parse(stdout) as { id: number; email: string; roles: object[]; disabledAt: unknown }[]
    const ids = readFileSync(join(place.folder, 'ids.ndjson'), 'utf8').trim().split('\n')
    const idOf = (name: string) => listed.find(({ email }) => email.startsWith(name))?.id
    expect(ids.map((line) => JSON.parse(line) as object)).to.deep.equal([
      { from: 'ada', to: idOf('ada') },
      { from: 'bob', to: idOf('bob') },
    ])
    const disabled = listed.map(({ email, disabledAt }) => [email, disabledAt !== null])
    expect(Object.fromEntries(disabled)).to.deep.equal({ 'ada@example.com': false, 'bob@example.com': true })
  })

  for (const [name, path, signal] of [
    ['standard input', '-', 'SIGHUP'],
    ['a named pipe', 'pipe', 'SIGINT'],
  ] as const) {
    it(`stops on ${signal} while ${name} provides no data, and continues on the next run`, async () => {
      execFileSync('mkfifo', [join(place.folder, 'pipe')])
      const child = place.start(['user', 'import', path])
      const ended = once(child, 'close') as Promise<[number | null]>
      const [stdout] = [text(child.stdout), child.stderr.resume()]
      // Opening the pipe waits for its reader.
      const pipe = path === '-' ? undefined : await open(join(place.folder, 'pipe'), 'w')
      const line = `${JSON.stringify({ email: 'a@example.com' })}\n`
      if (pipe) await pipe.write(line)
      else child.stdin.write(line)
      while (!(await emails(place)).includes('a@example.com')) continue
      child.kill(signal)
      const [code] = await ended
      await pipe?.close()
      const message = 'Stopped by a signal. Saved accounts are kept; run the same import again to continue.'
      const result = { errors: [{ line: 0, message }], save: 1, unchanged: 0 }
      expect([code, JSON.parse(await stdout)]).to.deep.equal([1, result])
      const again = await importLines([{ email: 'a@example.com' }, { email: 'b@example.com' }])
      expect(again).to.deep.equal([0, { errors: [], save: 1, unchanged: 1 }])
    })
  }

  it('shows a progress bar with the rate and the remaining time in a terminal', async () => {
    // Long enough for the progress bar to measure the rate.
    const count = SERVER_STORE ? 4_000 : 20_000
    const lines = Array.from({ length: count }, (_, n) => JSON.stringify({ email: `user${n}@example.com` }))
    await writeFile(join(place.folder, 'a.ndjson'), lines.join('\n'))
    const { code, text: screen } = await onTerminal(place, 'user import a.ndjson > out')
    const result = JSON.parse(readFileSync(join(place.folder, 'out'), 'utf8')) as Result
    expect(result.errors, screen).to.deep.equal([])
    // If a line was saved but the reply came too late, a retry counts the line as unchanged.
    expect(result.save + result.unchanged, screen).to.equal(count)
    expect(screen).to.match(/\d+ % · \d+ lines · \d+\/s · \S+ left/)
    expect(code, screen).to.equal(0)
  })
})

function read({ code, stdout, stderr }: Outcome): readonly [number | null, Result] {
  expect(stdout + stderr).to.not.contain(CANARY)
  expect(stderr).to.not.match(/\n\s+at /)
  return [code, JSON.parse(stdout) as Result]
}

/** Sorted alphabetically, because an import assigns account IDs in any order. */
async function emails(place: Workplace): Promise<string[]> {
  const { stdout } = await place.app(['user', 'list'])
  return (JSON.parse(stdout) as { email: string }[]).map((row) => row.email).sort()
}
