import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { filesOf, PROJECT } from '../support/project.js'

/** The examples that put the service into a host. */
const HOSTS = [
  'bun',
  'deno',
  'express',
  'fastify',
  'hono',
  'koa-mount',
  'lambda',
  'nest',
  'next',
  'node-http',
]
/** What a generator of applications makes: there only what names one of these is glue. */
const SCAFFOLD = ['examples/nest/src/app.ts', 'examples/nest/src/main.ts']
const OF_KENNEL = /\b(kennel|listener|LoggedIn)\b/

/** Lines of code that are neither blank nor a comment. */
function linesOfCode(text: string): string[] {
  return text
    .replaceAll(/^\s*\/\*\*[^]*?\*\/$/gm, '')
    .split('\n')
    .filter((line) => !/^\s*(\/\/|$)/.test(line))
}

function glueOf(example: string): string[] {
  const files = filesOf(`examples/${example}`).filter((file) => /\.[cm]?[jt]sx?$/.test(file))
  expect(files).to.not.be.empty
  return files.flatMap((file) => {
    const lines = linesOfCode(readFileSync(join(PROJECT, file), 'utf8'))
    return SCAFFOLD.includes(file) ? lines.filter((line) => OF_KENNEL.test(line)) : lines
  })
}

describe('the examples of hosts', () => {
  for (const example of HOSTS) {
    it(`takes less than 30 lines of one's own: ${example}`, () => {
      const lines = glueOf(example)
      expect(lines.length, lines.join('\n')).to.be.below(30).and.above(10)
      // All of it was looked at: the handler or the service, and a route of one's own.
      expect(lines.join('\n')).to.match(/createHandler|createHttpService/)
      expect(lines.join('\n')).to.match(/\bidentify\(/)
      expect(lines.join('\n')).to.match(/\breplyOf\(/)
    })
  }

  it('limit logins and believe no header of a client, as everything that a page shows', () => {
    const pages = filesOf('docs/embed').filter((file) => file.endsWith('.md'))
    const sources = filesOf('examples').filter((file) => /\.[cm]?[jt]sx?$/.test(file))
    const openings = [...pages, ...sources, 'README.md'].flatMap((file) =>
      [...readFileSync(join(PROJECT, file), 'utf8').matchAll(/openKennel\(\{\n[^]*?\n *\}\)/g)].map(
        ([text]) => ({
          file,
          isSafe: text.includes('loginLimit:') && !text.includes('trustProxy'),
        }),
      ),
    )
    expect(openings.length).to.be.above(25)
    expect(openings.filter(({ isSafe }) => !isSafe)).to.deep.equal([])
  })

  it('are all that there are', () => {
    const others = ['browser', 'custom-store', 'import-users', 'react', 'resource-server', 'users-table']
    const folders = filesOf('examples').flatMap((file) => /^examples\/([^/]+)\//.exec(file)?.[1] ?? [])
    expect([...new Set(folders)].filter((one) => !others.includes(one)).sort()).to.deep.equal(HOSTS)
  })

  it('are counted without blank lines and comments', () => {
    const text = '// a\n\n/** b */\nconst c = 1 // d\n  /**\n   * e\n   */\n  f()\n'
    expect(linesOfCode(text)).to.deep.equal(['const c = 1 // d', '  f()'])
  })
})
