import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { expect } from 'chai'
import { PROJECT } from '../support/project.js'
import { packagesNamedIn } from './named-packages.js'

const OURS = 'kennel-id'
/** Hosts and test runners of the examples and their pages; the manifests of the examples install them. */
const OF_EXAMPLES = [
  'express',
  'fastify',
  'hono',
  '@hono/node-server',
  'koa-mount',
  'vitest',
  'react',
  'react-dom',
  'next',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  'rxjs',
  'srvx',
]
/** Texts that readers follow: pages except decisions, examples with their manifests, and messages. */
const READ =
  /^((README|CHANGELOG|SECURITY|CONTRIBUTING)\.md|\.env\.example|Dockerfile|package\.json|(docs\/(?!decisions)|examples\/|src\/|templates\/|bin\/|bench\/).*)$/

function textOf(file: string): string {
  return readFileSync(join(PROJECT, file), 'utf8')
}

describe('packages that pages, examples and messages name', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: PROJECT, encoding: 'utf8' }).split('\n')
  const named = files.filter((file) => READ.test(file)).flatMap((file) => packagesNamedIn(file, textOf(file)))
  // The peers of the benchmarks have separate packages.
  const installed = ['package-lock.json', 'bench/peers/package-lock.json'].flatMap((lock) =>
    Object.keys((JSON.parse(textOf(lock)) as { packages: object }).packages),
  )
  const isKnown = (name: string): boolean =>
    name === OURS ||
    installed.includes(`node_modules/${name}`) ||
    builtinModules.includes(name) ||
    OF_EXAMPLES.includes(name)

  it('are ours, in a lock file, or the subject of an example', () => {
    const strangers = named.filter(({ name }) => !isKnown(name))
    expect(strangers).to.deep.equal([])
  })

  it('were searched: pages, examples, manifests and sources name some', () => {
    for (const [part, name] of [
      ['docs/embed/first-login.md', OURS],
      ['examples/express/package.json', 'express'],
      ['examples/express/server.js', OURS],
      ['src/adapters/koa/http-service.ts', 'koa'],
    ] as const) {
      expect(named).to.deep.include({ file: part, name })
    }
  })

  it('are required by the examples in the current version', () => {
    const { version } = JSON.parse(textOf('package.json')) as { version: string }
    const manifests = files.filter((file) => /^examples\/[^/]+\/package\.json$/.test(file))
    const asked = manifests.flatMap((file) => {
      const { dependencies } = JSON.parse(textOf(file)) as { dependencies?: Record<string, string> }
      return dependencies?.[OURS] ?? []
    })
    expect(new Set(asked)).to.deep.equal(new Set([`^${version}`]))
  })

  it('would be found in every misleading form', () => {
    for (const text of [
      'npm install kennel',
      'Add the driver: `npm i --save kennel@^0.1.0`.',
      "import { openKennel } from 'kennel'",
      "const { openKennel } = await import('kennel/koa')",
      'npx kennel key generate',
    ]) {
      expect(packagesNamedIn('page.md', text)).to.deep.equal([{ file: 'page.md', name: 'kennel' }])
    }
    expect(packagesNamedIn('page.md', 'npx app key generate')).to.deep.equal([
      { file: 'page.md', name: 'app' },
    ])
    expect(packagesNamedIn('x/package.json', '{"dependencies": {"kennel": "^0.1.0"}}')).to.have.length(1)
  })
})
