import { mochaGlobalSetup, mochaGlobalTeardown } from '../support/mongodb/fixture.js'
import { resultOf, retried } from './outcomes.js'
import { pieceOf, sourcesOf, testsOf } from './pieces.js'
import { rangesOf, RUN_WHOLE } from './ranges.js'
import { keptResult, type Result } from './results.js'
import { runStryker, type Report } from './stryker.js'
import { copyTree } from './tree.js'

export type CheckOptions = {
  /** Processes that run tests at the same time. */
  readonly jobs: number
  /** Lines on what is under way. */
  readonly note: (line: string) => void
}

/** Tries all mutants of a piece on what was built; throws where its tests fail without any. */
export async function checkPiece(name: string, options: CheckOptions): Promise<Result> {
  const files = sourcesOf(name)
  return resultOf(name, files, await tryMutants(name, files, options))
}

/** Tries again what survived in the kept result, and gives that result with what is noticed by now; throws as checkPiece does. */
export async function checkSurvivors(name: string, options: CheckOptions): Promise<Result> {
  const kept = keptResult(name)
  if (!kept) throw new Error(`There is no kept result of ${name}: ${RUN_WHOLE}.`)
  const ranges = rangesOf(kept)
  return ranges.length === 0 ? kept : retried(kept, await tryMutants(name, ranges, options))
}

async function tryMutants(
  name: string,
  sources: readonly string[],
  { jobs, note }: CheckOptions,
): Promise<Report> {
  const tree = copyTree(name)
  try {
    return await withServer(name, () =>
      runStryker({ tree: tree.folder, sources, tests: testsOf(name), jobs, note }),
    )
  } finally {
    tree.remove()
  }
}

async function withServer<T>(name: string, task: () => Promise<T>): Promise<T> {
  const before = { ...process.env }
  if (pieceOf(name).needsMongodb) delete process.env['TEST_MONGODB_SERVER']
  else leaveOutMongodb()
  await mochaGlobalSetup()
  try {
    return await task()
  } finally {
    await mochaGlobalTeardown()
    Object.assign(process.env, before)
  }
}

/** The tests that need one are skipped. */
function leaveOutMongodb(): void {
  process.env['TEST_MONGODB_SERVER'] = 'none'
  for (const name of ['MONGODB_URL', 'MONGOMS_SYSTEM_BINARY', 'REQUIRE_MONGODB'])
    Reflect.deleteProperty(process.env, name)
}
