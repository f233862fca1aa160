import { dirname, join } from 'node:path'
import { expect } from 'chai'
import ts from 'typescript'
import { filesOf, textOf } from '../support/project.js'

/**
 * In these folders, each source has a test at the same path. The tests of the other adapters are in `test/contracts` (stores), `test/http`
 * (HTTP) and `test/cli` (commands).
 */
const ROOMS = ['domain', 'application', 'configuration', 'embedding']
const ADAPTERS = 'jose keyring mustache node nodemailer paseto pino prometheus scrypt'.split(' ')

type Mirrored = { readonly source: string; readonly tested: boolean }

/** The test of `src/a/b.ts` is `test/a/b.test.ts`, or the folder `test/a/b` contains several tests. */
function mirrored(): readonly Mirrored[] {
  const tests = filesOf('test').filter((file) => file.endsWith('.test.ts'))
  const places = new Set(tests.flatMap((file) => [file.replace(/\.test\.ts$/, ''), dirname(file)]))
  return [...ROOMS.flatMap((room) => filesOf(join('src', room))), ...ADAPTERS.flatMap(published)]
    .filter((file) => file.endsWith('.ts') && doesSomething(textOf(file)))
    .sort()
    .map((source) => ({ source, tested: places.has(source.replace(/^src/, 'test').replace(/\.ts$/, '')) }))
}

function published(adapter: string): string[] {
  const folder = join('src', 'adapters', adapter)
  if (!filesOf(folder).includes(`${folder}/index.ts`)) return filesOf(folder)
  const entry = textOf(folder, 'index.ts')
  return [...entry.matchAll(/from '\.\/([^']+)\.js'/g)].map(([, name]) => `${folder}/${name}.ts`)
}

/** Returns whether the source exports a function or class; a source with only types, tables and re-exports needs no test. */
function doesSomething(text: string): boolean {
  const file = ts.createSourceFile('source.ts', text, ts.ScriptTarget.Latest)
  return file.statements.some((statement) => isExported(statement) && isCode(statement))
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
}

function isCode(statement: ts.Statement): boolean {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return true
  return (
    ts.isVariableStatement(statement) &&
    statement.declarationList.declarations.some(
      ({ initializer }) => initializer !== undefined && ts.isArrowFunction(initializer),
    )
  )
}

/**
 * Sources without a test at their path, each with the test that covers it. Every new source needs
 * a test at its path.
 */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'src/adapters/mustache/template.ts': 'test/adapters/mustache/mail-templates.test.ts',
  'src/configuration/reader.ts': 'test/embedding/setting-options.test.ts',
  'src/configuration/rules.ts': 'test/configuration/from-environment.test.ts',
  'src/configuration/sentence.ts': 'test/configuration/from-environment.test.ts',
  'src/configuration/storage.ts': 'test/configuration/settings.test.ts',
  'src/configuration/web.ts': 'test/configuration/settings.test.ts',
  'src/embedding/given-options.ts': 'test/embedding/read-options.test.ts',
  'src/embedding/open-kennel.ts': 'test/embedding/open.test.ts',
  'src/embedding/options.ts': 'test/embedding/read-options.test.ts',
}

describe('the test file of a source', () => {
  const all = mirrored()
  const untested = all.flatMap(({ source, tested }) => (tested ? [] : [source]))

  it('is at the corresponding path', () => {
    expect(all.length).to.be.greaterThan(100)
    expect(untested.filter((source) => !Object.hasOwn(TESTED_ELSEWHERE, source))).to.deep.equal([])
  })

  it('exists at the listed path, and not also at the corresponding path', () => {
    expect(Object.keys(TESTED_ELSEWHERE).filter((source) => !untested.includes(source))).to.deep.equal([])
    const tests = filesOf('test')
    expect(Object.values(TESTED_ELSEWHERE).filter((test) => !tests.includes(test))).to.deep.equal([])
  })
})
