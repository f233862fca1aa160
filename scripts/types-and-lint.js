// Checks types and lints for near.js. Both use one TypeScript program, whose creation takes most of the time. The arguments
// are the changed files. Sends one message to its parent: the failed steps, what they print, and the number of files whose
// types were not checked, because the process had used `TYPES_SECONDS` of CPU time.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ESLint } from 'eslint'
import ts from 'typescript'
import { distancesFrom, importsOf, readSources } from './import-graph.js'

const project = join(import.meta.dirname, '..')
const changed = process.argv.slice(2)
const maxSeconds = Number(process.env.TYPES_SECONDS ?? Number.POSITIVE_INFINITY)
/** The files of the program: src, test and bench. */
const COMPILED = /^(?:src|test|bench)\/.*\.ts$/
/** Settings on which the types of all files depend. */
const SETTINGS = /^(?:tsconfig|package|package-lock)\.json$/

const steps = { types: '', lint: '' }
const needsProgram = changed.some((file) => COMPILED.test(file) || SETTINGS.test(file))
const builder = needsProgram ? createProgram() : undefined
const unchecked = builder ? checkTypes(builder) : 0
await lint(changed.filter((file) => /\.[cm]?[jt]s$/.test(file) && existsSync(join(project, file))))
const failed = Object.keys(steps).filter((name) => steps[name] !== '')
process.send({ failed, output: Object.values(steps).join('\n').trim(), unchecked })

/** The program of the last compilation or check, with the changed files replaced. */
function createProgram() {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: report }
  const path = join(project, 'tsconfig.json')
  const { fileNames, options, errors } = ts.getParsedCommandLineOfConfigFile(path, { noEmit: true }, host)
  const configFileParsingDiagnostics = errors
  return ts.createIncrementalProgram({ rootNames: fileNames, options, configFileParsingDiagnostics })
}

/** Checks the files that the changes can affect, nearest first. Returns how many of them are left. */
function checkTypes(program) {
  for (const error of program.getConfigFileParsingDiagnostics()) report(error)
  for (const error of program.getOptionsDiagnostics()) report(error)
  for (const error of program.getGlobalDiagnostics()) report(error)
  for (const error of program.getSyntacticDiagnostics()) report(error)
  while (program.getSemanticDiagnosticsOfNextAffectedFile() !== undefined);
  const distances = distancesFrom(changed, importsOf(readSources(project), { types: true }))
  const distanceOf = (file) => distances.get(file) ?? Number.POSITIVE_INFINITY
  const files = program
    .getSourceFiles()
    .filter(({ isDeclarationFile }) => !isDeclarationFile)
    .map((file) => ({ file, distance: distanceOf(file.fileName.slice(project.length + 1)) }))
    .sort((one, other) => (one.distance === other.distance ? 0 : one.distance - other.distance))
  let left = 0
  for (const { file, distance } of files) {
    if (process.cpuUsage().user > 1e6 * maxSeconds) left += Number.isFinite(distance) ? 1 : 0
    else for (const error of program.getSemanticDiagnostics(file)) report(error)
  }
  // With `noEmit`, this writes only what was checked, for the next program.
  program.emit()
  return left
}

function report(diagnostic) {
  const host = { ...ts.sys, getCanonicalFileName: (name) => name, getNewLine: () => '\n' }
  steps.types += ts.formatDiagnostic(diagnostic, {
    ...host,
    getCurrentDirectory: () => project,
  })
}

async function lint(files) {
  const parserOptions = builder && { projectService: false, programs: [builder.getProgram()] }
  const eslint = new ESLint({
    cwd: project,
    warnIgnored: false,
    ...(parserOptions && {
      overrideConfig: { files: ['{src,test,bench}/**/*.ts'], languageOptions: { parserOptions } },
    }),
  })
  if (files.length === 0) return
  const results = await eslint.lintFiles(files)
  const count = results.reduce((sum, { errorCount, warningCount }) => sum + errorCount + warningCount, 0)
  if (count > 0) steps.lint += (await eslint.loadFormatter('stylish')).format(results)
}
