// Runs the compiled tests with Mocha in the process of Stryker's worker: first all of them, to know which tests reach
// which mutant, then these tests for each mutant. Stryker's own runner does not load Mocha 12.
import { globSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core'
import { declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import * as api from '@stryker-mutator/api/test-runner'
import fc from 'fast-check'
import Mocha from 'mocha'
import { LAYERS, LEFT_OUT } from './layers.js'

/** Judges the declared inputs of all operations, which the tests of the operations do not read. */
const INPUTS = join('dist', 'test', 'application', 'operations.test.js')

/** The mutated code counts here, and looks up which mutant is active. */
const state = (globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {})

class MochaRunner {
  #files = LAYERS[process.env.MUTATED_LAYER].flatMap((tests) => globSync(tests, { exclude: LEFT_OUT }).sort())
  #all

  capabilities() {
    // Node imports a module only once: Stryker starts another process for a mutant that is active during the import.
    return { reloadEnvironment: false }
  }

  init() {
    // The same examples in each run, and no search for the smallest: the first failure kills a mutant.
    fc.configureGlobal({ seed: 1, endOnFailure: true })
    Error.stackTraceLimit = 2
  }

  async dryRun() {
    const suites = new Map()
    this.#all = await loaded(this.#files)
    const tests = await run(this.#all, (runner) => {
      runner.on('suite', (suite) => {
        state.currentTestId = `hooks of ${suite.fullTitle()}`
        suites.set(state.currentTestId, titlesIn(suite))
      })
      runner.on('test', (test) => (state.currentTestId = test.fullTitle()))
    })
    return { ...complete(tests), mutantCoverage: withoutHooks(state.mutantCoverage, suites) }
  }

  async mutantRun({ activeMutant: { id }, sandboxFileName, testFilter, hitLimit, mutantActivation }) {
    Object.assign(state, { hitLimit, hitCount: hitLimit === undefined ? undefined : 0 })
    const tests =
      mutantActivation === 'static'
        ? await this.#atImport(id, sandboxFileName)
        : await this.#atRuntime(id, testFilter)
    if (tests.length === 0) throw new Error(`No test has run for the mutant ${id}.`)
    return api.toMutantRunResult(api.determineHitLimitReached(state.hitCount, hitLimit) ?? complete(tests))
  }

  async #atRuntime(id, testFilter) {
    this.#all ??= await loaded(this.#files)
    state.activeMutant = id
    const titles = testFilter && new Set(testFilter)
    this.#all.grep({ test: (title) => titles?.has(title) ?? true })
    return await run(this.#all)
  }

  /** The test of the mutated file or of all inputs is likely to fail: the other tests are only imported if both pass. */
  async #atImport(id, fileName) {
    state.activeMutant = id
    const test = relative('.', fileName).replace(/^src/, join('dist', 'test')).replace(/\.ts$/, '')
    const near = [`${test}.`, join(test, '/'), INPUTS]
    const isNear = (file) => near.some((start) => file.startsWith(start))
    const tests = await judged(this.#files.filter(isNear))
    const isKilled = tests.some(({ status }) => status === api.TestStatus.Failed)
    return isKilled ? tests : await judged(this.#files.filter((file) => !isNear(file)))
  }
}

async function judged(files) {
  if (files.length === 0) return []
  try {
    return await run(await loaded(files))
  } catch (error) {
    return [failed({ fullTitle: () => 'the import of the tests', file: resolve(files[0]) }, error)]
  }
}

async function loaded(files) {
  const mocha = new Mocha({ bail: true, reporter: class {}, timeout: 0 }).cleanReferencesAfterRun(false)
  for (const file of files) mocha.addFile(resolve(file))
  await mocha.loadFilesAsync()
  return mocha
}

async function run(mocha, listen) {
  const tests = []
  await new Promise((end) => {
    const runner = mocha.run(end)
    listen?.(runner)
    runner.on('pass', (test) => tests.push(passed(test)))
    runner.on('fail', (test, error) => tests.push(failed(test, error)))
  })
  return tests
}

function complete(tests) {
  return { status: api.DryRunStatus.Complete, tests }
}

function passed(test) {
  return { ...named(test.fullTitle(), test.file), timeSpentMs: test.duration, status: api.TestStatus.Success }
}

function failed(test, error) {
  const failureMessage = String(error?.message ?? error)
  return {
    ...named(test.fullTitle(), test.file),
    timeSpentMs: 0,
    failureMessage,
    status: api.TestStatus.Failed,
  }
}

function named(title, fileName) {
  return { id: title, name: title, fileName }
}

function titlesIn(suite) {
  return [...suite.tests.map((test) => test.fullTitle()), ...suite.suites.flatMap(titlesIn)]
}

/** Code that a hook of a suite runs is reached by each of its tests. */
function withoutHooks({ static: atImport, perTest }, suites) {
  for (const [hooks, titles] of suites) {
    for (const title of perTest[hooks] ? titles : []) {
      perTest[title] = { ...perTest[hooks], ...perTest[title] }
    }
    delete perTest[hooks]
  }
  return { static: atImport, perTest }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'mocha-12', MochaRunner)]
