import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { startByCommands, startServer } from './hosts.js'
import { install, npm, pack } from './packed.js'
import { run, SETTINGS, someNodes } from './programs.js'
import { makeTemporaryFolder } from '../support/temporary-folder.js'

/** A program that opens a store, logs in, sends an HTTP request, and then imports entries whose packages are missing. */
const LIBRARY = `
  import { openKennel, OPERATOR } from 'kennel-id'
  import { createHandler } from 'kennel-id/web'
  const { SECURITY_JWT_PASSPHRASE: passphrase, PUBLIC_URL: publicUrl } = process.env
  const account = { email: 'ada@example.com', password: 'a long walk in the park' }
  async function use(store) {
    const options = { store, passphrase, publicUrl, production: false, background: false, passwordScrypt: '10/8/1' }
    // Without a log, the warning about the cheap hashes would be on standard error.
    const nothing = () => {}
    const log = { debug: nothing, info: nothing, warn: nothing, error: console.error, enabled: () => false }
    const kennel = await openKennel({ ...options, parts: { log } })
    await kennel.createUser({ caller: OPERATOR, ...account })
    await kennel.login({ ...account, presented: {} })
    const { status } = await createHandler(kennel)(new Request(publicUrl + '/openapi.json'))
    await kennel.close()
    return status
  }
  const told = ({ code, detail, message }) => [code, (detail ?? message).split(/ imported from|: npm/)[0]]
  const calls = [use('memory:'), use('sqlite:./' + process.version + '.db'), import('kennel-id/koa'), import('kennel-id/pino')]
  const outcomes = await Promise.allSettled(calls)
  console.log(JSON.stringify(outcomes.map(({ value, reason }) => (reason ? told(reason) : value))))
`

const KENNEL = { 'kennel-id': '*' }

describe('the installed package', () => {
  it('has at most 120 packages and 56 MB with optional packages, and no third-party declarations', async () => {
    const folder = await install(KENNEL)
    const { packages, megabytes } = weightOf(folder)
    expect(packages.length).to.be.within(100, 120)
    expect(megabytes).to.be.within(30, 56)
    expect(packages.filter((place) => place.includes('@types/'))).to.deep.equal([])
  })

  describe('without optional packages', () => {
    let folder: string
    before(async () => {
      folder = await install(KENNEL, '--omit=optional')
    })

    it('has at most 20 packages and 18 MB', () => {
      const { packages, megabytes } = weightOf(folder)
      expect(packages.length).to.be.within(10, 20)
      expect(megabytes).to.be.within(5, 18)
    })

    for (const node of someNodes(0)) {
      it(`still provides the command and the service, on Node ${node.version}`, async () => {
        const home = makeTemporaryFolder()
        const app = join(folder, 'node_modules', 'kennel-id', 'bin', 'app.js')
        const outcome = await run(node, [app, 'store', 'create'], { folder: home.path })
        const missing =
          'The package "@photostructure/sqlite" is not installed: npm install @photostructure/sqlite'
        if (node.version.startsWith('v20.')) expect(outcome.stdout).to.contain(JSON.stringify(missing))
        else expect([outcome.code, outcome.stdout]).to.deep.equal([0, '{"errors":[],"save":1}\n'])
        const env = { DATABASE_URL: 'memory:' }
        const service = await startServer(node, [app, 'serve'], { folder: home.path, env })
        expect((await service.call({ method: 'GET', path: '/docs/' })).status).to.equal(200)
        expect(await service.end()).to.equal(0)
        home.remove()
      })

      it(`still works as a library and reports missing packages, on Node ${node.version}`, async () => {
        const { stdout, stderr } = await run(node, ['--input-type=module', '--eval', LIBRARY], {
          folder,
          env: SETTINGS,
        })
        expect(stderr).to.equal('')
        const missing = ['missing-package', 'The package "@photostructure/sqlite" is not installed']
        expect(JSON.parse(stdout)).to.deep.equal([
          200,
          node.version.startsWith('v20.') ? missing : 200,
          ['ERR_MODULE_NOT_FOUND', "Cannot find package '@koa/router'"],
          ['ERR_MODULE_NOT_FOUND', "Cannot find package 'pino'"],
        ])
      })
    }
  })

  it('starts with npx in an empty folder without settings', async () => {
    const { path: home, remove } = makeTemporaryFolder()
    const { tarball } = await pack()
    const folder = join(home, 'empty')
    mkdirSync(folder)
    // npx uses the machine's npm cache, but installs its files into a folder that is removed after the test.
    const cache = join(home, 'cache')
    mkdirSync(cache)
    symlinkSync(
      join(await npm(home, ['config', 'get', 'cache']), '_cacache'),
      join(cache, '_cacache'),
      'junction',
    )
    const command = `npx --yes --prefer-offline --package=${tarball} kennel-id serve`
    const env = { HOME: home, npm_config_cache: cache }
    const { origin, end } = await startByCommands(command, { folder, env })
    try {
      expect((await fetch(`${origin}/health/ready`)).status).to.equal(200)
      const body = JSON.stringify({ email: 'ada@example.com', password: 'a long walk in the park' })
      const headers = { 'Content-Type': 'application/json', Origin: origin }
      const reply = await fetch(`${origin}/api/auth/login`, { method: 'POST', headers, body })
      expect(reply.status).to.equal(401)
      expect(readdirSync(folder)).to.deep.equal(['data'])
    } finally {
      await end()
      remove()
    }
  })
})

function weightOf(folder: string): { packages: readonly string[]; megabytes: number } {
  const text = readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8')
  const packages = Object.keys((JSON.parse(text) as { packages: object }).packages)
  return { packages, megabytes: sizeOf(join(folder, 'node_modules')) / 1e6 }
}

function sizeOf(folder: string): number {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
}
