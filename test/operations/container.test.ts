import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import module from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { VARIABLES } from '../../src/configuration/settings.js'
import { spokenOrigin } from '../packed/hosts.js'
import { PROJECT } from '../support/project.js'
import { buildImage, compileIn, letThrough, stagesOf, startIn, variablesIn, type Image } from './image.js'
import { itWith, toolPath } from '../support/required-tools.js'
import { suiteFolder } from '../support/temporary-folder.js'

const run = promisify(execFile)
const DOCKERFILE = join(PROJECT, 'Dockerfile')
const stages = stagesOf(readFileSync(DOCKERFILE, 'utf8'))
const context = letThrough(readFileSync(join(PROJECT, '.dockerignore'), 'utf8'))
const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly files: readonly string[]
}
/** Files and folders of the package that are only for human readers; an image must not contain them. */
const READ_ELSEWHERE = ['docs', 'examples', 'CHANGELOG.md', 'SECURITY.md', 'CONTRIBUTING.md']
type Lock = { readonly packages: Readonly<Record<string, { readonly version?: string }>> }
const last = stages.at(-1) ?? []
const textsOf = (name: string) => last.flatMap((one) => (one.name === name ? [one.text] : []))
/** The command that the page runs before the first start. */
const CREATE = ['node', 'bin/app.js', 'store', 'create']
const jsonAfter = (text: string) => JSON.parse(text.slice(text.indexOf('['))) as string[]

describe('the Dockerfile', () => {
  itWith('hadolint', 'passes hadolint', async () => {
    const { stdout } = await run(toolPath('hadolint'), ['--failure-threshold', 'style', DOCKERFILE])
    expect(stdout).to.equal('')
  })

  it('copies only existing files from the build context, and no secrets', () => {
    expect(context.filter((name) => !existsSync(join(PROJECT, name)))).to.deep.equal([])
    const copied = stages.flat().filter(({ name, text }) => name === 'COPY' && !text.startsWith('--from='))
    const sources = copied.flatMap(({ text }) => text.split(/\s+/).slice(0, -1))
    expect(sources.length).to.be.greaterThan(2)
    expect(sources.filter((source) => source !== '.' && !context.includes(source))).to.deep.equal([])
    const kept = ['.env', '.git', 'data', 'node_modules', 'dist', 'reports', 'test']
    expect(context.filter((name) => kept.includes(name))).to.deep.equal([])
  })

  it('uses one supported Node.js version in both stages, and pins the version in the last stage', () => {
    const bases = stages.map(([from]) => from?.text.split(' ')[0])
    expect(bases).to.deep.equal(['node:22-bookworm-slim', 'node:22-bookworm-slim'])
  })

  it('installs the optional packages in the locked versions', async () => {
    const installing = stages[0]?.findLast(({ text }) => text.includes('npm install'))?.text ?? ''
    const names = Array.from(installing.matchAll(/"([@\w/]+)@\$\(locked \1\)"/g), ([, name = '']) => name)
    expect(names).to.deep.equal(Object.keys(manifest.peerDependencies))
    const locked = /locked\(\) \{.*?; \}/.exec(installing)?.[0] ?? ''
    const script = [locked, ...names.map((name) => `locked ${name}`)].join('; ')
    const { stdout } = await run('sh', ['-c', script], { cwd: PROJECT })
    const lock = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')) as Lock
    const version = (name: string) => lock.packages[`node_modules/${name}`]?.version ?? 'none'
    expect(stdout).to.equal(names.map((name) => `${version(name)}\n`).join(''))
  })

  it('sets only known variables, and runs as a numeric non-root user', () => {
    const known: readonly string[] = VARIABLES
    expect(Object.keys(imageEnvironment()).filter((name) => !known.includes(name))).to.deep.equal([])
    expect(textsOf('USER')).to.deep.equal(['10001:10001'])
    expect(textsOf('CMD').map(jsonAfter)).to.deep.equal([['node', 'bin/app.js', 'serve']])
  })
})

describe('the image, emulated without a container engine', () => {
  const user = Number(textsOf('USER')[0]?.split(':')[0])
  const health = jsonAfter(textsOf('HEALTHCHECK')[0] ?? '')
  let image: Image
  const inHome = suiteFolder()
  before(async () => {
    image = await buildImage(context)
  })
  after(() => {
    image.remove()
  })

  const check = async (PORT: string) => {
    const child = startIn(image, health, { PORT }, user)
    const [code] = (await once(child, 'exit')) as [number | null]
    return code
  }

  it('contains no development packages, sources or tests', () => {
    const packages = readdirSync(join(image.folder, 'node_modules'))
    expect(packages).to.include('koa')
    const ofDevelopment = ['typescript', 'mocha', 'eslint', 'mongodb', '.bin']
    expect(packages.filter((name) => ofDevelopment.includes(name))).to.deep.equal([])
    const entries = readdirSync(image.folder).sort()
    const packed = manifest.files.filter((name) => !name.startsWith('!') && !READ_ELSEWHERE.includes(name))
    const always = ['LICENSE', 'README.md', 'node_modules', 'package.json']
    expect(entries).to.deep.equal(
      [...new Set([...packed.map((name) => name.split('/')[0]), ...always])].sort(),
    )
    expect(readdirSync(join(image.folder, 'dist'))).to.deep.equal(['app', 'lib', 'src'])
  })

  it('runs as its user with only the data folder writable, is healthy, and stops with exit code 0', async () => {
    const data = inHome('data')
    mkdirSync(data, { mode: 0o700 })
    if (process.getuid?.() === 0) chownSync(data, user, user)
    writeFileSync(inHome('passphrase'), 'Only-for-tests: 4 kennels & 12 hounds\n', { mode: 0o644 })
    await run('chmod', ['755', inHome()])
    const env = {
      ...imageEnvironment(),
      ...{ HOST: '127.0.0.1', PORT: '0', WORKERS: '1', DATABASE_URL: `sqlite:${join(data, 'app.db')}` },
      ...{ PUBLIC_URL: 'https://pets.example', SECURITY_JWT_PASSPHRASE_FILE: inHome('passphrase') },
    }
    const [creating] = (await once(startIn(image, CREATE, env, user), 'exit')) as [number | null]
    expect(creating).to.equal(0)
    const service = startIn(image, jsonAfter(textsOf('CMD')[0] ?? ''), env, user)
    try {
      const { port } = new URL(await spokenOrigin(service))
      expect(await check(port)).to.equal(0)
      const ended = once(service, 'exit')
      service.kill('SIGTERM')
      expect(await ended).to.deep.equal([0, null])
      expect(await check(port)).to.equal(1)
      expect(readdirSync(data)).to.include('app.db')
      expect(readdirSync(inHome()).sort()).to.deep.equal(['data', 'passphrase'])
    } finally {
      service.kill('SIGKILL')
    }
  })

  it('contains a Node.js compile cache that its user can read but not change', async function () {
    if (process.getuid?.() !== 0) this.skip()
    const instruction = stages[0]?.findLast(({ name }) => name === 'RUN')?.text ?? ''
    expect(instruction)
      .to.contain('dist/compile-cache')
      // Otherwise the whole group gets the signal, and the service a second one, which ends it immediately.
      .and.contain('timeout --foreground')
      .and.contain(`--reuid=${String(user)}`)
    await compileIn(image, instruction)
    const folder = join(image.folder, 'dist', 'compile-cache')
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    expect(files.filter((entry) => entry.isFile()).length > 20).to.equal('enableCompileCache' in module)
    for (const { parentPath, name } of files) {
      const { uid, mode } = statSync(join(parentPath, name))
      expect([uid, mode & 0o022, mode & 0o004]).to.deep.equal([0, 0, 0o004])
    }
    const env = { ...imageEnvironment(), DATABASE_URL: 'memory:', NODE_DEBUG_NATIVE: 'COMPILE_CACHE' }
    const command = startIn(image, ['node', 'bin/app.js', '--version'], env, user)
    const said = (await Promise.all([text(command.stdout), text(command.stderr)])).join('')
    expect(said).to.contain('kennel-id/')
    if ('enableCompileCache' in module) expect(said).to.match(/main\.js was accepted/)
  })

  it('is unhealthy if the service responds that the store is unavailable', async () => {
    const asked: (string | undefined)[] = []
    const away = createServer(({ url }, response) => {
      asked.push(url)
      response.writeHead(503).end()
    }).listen(0, '127.0.0.1')
    await once(away, 'listening')
    const code = await check(String((away.address() as AddressInfo).port))
    away.close()
    expect([code, asked]).to.deep.equal([1, ['/health/ready']])
  })
})

function imageEnvironment(): Record<string, string> {
  return variablesIn(textsOf('ENV').flatMap((text) => text.split(' ')))
}
