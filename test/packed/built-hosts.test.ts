import { join } from 'node:path'
import { describeExample, type Example } from './describe-host.js'
import { someNodes } from './programs.js'

/** Example hosts with a build step. */
const EXAMPLES: readonly Example[] = [
  { name: 'nest', args: (folder) => [join(folder, 'dist', 'main.js')] },
  {
    name: 'next',
    args: (folder) => [
      ...[join(folder, 'node_modules', 'next', 'dist', 'bin', 'next'), 'start', folder],
      ...['--hostname', '127.0.0.1'],
    ],
    isAddressKnown: false,
    // Next.js exits without closing Kennel, so these files of the store remain.
    end: 143,
    left: ['app.db-attempts-shm', 'app.db-attempts-wal', 'app.db-shm', 'app.db-wal'],
  },
]

for (const [place, example] of EXAMPLES.entries()) describeExample(example, someNodes(place))
