import { expect } from 'chai'
import { filesOf, textOf } from '../support/project.js'

/** The examples that mount the service in a host. */
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
/** For files that an application scaffold generates, only lines that name Kennel count as glue code. */
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
    const lines = linesOfCode(textOf(file))
    return SCAFFOLD.includes(file) ? lines.filter((line) => OF_KENNEL.test(line)) : lines
  })
}

describe('the host examples', () => {
  for (const example of HOSTS) {
    it(`use fewer than 30 lines of glue code: ${example}`, () => {
      const lines = glueOf(example)
      expect(lines.length, lines.join('\n')).to.be.below(30).and.above(10)
      // The counted lines must include the handler or service, and a custom route.
      expect(lines.join('\n')).to.match(/createHandler|createHttpService/)
      expect(lines.join('\n')).to.match(/\bidentify\(/)
      expect(lines.join('\n')).to.match(/\breplyOf\(/)
    })
  }

  it('limit logins and trust no client header, like every sample on the pages', () => {
    const pages = filesOf('docs/embed').filter((file) => file.endsWith('.md'))
    const sources = filesOf('examples').filter((file) => /\.[cm]?[jt]sx?$/.test(file))
    const openings = [...pages, ...sources, 'README.md'].flatMap((file) =>
      [...textOf(file).matchAll(/openKennel\(\{\n[^]*?\n *\}\)/g)].map(([text]) => ({
        file,
        isSafe: text.includes('loginLimit:') && !text.includes('trustProxy'),
      })),
    )
    expect(openings.length).to.be.above(20)
    expect(openings.filter(({ isSafe }) => !isSafe)).to.deep.equal([])
  })

  it('are all listed in this test', () => {
    const others =
      'browser custom-store express-postgresql import-users react resource-server store-skeleton users-table'.split(
        ' ',
      )
    const folders = filesOf('examples').flatMap((file) => /^examples\/([^/]+)\//.exec(file)?.[1] ?? [])
    expect([...new Set(folders)].filter((one) => !others.includes(one)).sort()).to.deep.equal(HOSTS)
  })
})
