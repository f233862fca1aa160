import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { readPage } from '../handbook/page.js'
import { NODES, type Node } from '../support/nodes.js'
import { install } from './packed.js'
import { run } from './programs.js'

const [NODE] = NODES as readonly [Node]
const PACKAGES = {
  'kennel-id': '*',
  '@types/jest': '^29',
  '@types/node': '^20',
  jest: '^29',
  'ts-jest': '^29',
  typescript: '~5.9.3',
}
const PROGRAM = `
  import { openKennel } from 'kennel-id'
  import { createHandler } from 'kennel-id/web'
  export async function statusOf(path: string): Promise<number> {
    const passphrase = 'Only-for-tests: 4 kennels & 12 hounds'
    const kennel = await openKennel({ store: 'memory:', passphrase, publicUrl: 'http://127.0.0.1', production: false })
    const reply = await createHandler(kennel)(new Request('http://127.0.0.1' + path))
    await kennel.close()
    return reply.status
  }
`
const SPEC = `
  import { statusOf } from './program'
  it('is alive', async () => expect(await statusOf('/health/live')).toBe(200))
`
const TYPES = ['--noEmit', '--skipLibCheck', '--types', 'node,jest']

describe('a CommonJS project with Kennel', () => {
  let folder: string
  before(async () => {
    folder = await install(PACKAGES)
    const files = readPage('docs/embed/commonjs.md').steps.flatMap((step) =>
      step.kind === 'file' ? [[step.name, step.text] as const] : [],
    )
    expect(files.map(([name]) => name)).to.deep.equal(['tsconfig.json', 'jest.config.json'])
    for (const [name, text] of [...files, ['program.ts', PROGRAM], ['program.spec.ts', SPEC]] as const)
      writeFileSync(join(folder, name), text)
  })

  async function outputOf(program: string, args: readonly string[], options?: string): Promise<string> {
    const env = options === undefined ? {} : { NODE_OPTIONS: options }
    const path = join(folder, 'node_modules', program)
    const { code, stdout, stderr } = await run(NODE, [path, ...args], { folder, env })
    return code === 0 ? 'passed' : stdout + stderr
  }

  const compile = (...args: string[]) => outputOf('typescript/bin/tsc', [...TYPES, ...args])

  it('compiles with the settings on the page, and without them shows the errors on the page', async () => {
    expect(await compile('--project', '.')).to.equal('passed')
    for (const [resolution, error] of [
      ['node10', 'TS2307'],
      ['node16', 'TS1479'],
    ] as const) {
      const module = resolution === 'node10' ? 'commonjs' : resolution
      const options = ['--module', module, '--moduleResolution', resolution, '--target', 'es2023']
      const found = await compile(...options, 'program.ts')
      expect(found).to.include(error)
    }
  })

  it("works in Jest with the configuration on the page, but not with ts-jest's default configuration", async () => {
    const jest = (config: string, options?: string) =>
      outputOf('jest/bin/jest.js', ['--config', config], options)
    expect(await jest('jest.config.json', '--experimental-vm-modules')).to.equal('passed')
    const usual = { preset: 'ts-jest', testEnvironment: 'node' }
    expect(await jest(JSON.stringify(usual))).to.match(
      /SyntaxError: (?:Cannot use import statement outside a module|Unexpected token 'export')/,
    )
  })
})
