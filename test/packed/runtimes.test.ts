import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describeHost, itRunsAsItsPageSays, type Runtime } from './describe-host.js'
import { pack, type Packed } from './packed.js'
import { NODES, type Node } from './programs.js'

/** The package of a runtime has one package with the binary for each platform, in a scope of its own. */
const RUNTIMES = [
  { name: 'bun', scope: '@oven', binary: join('bin', 'bun'), run: ['run'] },
  {
    name: 'deno',
    scope: '@deno',
    binary: 'deno',
    run: [
      'run',
      '--no-prompt',
      ...['net', 'env', 'read', 'write', 'ffi', 'sys'].map((one) => `--allow-${one}`),
    ],
  },
] as const

describe('from the packed tarball,', () => {
  let packed: Packed
  before(async () => {
    packed = await pack()
  })
  after(() => packed.remove())

  for (const { name, scope, binary, run } of RUNTIMES) {
    describe(`the example ${name}`, () => {
      let folder: string
      const runtime: { -readonly [name in keyof Runtime]: Runtime[name] } = {
        version: 'on its newest version',
        binary: '',
        node: NODES[0] as Node,
      }
      before(async () => {
        folder = await packed.installExample(name)
        const home = await packed.install(`runtime-${name}`, { [name]: '*' })
        const [platform = ''] = readdirSync(join(home, 'node_modules', scope))
        runtime.binary = join(home, 'node_modules', scope, platform, binary)
      })
      itRunsAsItsPageSays(
        '',
        () => folder,
        () => [dirname(runtime.binary)],
      )
      const args = (folder: string) => [...run, join(folder, 'server.js')]
      describeHost({ name, args }, runtime, () => folder)
    })
  }
})
