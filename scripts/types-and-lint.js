// Checks types and lints for near.js. Both checks use one TypeScript program, because creating it takes most of the time. The arguments
// are the changed files. After `TYPES_SECONDS` of CPU time, the types in more distant files are no longer checked.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ESLint } from 'eslint'
import ts from 'typescript'
import { PROJECT } from './files.js'

const changed = process.argv.slice(2)
/** Changes to these files can affect the types in other files. */
const TYPED = /^(?:(?:src|test|bench)\/.*\.ts|(?:tsconfig|package|package-lock)\.json)$/

const builder = changed.some((file) => TYPED.test(file)) ? createProgram() : undefined
if (builder) checkTypes(builder)
await lint(changed.filter((file) => /\.[cm]?[jt]s$/.test(file) && existsSync(join(PROJECT, file))))

/** The program of the last compilation or check, updated with the changed files. */
function createProgram() {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: (error) => report([error]) }
  const path = join(PROJECT, 'tsconfig.json')
  const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(path, { noEmit: true }, host)
  return ts.createIncrementalProgram({ rootNames: fileNames, options, configFileParsingDiagnostics: errors })
}

/** Checks the changed files, and then the files that they affect. */
function checkTypes(program) {
  for (const kind of ['ConfigFileParsing', 'Options', 'Global', 'Syntactic'])
    report(program[`get${kind}Diagnostics`]())
  const found = []
  let next
  do {
    next = program.getSemanticDiagnosticsOfNextAffectedFile()
    found.push(...(next?.result ?? []))
  } while (next && process.cpuUsage().user < 1e6 * Number(process.env.TYPES_SECONDS))
  if (next)
    console.log('Types not checked: some files that are farther away. npm run check:types checks all.')
  // A complete check also reports the errors that an earlier check found in other files.
  report(next ? found : program.getSemanticDiagnostics())
  // With `noEmit`, this call only writes the results of the check, for the next program.
  program.emit()
}

function report(diagnostics) {
  if (diagnostics.length === 0) return
  const host = { ...ts.sys, getCanonicalFileName: (name) => name, getNewLine: () => '\n' }
  console.log(ts.formatDiagnostics(diagnostics, { ...host, getCurrentDirectory: () => PROJECT }).trim())
  process.exitCode = 1
}

async function lint(files) {
  if (files.length === 0) return
  const parserOptions = builder && { projectService: false, programs: [builder.getProgram()] }
  const typed = { files: ['{src,test,bench}/**/*.ts'], languageOptions: { parserOptions } }
  const eslint = new ESLint({ cwd: PROJECT, warnIgnored: false, ...(builder && { overrideConfig: typed }) })
  const results = await eslint.lintFiles(files)
  if (results.every(({ errorCount, warningCount }) => errorCount + warningCount === 0)) return
  console.log((await eslint.loadFormatter('stylish')).format(results))
  process.exitCode = 1
}
