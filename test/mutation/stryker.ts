import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { installOwnPackage } from '../support/own-package.js'
import { PROJECT } from '../support/project.js'
import type { ReportedMutant } from './mutants.js'

/** The mutants of each file. */
export type Report = Readonly<Record<string, { readonly mutants: readonly ReportedMutant[] }>>

export type StrykerRun = {
  /** A tree of the project that may be changed. */
  readonly tree: string
  /** Files, or ranges of them: `src/a.ts:1:0-2:9`, whose lines count from 1 and columns from 0. */
  readonly sources: readonly string[]
  readonly tests: readonly string[]
  /** Processes that run tests at the same time. */
  readonly jobs: number
  readonly note: (line: string) => void
}

/** The runner of mocha takes no newer one than this, which runs our tests as well. */
const VERSIONS = {
  '@stryker-mutator/core': '9.6.1',
  '@stryker-mutator/mocha-runner': '9.6.1',
  mocha: '11.8.0',
}
const PACKAGE = join(PROJECT, 'reports', 'mutation', 'stryker')
const inPackage = (...path: string[]) => join(PACKAGE, 'node_modules', '@stryker-mutator', ...path)
const [CONFIGURATION, REPORT] = ['stryker.json', 'mutants.json']

/** Runs the tests against all mutants, each time those alone that reach the mutant; throws where they do not all pass before. */
export async function runStryker(run: StrykerRun): Promise<Report> {
  installOwnPackage(PACKAGE, VERSIONS)
  writeFileSync(join(run.tree, CONFIGURATION), JSON.stringify(configurationOf(run)))
  const status = await start(run)
  if (status !== 0) throw new Error(`Stryker ended with ${status ?? 'a signal'} in ${run.tree}.`)
  const report = JSON.parse(readFileSync(join(run.tree, REPORT), 'utf8')) as { files: Report }
  return report.files
}

function configurationOf({ sources, tests, jobs }: StrykerRun): object {
  return {
    mutate: sources,
    // All mutants are compiled into the tree at once, and a variable chooses one.
    inPlace: true,
    buildCommand: 'node dist/test/mutation/transpile-main.js',
    ignorePatterns: ['**', '!src/**'],
    testRunner: 'mocha',
    plugins: [inPackage('mocha-runner', 'dist', 'src', 'index.js')],
    mochaOptions: { spec: tests.map(compiled), 'no-config': true, 'no-package': true },
    coverageAnalysis: 'perTest',
    concurrency: jobs,
    // A busy machine is no endless loop.
    dryRunTimeoutMinutes: 60,
    timeoutMS: 15_000,
    timeoutFactor: 4,
    reporters: ['json', 'progress-append-only'],
    jsonReporter: { fileName: REPORT },
    allowConsoleColors: false,
  }
}

function compiled(file: string): string {
  return join('dist', file.replace(/\.ts$/, '.js'))
}

async function start({ tree, note }: StrykerRun): Promise<number | null> {
  const program = inPackage('core', 'bin', 'stryker.js')
  const child = spawn(process.execPath, [program, 'run', CONFIGURATION], {
    cwd: tree,
    env: { ...process.env, NO_COLOR: '1', OCLIF_COLUMNS: '80' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', note)
  return await new Promise((resolve, reject) => {
    child.once('error', reject)
    // Not 'close': what a mutant has left behind may hold the streams.
    child.once('exit', resolve)
  })
}
