import { join } from 'node:path'
import { describeHost, itRunsAsItsPageSays, type Example } from './describe-host.js'
import { pack, type Packed } from './packed.js'
import { NODES } from './programs.js'

/** Hosts that are built before they run. */
const EXAMPLES: readonly Example[] = [
  { name: 'nest', args: (folder) => [join(folder, 'dist', 'main.js')] },
  {
    name: 'next',
    args: (folder) => [
      ...[join(folder, 'node_modules', 'next', 'dist', 'bin', 'next'), 'start', folder],
      ...['--hostname', '127.0.0.1'],
    ],
    // It ends by itself, without a chance to close anything.
    end: 143,
    left: ['app.db-shm', 'app.db-wal'],
  },
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
        await packed.build(folder)
      })
      itRunsAsItsPageSays(
        '',
        () => folder,
        () => [],
      )
      for (const node of NODES)
        describeHost(example, { ...node, version: `on Node ${node.version}`, node }, () => folder)
    })
  }
})
