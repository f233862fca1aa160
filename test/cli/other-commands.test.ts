import { readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import { passphraseError } from '../../src/adapters/keyring/index.js'
import { makeWorkplace, type Workplace } from './app.js'

describe('app', () => {
  let place: Workplace

  before(async () => {
    place = await makeWorkplace()
  })
  after(() => place.remove())

  it('creates a role once', async () => {
    const made = await place.app(['role', 'create', 'keeper', 'Keeper'])
    const again = await place.app(['role', 'create', 'keeper', 'Keeper'])
    expect([made.code, JSON.parse(made.stdout)]).to.deep.equal([0, { errors: [], save: 1 }])
    expect(again.code).to.equal(1)
    expect(JSON.parse(again.stdout)).to.have.property('save', 0)
  })

  it('creates an API key that is shown once and has roles', async () => {
    await place.app(['role', 'create', 'shop', 'Shop'])
    const { code, stdout } = await place.app(['apikey', 'create', 'Shop front', '--role', 'shop'])
    const result = JSON.parse(stdout) as { id: number; key: string }
    expect([code, Object.keys(result), result.id]).to.deep.equal([0, ['errors', 'save', 'id', 'key'], 1])
    expect(result.key).to.match(/^kennel_[\w-]{43}$/)
  })

  it('creates no API key with an unknown role', async () => {
    const { code, stdout } = await place.app(['apikey', 'create', 'Other', '--role', 'unheard-of'])
    const errors = [{ field: 'role', type: 'NotFound', message: 'There is no role "unheard-of".', code: 404 }]
    expect([code, JSON.parse(stdout)]).to.deep.equal([1, { errors, save: 0 }])
  })

  it('generates a passphrase that passes the check', async () => {
    const { code, stdout } = await place.app(['key', 'generate'])
    const { passphrase } = JSON.parse(stdout) as { passphrase: string }
    expect([code, passphraseError(passphrase, { production: true })]).to.deep.equal([0, undefined])
  })

  it('generates a plain passphrase for a file that the service then reads', async () => {
    const { code, stdout } = await place.app(['key', 'generate', '--plain'])
    expect([code, stdout]).to.match(/^0,[^\n"{}]+\n$/)
    expect(passphraseError(stdout.trimEnd(), { production: true })).to.equal(undefined)
    await writeFile(join(place.folder, 'passphrase'), stdout)
    const env = { SECURITY_JWT_PASSPHRASE_FILE: 'passphrase' }
    expect((await place.app(['user', 'list'], { env })).code).to.equal(0)
  })

  it('rejects the JSON document of key generate as a passphrase, in a variable or a file', async () => {
    const { stdout } = await place.app(['key', 'generate'])
    await writeFile(join(place.folder, 'document'), stdout)
    const { passphrase } = JSON.parse(stdout) as { passphrase: string }
    for (const env of [{ SECURITY_JWT_PASSPHRASE: stdout }, { SECURITY_JWT_PASSPHRASE_FILE: 'document' }]) {
      const { code, stdout: result, stderr } = await place.app(['role', 'list'], { env })
      expect([code, result]).to.match(
        /^1,.*SECURITY_JWT_PASSPHRASE must be a passphrase, not a JSON object.*--plain/,
      )
      expect(result + stderr).not.to.contain(passphrase)
    }
  })

  it('rejects a memory store as wrong usage, because the command cannot reach it', async () => {
    const { code, stdout } = await place.app(['role', 'create', 'a', 'A'], {
      env: { DATABASE_URL: 'memory:' },
    })
    expect([code, stdout]).to.deep.equal([2, ''])
  })

  it('names every configuration error, and no value', async () => {
    const { code, stdout } = await place.app(['role', 'create', 'a', 'A'], {
      env: { PORT: 'canary-port', PETS_SECURITY: 'canary-some', SECURITY_JWT_PASSPHRASE: 'canary-weak' },
    })
    const { errors, save } = JSON.parse(stdout) as { errors: { message: string }[]; save: number }
    expect([code, save, errors.length]).to.deep.equal([1, 0, 3])
    const text = errors.map((one) => one.message).join('\n')
    expect(text).to.match(/PORT .*[^]*PETS_SECURITY .*[^]*SECURITY_JWT_PASSPHRASE /)
    expect(text).to.not.contain('canary')
  })

  it('reports in the same shape that the store cannot be opened', async () => {
    await writeFile(join(place.folder, 'garbage.db'), 'this is no database, only a file with some text in it')
    const { code, stdout, stderr } = await place.app(['role', 'create', 'a', 'A'], {
      env: { DATABASE_URL: `sqlite:${join(place.folder, 'garbage.db')}` },
    })
    expect([code, JSON.parse(stdout)]).to.have.deep.nested.property('[1].save', 0)
    expect(stderr).to.not.match(/\n\s+at /)
  })

  it('follows the permissions of the role cli', async () => {
    const file = join(place.folder, 'permissions.json')
    await writeFile(file, JSON.stringify({ roles: { cli: { components: { 'user-task': ['create'] } } } }))
    const { code, stdout } = await place.app(['user', 'password', 'a@example.com', '--password-stdin'], {
      env: { PERMISSIONS_FILE: file },
      input: 'a good long password',
    })
    const errors = [
      { field: '', type: 'Forbidden', message: 'This action is not granted to you.', code: 403 },
    ]
    expect([code, JSON.parse(stdout)]).to.deep.equal([1, { User: { matched: 0, save: 0, errors } }])
  })

  it('writes a passphrase into a new file that only its owner can read', async () => {
    const file = join(place.folder, 'new-passphrase')
    const { code, stdout, stderr } = await place.app(['key', 'generate', '--file', file])
    expect([code, JSON.parse(stdout), stderr]).to.deep.equal([0, { errors: [], save: 1 }, ''])
    const { mode } = await stat(file)
    expect(await readFile(file, 'utf8')).to.match(/^Kennel1-[\w-]{43}\n$/)
    expect(mode & 0o777).to.equal(0o600)
  })

  it('overwrites no file with a passphrase, and reports a path that cannot be written', async () => {
    const message =
      'The file exists already, and may hold a passphrase in use: name another file, or move that file away first.'
    const used = join(place.folder, 'used-passphrase')
    const empty = join(place.folder, 'empty-passphrase')
    const link = join(place.folder, 'linked-passphrase')
    await writeFile(used, 'in use')
    await writeFile(empty, '')
    await symlink(used, link)
    for (const [path, told] of [
      [used, message],
      [empty, message],
      [link, message],
      [place.folder, message],
      [join(place.folder, 'none', 'passphrase'), 'The file cannot be written (ENOENT).'],
    ] as const) {
      const { code, stdout } = await place.app(['key', 'generate', '--file', path])
      const errors = [{ field: '', type: 'NotValid', message: told, code: 400 }]
      expect([code, JSON.parse(stdout)], path).to.deep.equal([1, { errors, save: 0 }])
    }
    expect([await readFile(used, 'utf8'), await readFile(empty, 'utf8')]).to.deep.equal(['in use', ''])
  })

  it('rejects an unknown command with 2', async () => {
    const { code } = await place.app(['user', 'promote'])
    expect(code).to.equal(2)
  })
})
