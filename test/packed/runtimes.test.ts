import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describeExample } from './describe-host.js'
import { install } from './packed.js'
import { NODES } from '../support/nodes.js'

/** The npm packages of the runtimes. For each platform, a separate package in `scope` contains the binary. */
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

for (const { name, scope, binary, run } of RUNTIMES) {
  const runtime = async () => {
    const modules = join(await install({ [name]: '*' }), 'node_modules')
    const [platform = ''] = readdirSync(join(modules, scope))
    return join(modules, scope, platform, binary)
  }
  const args = (folder: string) => [...run, join(folder, 'server.js')]
  describeExample({ name, args, runtime }, NODES.slice(0, 1))
}
