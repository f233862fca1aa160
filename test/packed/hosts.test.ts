import { join } from 'node:path'
import { describeExample, type Example } from './describe-host.js'
import { someNodes } from './programs.js'

const SERVER = (folder: string) => [join(folder, 'server.js')]
const FUNCTION =
  (...name: string[]) =>
  (folder: string) => [join(import.meta.dirname, 'function-main.js'), join(folder, 'handler.js'), ...name]

const EXAMPLES: readonly Example[] = [
  { name: 'express', args: SERVER },
  { name: 'fastify', args: SERVER },
  { name: 'hono', args: SERVER },
  { name: 'node-http', args: SERVER },
  { name: 'lambda', args: FUNCTION(), isStartedByPage: false },
  {
    name: 'lambda',
    variant: 'behind a load balancer',
    args: FUNCTION('behindLoadBalancer'),
    isStartedByPage: false,
  },
  { name: 'koa-mount', args: SERVER, prefix: '/kennel' },
]

for (const [place, example] of EXAMPLES.entries()) describeExample(example, someNodes(place))
