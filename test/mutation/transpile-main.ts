// Compiles the sources that Stryker has put mutants into, where it runs: each file by itself, without its types.
import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

const compilerOptions: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
}
const names = readdirSync('src', { recursive: true, encoding: 'utf8' })
for (const name of names.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))) {
  const text = readFileSync(join('src', name), 'utf8')
  if (!text.includes('stryMutAct_')) continue
  const { outputText } = ts.transpileModule(text, { compilerOptions, fileName: name })
  writeFileSync(join('dist', 'src', name.replace(/\.ts$/, '.js')), outputText)
}
