import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { passphraseError } from '../../src/adapters/keyring/index.js'
import { workplaceOfTests, wrongUsageOf } from './app.js'
import { idOf, STEPS } from './every-command.js'

const SAVED = [0, { errors: [], save: 1 }]
const failed = (message: string) => [
  ...[1, { errors: [{ field: '', type: 'NotValid', message, code: 400 }], save: 0 }],
]

describe('app', () => {
  const place = workplaceOfTests({ shared: true })

  it('generates a plain passphrase for a file that the service can read', async () => {
    const { code, stdout } = await place.app(['key', 'generate', '--plain'])
    expect([code, stdout]).to.match(/^0,[^\n"{}]+\n$/)
    expect(passphraseError(stdout.trimEnd(), { production: true })).to.equal(undefined)
    await writeFile(join(place.folder, 'passphrase'), stdout)
    const env = { SECURITY_JWT_PASSPHRASE_FILE: 'passphrase' }
    expect((await place.app(['user', 'list'], { env })).code).to.equal(0)
  })

  it('generates a passphrase as JSON, and rejects the whole JSON document as a passphrase', async () => {
    const { stdout } = await place.app(['key', 'generate'])
    const { passphrase } = JSON.parse(stdout) as { passphrase: string }
    expect(passphraseError(passphrase, { production: true })).to.equal(undefined)
    await writeFile(join(place.folder, 'document'), stdout)
    for (const env of [{ SECURITY_JWT_PASSPHRASE: stdout }, { SECURITY_JWT_PASSPHRASE_FILE: 'document' }]) {
      const { code, stdout: result, stderr } = await place.app(['role', 'list'], { env })
      expect([code, result]).to.match(
        /^1,.*SECURITY_JWT_PASSPHRASE must be a passphrase, not a JSON object.*--plain/,
      )
      expect(result + stderr).not.to.contain(passphrase)
    }
  })

  it('writes a passphrase into a new file that only its owner can read', async () => {
    const file = join(place.folder, 'new-passphrase')
    const { code, stdout, stderr } = await place.app(['key', 'generate', '--file', file])
    expect([code, JSON.parse(stdout), stderr]).to.deep.equal([...SAVED, ''])
    expect(await readFile(file, 'utf8')).to.match(/^Kennel1-[\w-]{43}\n$/)
    expect((await stat(file)).mode & 0o777).to.equal(0o600)
  })

  it('does not overwrite an existing passphrase file, and reports a path that cannot be written', async () => {
    const exists =
      'The file already exists and may contain a passphrase that is in use: name another file, or move the existing file away first.'
    const [used = '', empty = '', link = ''] = ['used', 'empty', 'link'].map((name) =>
      join(place.folder, name),
    )
    await writeFile(used, 'in use')
    await writeFile(empty, '')
    await symlink(used, link)
    for (const [path, message] of [
      ...[used, empty, link, place.folder].map((one) => [one, exists] as const),
      [join(place.folder, 'none', 'passphrase'), 'The file cannot be written (ENOENT).'],
    ] as const)
      expect(await place.run(`key generate --file ${path}`), path).to.deep.equal(failed(message))
    expect([await readFile(used, 'utf8'), await readFile(empty, 'utf8')]).to.deep.equal(['in use', ''])
  })

  it('rejects the in-memory store as a usage error', async () => {
    await wrongUsageOf(place, 'role create a A', { env: { DATABASE_URL: 'memory:' } })
  })

  it('refuses every command that the role cli does not permit', async () => {
    const file = join(place.folder, 'permissions.json')
    await writeFile(file, JSON.stringify({ roles: { cli: {} } }))
    const judged = STEPS.filter(
      ([command, status]) =>
        status !== 2 &&
        !['key:generate', 'config:check', 'upgrade:check', 'autocomplete'].includes(idOf(command)),
    )
    for (const [command, , input = ''] of judged) {
      const { code, stdout } = await place.app(command.split(' '), { env: { PERMISSIONS_FILE: file }, input })
      expect([code, stdout], command).to.match(
        /^1,.*"message":"You do not have permission to do this. The role cli needs \\"[a-z-]+: [a-z-]+\\" in /,
      )
    }
  })

  it('creates no store without the permission store: create', async () => {
    const file = join(place.folder, 'permissions.json')
    for (const [action, made] of [
      ['purge', false],
      ['create', true],
    ] as const) {
      await writeFile(file, JSON.stringify({ roles: { cli: { components: { store: [action] } } } }))
      const env = { PERMISSIONS_FILE: file, DATABASE_URL: `sqlite:${action}.db` }
      await place.app(['store', 'create'], { env })
      expect(existsSync(join(place.folder, `${action}.db`)), action).to.equal(made)
    }
  })
})

describe('a relative path in the arguments', () => {
  const place = workplaceOfTests()
  let typedIn: string

  beforeEach(async () => {
    typedIn = join(place.folder, 'typed-in')
    mkdirSync(typedIn)
  })

  const app = (args: readonly string[], input = '') =>
    place.app(args, { env: { KENNEL_CALLED_FROM: typedIn }, input })

  it("is relative to the caller's folder in every command, unlike a path in a setting", async () => {
    writeFileSync(join(typedIn, 'accounts.ndjson'), '{"email":"ada@example.com"}\n')
    const codes = []
    for (const args of [
      ['user', 'import', 'accounts.ndjson'],
      ['key', 'generate', '--file', 'passphrase'],
      ['store', 'copy', '--to', 'sqlite:./copies/copy.db'],
    ])
      codes.push((await app(args)).code)
    expect(codes).to.deep.equal([0, 0, 0])
    expect(readdirSync(typedIn).sort()).to.deep.equal(['accounts.ndjson', 'copies', 'passphrase'])
    expect(existsSync(join(typedIn, 'copies', 'copy.db'))).to.equal(true)
    const { stdout } = await place.app(['user', 'list'], {
      env: { KENNEL_CALLED_FROM: typedIn, DATABASE_URL: 'sqlite:typed-in/copies/copy.db' },
    })
    expect(stdout).to.contain('ada@example.com')
  })

  it('can name a store module, and a hyphen still means standard input', async () => {
    writeFileSync(join(typedIn, 'own.js'), 'export default () => ({})\n')
    const { code, stdout } = await app(['role', 'list', '--store', './own.js'])
    expect([code, stdout]).to.match(/^1,.*The store module does not open a store/)
    const imported = await app(['user', 'import', '-'], '{"email":"bob@example.com"}')
    expect([imported.code, imported.stdout]).to.deep.equal([0, '{"errors":[],"save":1,"unchanged":0}\n'])
  })

  it('can name the file of accounts that a service imports at startup', async () => {
    writeFileSync(join(typedIn, 'first.ndjson'), '{"email":"no email"}\n')
    const { code, stderr } = await place.child(['serve', '--import', 'first.ndjson'], {
      env: { KENNEL_CALLED_FROM: typedIn },
    })
    expect([code, stderr]).to.match(/^1,--import: line 1: /)
  })
})
