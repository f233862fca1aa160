import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { filesOf, PROJECT } from '../support/project.js'

/**
 * The folders whose sources each have a test at the same path, and the adapters that export functions. The other
 * adapters are tested elsewhere: stores by the laws, HTTP by `test/http`, commands by `test/cli`.
 */
const ROOMS = ['domain', 'application', 'configuration', 'embedding']
const ADAPTERS = [
  'jose',
  'keyring',
  'mustache',
  'node',
  'nodemailer',
  'paseto',
  'pino',
  'prometheus',
  'scrypt',
]

/** A source with code to test, and whether its test is at its path. */
export type Mirrored = { readonly source: string; readonly tested: boolean }

/** The test of `src/a/b.ts` is `test/a/b.test.ts`; several tests are in the folder `test/a/b`. */
export function mirrored(): readonly Mirrored[] {
  const tests = filesOf('test').filter((file) => file.endsWith('.test.ts'))
  const places = new Set(tests.flatMap((file) => [file.replace(/\.test\.ts$/, ''), dirname(file)]))
  return [...ROOMS.flatMap((room) => filesOf(join('src', room))), ...ADAPTERS.flatMap(published)]
    .filter((file) => file.endsWith('.ts') && doesSomething(readFileSync(join(PROJECT, file), 'utf8')))
    .sort()
    .map((source) => ({ source, tested: places.has(source.replace(/^src/, 'test').replace(/\.ts$/, '')) }))
}

/** The files from which the entry of an adapter exports. */
function published(adapter: string): string[] {
  const folder = join('src', 'adapters', adapter)
  if (!filesOf(folder).includes(`${folder}/index.ts`)) return filesOf(folder)
  const entry = readFileSync(join(PROJECT, folder, 'index.ts'), 'utf8')
  return [...entry.matchAll(/from '\.\/([^']+)\.js'/g)].map(([, name]) => `${folder}/${name}.ts`)
}

/** Whether the source exports its own function or class: types, tables and re-exports need no test. */
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
