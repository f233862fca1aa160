import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hashSync } from 'bcryptjs'
import { expect } from 'chai'
import { type Serving, workplaceOfTests } from './app.js'

const PASSWORD = 'a quiet river at dusk'
const MEMORY = { DATABASE_URL: 'memory:' }
const NO_ACCOUNT =
  'DATABASE_URL is memory: there are no accounts, and no command can create any; use serve --import FILE'

type View = { readonly view: { readonly roleList: Record<string, { readonly label: string }> } }

describe('app serve --import', () => {
  const place = workplaceOfTests()
  const passwordHash = hashSync(PASSWORD, 4)
  const line = (email: string, more: object = {}) => JSON.stringify({ email, passwordHash, ...more })

  const write = async (...lines: readonly string[]) =>
    await writeFile(join(place.folder, 'accounts.ndjson'), lines.map((one) => `${one}\n`).join(''))
  const refused = async (env: Record<string, string>, file = 'accounts.ndjson') => {
    const { code, stdout, stderr } = await place.child(['serve', '--import', file], {
      env: { PORT: '0', ...env },
    })
    expect([code, stdout.includes('"ready"')]).to.deep.equal([1, false])
    return stderr.trimEnd().split('\n')
  }
  const eventsOf = ({ log }: Serving) => [...log().matchAll(/"event":"([^"]+)"/g)].map(([, event]) => event)
  const imported = ({ log }: Serving) => /"count":(\d+).*"detail":"unchanged: (\d+)"/.exec(log())?.slice(1)

  it('fills an in-memory store with accounts and the roles from the permission file', async () => {
    await write(line('ada@example.com', { roles: ['project-editor', 'admin'] }), '', line('bob@example.com'))
    const service = await place.serve(MEMORY, { args: ['--import', 'accounts.ndjson'] })
    const replies = [
      await service.logIn('ada@example.com', PASSWORD),
      await service.logIn('bob@example.com', PASSWORD),
    ]
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 200])
    const { view } = (await replies[0]?.json()) as View
    expect(Object.keys(view.roleList).sort()).to.deep.equal(['admin', 'project-editor'])
    const events = eventsOf(service)
    expect(events.indexOf('accounts imported')).to.be.within(0, events.indexOf('ready') - 1)
    expect(imported(service)).to.deep.equal(['2', '0'])
    expect(service.log()).to.not.contain(NO_ACCOUNT)
  })

  it('does not start if a line is invalid, and reports all invalid lines', async () => {
    await write(
      line('no email'),
      line('bob@example.com'),
      line('eve@example.com', { roles: ['unheard-of'] }),
      '{',
    )
    expect(await refused({})).to.deep.equal([
      '--import: line 1: email: email-not-valid',
      '--import: line 3: role: There is no role "unheard-of".',
      '--import: line 4: the line is not JSON',
    ])
    const { stdout } = await place.app(['user', 'list'])
    expect((JSON.parse(stdout) as { email: string }[]).map(({ email }) => email)).to.deep.equal([
      'bob@example.com',
    ])
  })

  it('reports the first 20 invalid lines, and the number of further invalid lines', async () => {
    await write(...Array.from({ length: 30 }, () => '{}'))
    const lines = await refused(MEMORY)
    expect([lines.length, lines.at(-1)]).to.deep.equal([21, '--import: 10 more lines were refused'])
  })

  it('does not start if the file cannot be read or the permission is missing', async () => {
    expect(await refused(MEMORY, 'nowhere.ndjson')).to.deep.equal([
      'The file cannot be read: it does not exist.',
    ])
    await write(line('ada@example.com'))
    const file = join(place.folder, 'permissions.json')
    await writeFile(file, JSON.stringify({ roles: { cli: { components: { 'user-task': ['*'] } } } }))
    expect(await refused({ ...MEMORY, PERMISSIONS_FILE: file })).to.deep.equal([
      'The role cli needs "user: import" in the permissions (PERMISSIONS_FILE, or the option permissions of openKennel).',
    ])
  })

  it('stops on a signal even if the input does not end', async () => {
    const child = place.start(['serve', '--import', '-'], { env: MEMORY })
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
    child.stdin.write(`${line('ada@example.com')}\n`)
    // The message about the passphrase is the only output before the import ends.
    await once(child.stdout, 'data')
    child.kill('SIGTERM')
    const [code] = (await once(child, 'close')) as [number | null]
    expect([code, printed.includes('"ready"')]).to.deep.equal([0, false])
  })

  it('is suggested when the service starts with an empty in-memory store', async () => {
    const without = await place.serve(MEMORY)
    expect(without.log()).to.contain(NO_ACCOUNT)
    const other = await place.serve()
    expect(other.log()).to.not.contain('is memory')
  })
})
