import { execFileSync } from 'node:child_process'
import { builtinModules } from 'node:module'
import { expect } from 'chai'
import { PROJECT, textOf } from '../support/project.js'

/** A package that a file tells its reader to install, run or import, with its name in node_modules. */
type NamedPackage = { readonly file: string; readonly name: string }

const NAME = String.raw`(?:@[a-z0-9][\w.-]*/)?[a-z0-9][\w.-]*`
const INSTALL = /\bnpm (?:install|i|add)[ \t]+([^\n`;&|()$#,]*)/g
const RUN = new RegExp(String.raw`\b(?:npx|npm exec|npm create)[ \t]+(?:-\S+[ \t]+)*(${NAME})`, 'g')
const IMPORT = new RegExp(
  String.raw`(?:(?:\bimport|\bexport|\})[^'\"\n]*\bfrom|^import|\bimport\(|\brequire\()[ \t]*(['"])(${NAME}(?:/[\w./-]*)?)\1`,
  'g',
)
const NAME_WITH_VERSION = new RegExp(String.raw`^["']?(${NAME})(?:@[^\s"']+)?["']?$`)

/** Returns the dependencies in a manifest, or the packages that any other text names in npm commands and imports. */
function packagesNamedIn(file: string, text: string): NamedPackage[] {
  const names = file.endsWith('package.json') ? dependenciesOf(text) : namesIn(text)
  return [...new Set(names)].map((name) => ({ file, name }))
}

function namesIn(text: string): string[] {
  const installed = Array.from(text.matchAll(INSTALL), ([, words = '']) => words.split(/\s+/))
  return [
    ...installed.flat().flatMap((word) => NAME_WITH_VERSION.exec(word)?.[1] ?? []),
    ...Array.from(text.matchAll(RUN), ([, name = '']) => name),
    ...Array.from(text.matchAll(IMPORT), ([, , path = '']) => packageOf(path)),
  ]
}

function packageOf(path: string): string {
  return path.split('/', path.startsWith('@') ? 2 : 1).join('/')
}

function dependenciesOf(manifest: string): string[] {
  const { dependencies, devDependencies, peerDependencies } = JSON.parse(manifest) as Record<string, object>
  return [dependencies, devDependencies, peerDependencies].flatMap((one) => Object.keys(one ?? {}))
}

const OURS = 'kennel-id'
/** Hosts and test runners that the manifests of the examples install. */
const OF_EXAMPLES = [
  '@stryker-mutator/core',
  'express',
  'fastify',
  'hono',
  '@hono/node-server',
  'koa-mount',
  'vitest',
  'jest',
  'react',
  'react-dom',
  'next',
  '@nestjs/common',
  '@nestjs/core',
  '@nestjs/platform-express',
  'rxjs',
  'srvx',
]
/** Files whose package names a reader may type: pages (except decisions), examples, manifests, and sources with messages. */
const READ =
  /^((README|CHANGELOG|SECURITY|CONTRIBUTING)\.md|\.env\.example|Dockerfile|package\.json|(docs\/(?!decisions)|examples\/|src\/|templates\/|bin\/|bench\/).*)$/

describe('package names on pages and in examples and messages', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: PROJECT, encoding: 'utf8' }).split('\n')
  const named = files.filter((file) => READ.test(file)).flatMap((file) => packagesNamedIn(file, textOf(file)))
  // The libraries that benchmarks compare with have a separate manifest.
  const { packages } = JSON.parse(textOf('package-lock.json')) as { packages: object }
  const { dependencies } = JSON.parse(textOf('bench/peers/package.json')) as { dependencies: object }
  const isKnown = (name: string): boolean =>
    name === OURS ||
    `node_modules/${name}` in packages ||
    name in dependencies ||
    builtinModules.includes(name) ||
    OF_EXAMPLES.includes(name)

  it('are our own package, a package in a lock file, or the subject of an example', () => {
    const strangers = named.filter(({ name }) => !isKnown(name))
    expect(strangers).to.deep.equal([])
  })

  it('are found in pages, examples, manifests and sources', () => {
    for (const [part, name] of [
      ['docs/embed/first-login.md', OURS],
      ['examples/express/package.json', 'express'],
      ['examples/express/server.js', OURS],
      ['src/adapters/koa/http-service.ts', 'koa'],
    ] as const) {
      expect(named).to.deep.include({ file: part, name })
    }
  })

  it('include our package at its current version in every example manifest', () => {
    const { version } = JSON.parse(textOf('package.json')) as { version: string }
    const manifests = files.filter((file) => /^examples\/[^/]+\/package\.json$/.test(file))
    const asked = manifests.flatMap((file) => {
      const { dependencies } = JSON.parse(textOf(file)) as { dependencies?: Record<string, string> }
      return dependencies?.[OURS] ?? []
    })
    expect(new Set(asked)).to.deep.equal(new Set([`^${version}`]))
  })

  it('are detected in every misleading form', () => {
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
