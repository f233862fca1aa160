import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { basename, dirname } from 'node:path'
import { expect } from 'chai'
import { openSqlite } from '../../src/adapters/sqlite/store.js'
import { bundleContents, BUNDLE, ranScripts } from '../support/built-package.js'
import { temporaryFolder } from '../support/temporary-folder.js'
import { APP, PRODUCTION } from './app.js'

const OF_OCLIF = ['@oclif/core', 'ansis', 'debug', 'string-width', 'supports-color', 'wrap-ansi']
const OF_STORE = ['inversify', 'lru-cache', 'pino', 'reflect-metadata', 'scrypt-kdf', 'zod']
/** The direct dependencies of a command's package; the dependencies of these packages are loaded with them. */
const OURS = [
  ...OF_OCLIF,
  ...OF_STORE,
  ...['@koa/router', 'cli-progress', 'jose', 'koa', 'mustache', 'nodemailer', 'prom-client', 'zod-openapi'],
]

describe('a command', () => {
  const inFolder = temporaryFolder()
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}, app = APP) => {
    const all = { PATH: process.env['PATH'], HOME: inFolder(), PASSWORD_SCRYPT: '10/8/1', ...env }
    const { status, stdout, stderr } = spawnSync(process.execPath, [app, ...args], {
      cwd: inFolder(),
      env: all,
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }
  beforeEach(async () => {
    await (await openSqlite(inFolder('data', 'app.db'))).close()
  })

  describe('loading from the bundle', () => {
    const { packages } = bundleContents()
    const LOADED: Readonly<Record<string, readonly string[]>> = {
      '--version': OF_OCLIF,
      'role list': [...OF_OCLIF, ...OF_STORE],
    }
    for (const [command, expected] of Object.entries(LOADED))
      it(`loads only the packages that the command uses: ${command}`, () => {
        const reports = inFolder('reports')
        const { status } = run(command.split(' '), { NODE_V8_COVERAGE: reports })
        expect(status).to.equal(0)
        expect(isListLoaded(reports)).to.equal(false)
        expect(ofOurs(reports)).to.deep.equal(expected.toSorted())
      })

    it('loads only the packages that the command uses: serve, without mail and metrics', async () => {
      const reports = inFolder('reports')
      const env = {
        NODE_V8_COVERAGE: reports,
        ...PRODUCTION,
        PORT: '0',
        WORKERS: '1',
        PATH: process.env['PATH'],
      }
      const service = spawn(process.execPath, [APP, 'serve'], { cwd: inFolder(), env })
      const ended = once(service, 'close')
      for await (const line of createInterface({ input: service.stdout })) {
        if (!line.includes('"event":"ready"')) continue
        const { address } = JSON.parse(line) as { readonly address: string }
        // Koa is loaded at the first request that is not a GET, or one second after the start.
        expect((await fetch(`${address}/nothing`, { method: 'POST' })).status).to.equal(404)
        service.kill('SIGTERM')
      }
      expect(await ended).to.deep.equal([0, null])
      expect(isListLoaded(reports)).to.equal(false)
      const expected = [...OF_OCLIF, ...OF_STORE, '@koa/router', 'jose', 'koa']
      expect(ofOurs(reports)).to.deep.equal(expected.toSorted())
    })

    it('loads the list of common passwords only if the command sets a password', () => {
      const reports = inFolder('reports')
      const args = ['user', 'create', 'ada@example.com', 'a long walk in the park']
      expect(run(args, { NODE_V8_COVERAGE: reports }).status).to.equal(0)
      expect(isListLoaded(reports)).to.equal(true)
    })

    function isListLoaded(reports: string): boolean {
      return ranScripts(reports).some((url) => url.endsWith('/adapters/blocklist/common-passwords.js'))
    }

    function ofOurs(reports: string): string[] {
      const files = ranScripts(reports).filter((url) => url.includes('/dist/app/'))
      expect(files.map((url) => basename(url))).to.include('main.js')
      const loaded = new Set(files.flatMap((url) => packages[basename(url)] ?? []))
      return OURS.filter((name) => loaded.has(name)).sort()
    }
  })

  it('explains how to fix the installation if the bundle is missing', () => {
    const app = inFolder('unbuilt', 'bin', 'app.js')
    mkdirSync(dirname(app), { recursive: true })
    cpSync(dirname(APP), dirname(app), { recursive: true })
    const missing = inFolder('unbuilt', 'dist', 'app', 'main.js')
    expect(run(['role', 'list'], {}, app)).to.deep.equal({
      ...{ status: 1, stdout: '' },
      stderr: `${missing} is missing: run "npm run build" in a checkout, or install the package again.\n`,
    })
  })

  describe('keeping compiled code', () => {
    let app: string
    let cache: string
    const entries = (folder: string) => readdirSync(folder, { recursive: true }).length
    beforeEach(() => {
      // A separate installation with a link to the built bundle.
      app = inFolder('installed', 'bin', 'app.js')
      cache = inFolder('installed', 'dist', 'compile-cache')
      mkdirSync(dirname(cache), { recursive: true })
      cpSync(dirname(APP), dirname(app), { recursive: true })
      symlinkSync(BUNDLE, inFolder('installed', 'dist', 'app'), 'junction')
    })

    const isKept = 'enableCompileCache' in process.getBuiltinModule('node:module')
    it('uses a folder inside its installation if this version of Node supports a compile cache', () => {
      const first = run(['role', 'list'], {}, app)
      expect(first).to.deep.equal({ status: 0, stdout: '[]\n', stderr: '' })
      expect(readdirSync(dirname(cache)).includes('compile-cache')).to.equal(isKept)
      if (isKept) expect(entries(cache)).to.be.greaterThan(5)
      expect(run(['role', 'list'], {}, app)).to.deep.equal(first)
    })

    it('uses the folder in NODE_COMPILE_CACHE, and no folder with NODE_DISABLE_COMPILE_CACHE', () => {
      const elsewhere = inFolder('elsewhere')
      mkdirSync(elsewhere)
      const off = run(
        ['role', 'list'],
        { NODE_COMPILE_CACHE: elsewhere, NODE_DISABLE_COMPILE_CACHE: '1' },
        app,
      )
      expect([off.status, off.stderr, entries(elsewhere)]).to.deep.equal([0, '', 0])
      const on = run(['role', 'list'], { NODE_COMPILE_CACHE: elsewhere }, app)
      expect([on.status, on.stderr, entries(elsewhere) > 5]).to.deep.equal([0, '', isKept])
      expect(readdirSync(dirname(cache))).to.deep.equal(['app'])
    })

    it('is skipped without an error if the cache folder cannot be written', () => {
      // Replaces the folder with a file, because permissions would not stop a superuser.
      cpSync(APP, cache)
      const { status, stdout, stderr } = run(['role', 'list'], {}, app)
      expect([status, stdout, stderr]).to.deep.equal([0, '[]\n', ''])
      expect(readFileSync(cache, 'utf8')).to.equal(readFileSync(APP, 'utf8'))
    })
  })
})
