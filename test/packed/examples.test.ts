import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compareSync, hashSync } from 'bcryptjs'
import { expect } from 'chai'
import { startServer } from './hosts.js'
import { installExample } from './packed.js'
import { NODES } from '../support/nodes.js'
import { run, SETTINGS, someNodes } from './programs.js'
import { temporaryFolder } from '../support/temporary-folder.js'

function installedExample(name: string): (...path: string[]) => string {
  let folder: string
  before(async () => {
    folder = await installExample(name)
  })
  return (...path) => join(folder, ...path)
}

const HASH = hashSync('a long walk in the park', 4)

describe('the import-users example from the packed tarball', () => {
  const folder = installedExample('import-users')
  const work = temporaryFolder()

  for (const node of someNodes(0)) {
    it(`imports the valid accounts and reports the invalid accounts, in each of two runs, on Node ${node.version}`, async () => {
      const program = folder('import-users.js')
      const accounts = [
        { email: 'ada@example.com', passwordHash: HASH },
        { email: 'bob@example.com', passwordHash: 'rot13' },
        { email: 'eve@example.com', roles: ['king'] },
        { email: 'kim@example.com' },
      ]
      const lines = [...accounts.map((one) => JSON.stringify(one)), '', '{"email":'].join('\r\n')
      writeFileSync(work('users.ndjson'), lines)
      const options = { folder: work(), env: SETTINGS }
      const first = await run(node, [program, 'users.ndjson'], options)
      expect(first.stderr.trim().split('\n').sort()).to.deep.equal([
        'line 2: passwordHash is not a hash of a known format',
        'line 3: role There is no role "king".',
        'line 6:  is no JSON',
      ])
      expect([first.code, first.stdout]).to.deep.equal([1, '{"saved":2,"unchanged":0,"refused":3}\n'])
      const known = `${JSON.stringify(accounts[0])}\n${JSON.stringify(accounts[3])}\n`
      const second = await run(node, [program], { ...options, input: known })
      const stdout = '{"saved":0,"unchanged":2,"refused":0}\n'
      expect(second).to.deep.equal({ code: 0, stdout, stderr: '' })
    })
  }

  it('imports the account shown on its page, with the password shown on the page', async () => {
    const page = readFileSync(folder('README.md'), 'utf8')
    const line = /^ {4}echo '(\{.*\})' > users\.ndjson$/m.exec(page)?.[1] ?? ''
    const options = { folder: work(), env: SETTINGS, input: line }
    const { code, stdout } = await run(NODES[0]!, [folder('import-users.js')], options)
    expect([code, stdout.trim()]).to.deep.equal([0, /^The output is `(.*?)`/m.exec(page)?.[1]])
    const { passwordHash = '' } = JSON.parse(line) as { passwordHash?: string }
    const password = /from the password `(.*)`/.exec(page)?.[1] ?? ''
    expect(compareSync(password, passwordHash)).to.equal(true)
  })
})

describe('the resource-server example from the packed tarball', () => {
  const folder = installedExample('resource-server')

  for (const node of someNodes(1)) {
    for (const program of ['kennel-verify.js', 'plain-jose.js']) {
      it(`starts and rejects a request without a token: ${program} on Node ${node.version}`, async () => {
        const env = { ISSUER: 'http://127.0.0.1:1' }
        const host = await startServer(node, [folder(program)], { folder: folder(), env })
        const { status } = await host.call({ method: 'GET', path: '/' })
        await host.end()
        expect(status).to.equal(401)
      })
    }
  }
})

describe('the users-table example from the packed tarball', () => {
  const folder = installedExample('users-table')

  for (const node of someNodes(2)) {
    it(`logs in a user from the table on Node ${node.version}`, async () => {
      const env = { ...SETTINGS, PASSWORD: 'a quiet river at dusk' }
      const { code, stdout, stderr } = await run(node, ['log-in.js'], { folder: folder(), env })
      expect([code, stdout], stderr).to.deep.equal([0, 'usr_01HZX3 (Ada) is account 1\n'])
    })
  }
})

const CLIENT = ['node_modules', 'kennel-id', 'dist', 'src', 'client', 'index.js']

describe('the browser example from the packed tarball', () => {
  const folder = installedExample('browser')

  for (const node of someNodes(3)) {
    it(`serves its page and the package's browser client on Node ${node.version}`, async () => {
      const env = { KENNEL_URL: 'https://pets.example' }
      const host = await startServer(node, [folder('server.js')], { folder: folder(), env })
      const get = (path: string) => host.call({ method: 'GET', path })
      try {
        expect((await get('/')).text).to.contain('content="https://pets.example"')
        const client = await get('/kennel-client/index.js')
        expect([client.status, client.text]).to.deep.equal([200, readFileSync(folder(...CLIENT), 'utf8')])
      } finally {
        expect(await host.end()).to.equal(0)
      }
    })
  }
})
