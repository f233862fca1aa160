import { join } from 'node:path'
import { describeHost, itRunsAsItsPageSays, type Example } from './describe-host.js'
import { pack, type Packed } from './packed.js'
import { NODES } from './programs.js'

const SERVER = (folder: string) => [join(folder, 'server.js')]
const FUNCTION = (folder: string) => [
  join(import.meta.dirname, 'function-main.js'),
  join(folder, 'handler.js'),
]

const EXAMPLES: readonly Example[] = [
  { name: 'express', args: SERVER },
  { name: 'fastify', args: SERVER },
  { name: 'hono', args: SERVER },
  { name: 'node-http', args: SERVER },
  { name: 'lambda', args: FUNCTION },
  { name: 'koa-mount', args: SERVER, prefix: '/kennel' },
]

describe('from the packed tarball,', () => {
  let packed: Packed
  before(async () => {
    packed = await pack()
  })
  after(() => packed.remove())

  for (const example of EXAMPLES) {
    describe(`the example ${example.name}`, () => {
      let folder: string
      before(async () => {
        folder = await packed.installExample(example.name)
      })
      if (example.name !== 'lambda')
        itRunsAsItsPageSays(
          example.prefix ?? '',
          () => folder,
          () => [],
        )
      for (const node of NODES)
        describeHost(example, { ...node, version: `on Node ${node.version}`, node }, () => folder)
    })
  }
})
