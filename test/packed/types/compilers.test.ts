import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { pack, type Packed } from '../packed.js'
import { NODES, run, type Node } from '../programs.js'
import { CONSUMER } from './consumer.js'

const VERSIONS = ['5.4', '5.5', '5.6', '5.7', '5.8', '5.9', '6', 'latest']
const MODES = { nodenext: 'nodenext', node16: 'node16', bundler: 'esnext' }
const STRICT = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--skipLibCheck', 'false']
const [NODE] = NODES as readonly [Node]

/** The name under which a version of the compiler is installed. */
const compiler = (version: string) => `typescript-${version}`
const compilers = (versions: readonly string[]) =>
  Object.fromEntries(versions.map((version) => [compiler(version), `npm:typescript@${version}`]))

/** What the compiler of this version says about a program and every declaration behind it. */
async function complaints(
  folder: string,
  version: string,
  mode: keyof typeof MODES,
  file: string,
): Promise<string> {
  const tsc = join(folder, 'node_modules', compiler(version), 'bin', 'tsc')
  const modules = [
    '--module',
    MODES[mode],
    '--moduleResolution',
    mode,
    '--target',
    'es2022',
    '--types',
    'node',
  ]
  const { code, stdout, stderr } = await run(NODE, [tsc, ...STRICT, ...modules, file], { folder })
  return code === 0 ? '' : `${stdout}${stderr}`
}

/** An Express application that has our HTTP interface beside its own routes. */
const IN_EXPRESS = `
  import express, { type Request, type Response } from 'express'
  import { openKennel } from 'kennel-id'
  import { createHttpService } from 'kennel-id/koa'
  import { createHandler } from 'kennel-id/web'
  const kennel = await openKennel({ store: 'memory:', passphrase: '…', publicUrl: 'https://kennel.example' })
  const log = { debug() {}, info() {}, warn() {}, error() {}, enabled: () => false }
  const parts = { useCases: kennel, settings: kennel.httpSettings, readiness: () => kennel.ready(), log }
  const app = express()
  app.use(express.json())
  app.get('/', (request: Request, response: Response) => void response.json({ address: request.ip }))
  app.use(createHttpService(parts).callback())
  export const handler: (request: globalThis.Request) => Promise<globalThis.Response> = createHandler(kennel)
`

/** A Koa application that has mounted it, by Koa's own types. */
const IN_KOA = `
  import Koa from 'koa'
  import mount from 'koa-mount'
  import type { HttpService } from 'kennel-id/koa'
  declare const service: HttpService
  export const app = new Koa().use(mount('/kennel', service)).use(service)
`

describe('the declarations of the package, all of them checked,', () => {
  let packed: Packed
  let kennel: { 'kennel-id': string }
  before(async () => {
    packed = await pack()
    kennel = { 'kennel-id': `file:${packed.tarball}` }
  })
  after(() => packed.remove())

  describe('of every entry', () => {
    let folder: string
    before(async () => {
      const own = { '@types/node': '^20', ...compilers(VERSIONS) }
      folder = await packed.install('every-entry', { ...kennel, ...own })
      writeFileSync(join(folder, 'program.mts'), CONSUMER)
    })

    for (const version of VERSIONS) {
      it(`compile with TypeScript ${version}, as nodenext, node16 and bundler`, async () => {
        const modes = Object.keys(MODES) as (keyof typeof MODES)[]
        const said = await Promise.all(modes.map((mode) => complaints(folder, version, mode, 'program.mts')))
        expect(said).to.deep.equal(['', '', ''])
      })
    }
  })

  for (const [name, program, own] of [
    ['Express', IN_EXPRESS, { express: '^5', '@types/express': '^5' }],
    ['Koa and koa-mount', IN_KOA, { '@types/koa': '^3', 'koa-mount': '^4', '@types/koa-mount': '^4' }],
  ] as const) {
    it(`compile beside those of ${name}`, async () => {
      const newest = ['5.9', 'latest']
      const packages = { ...kennel, ...own, '@types/node': '^22', ...compilers(newest) }
      const folder = await packed.install(`beside-${name.split(' ')[0]}`, packages)
      writeFileSync(join(folder, 'program.mts'), program)
      for (const version of newest)
        expect(await complaints(folder, version, 'nodenext', 'program.mts'), version).to.equal('')
    })
  }
})
