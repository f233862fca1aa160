import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { workplaceOfTests } from './app.js'

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
