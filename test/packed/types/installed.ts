import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { PROJECT } from '../../support/project.js'
import { makeTemporaryFolder } from '../../support/temporary-folder.js'

const BUILT = join(import.meta.dirname, '..', '..', '..', 'src')
/** Packages that every consumer who compiles for Node installs. */
const CONSUMERS_OWN = ['@types/node']

export type Installed = ReturnType<typeof installPackage>

/** One compiler error; it has no file if it is about the compiler options. */
export type Said = { readonly file: string; readonly code: number; readonly message: string }

type Manifest = { readonly dependencies: Readonly<Record<string, string>> }

/**
 * The folder has only the required dependencies of the package, so a declaration that needs an optional or development package does not
 * compile there. The declarations are copied, because the compiler would follow a link to our sources.
 */
export function installPackage() {
  const { path: folder, remove } = makeTemporaryFolder()
  const manifest = readFileSync(join(PROJECT, 'package.json'), 'utf8')
  const kennel = join(folder, 'node_modules', 'kennel-id')
  cpSync(BUILT, join(kennel, 'dist', 'src'), { recursive: true, filter: (path) => !/\.(js|map)$/.test(path) })
  writeFileSync(join(kennel, 'package.json'), manifest)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const { dependencies } = JSON.parse(manifest) as Manifest
  for (const name of Object.keys(dependencies).concat(CONSUMERS_OWN)) link(folder, name)
  return {
    compile: (...program: readonly [files: Readonly<Record<string, string>>, options?: ts.CompilerOptions]) =>
      complaints(folder, programOf(folder, ...program)),
    remove,
  }
}

function link(folder: string, name: string): void {
  const source = join(PROJECT, 'node_modules', name)
  if (!existsSync(source)) return
  const target = join(folder, 'node_modules', name)
  mkdirSync(dirname(target), { recursive: true })
  symlinkSync(source, target, 'junction')
}

const STRICT: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  lib: ['lib.es2023.d.ts'],
  types: ['node'],
  strict: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
}

function programOf(
  folder: string,
  files: Readonly<Record<string, string>>,
  options?: ts.CompilerOptions,
): ts.Program {
  const paths = Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  })
  const typeRoots = [join(folder, 'node_modules', '@types')]
  return ts.createProgram(paths, { ...STRICT, typeRoots, ...options })
}

function complaints(folder: string, program: ts.Program): Said[] {
  return ts.getPreEmitDiagnostics(program).map(({ file, code, messageText }) => ({
    file: file?.fileName.slice(folder.length + 1) ?? '',
    code,
    message: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }))
}
