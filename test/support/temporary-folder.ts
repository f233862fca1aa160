import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that exists until `remove` is called; calling `remove` again is harmless. */
export type TemporaryFolder = { readonly path: string; readonly remove: () => void }

export type InFolder = (...names: string[]) => string

export function makeTemporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), 'kennel-test-'))
  return {
    path,
    remove: () => {
      rmSync(path, { recursive: true, force: true })
    },
  }
}

/** A separate folder for each test in the surrounding `describe`, removed after the test. */
export function temporaryFolder(): InFolder {
  let folder: TemporaryFolder
  beforeEach(() => {
    folder = makeTemporaryFolder()
  })
  afterEach(() => {
    folder.remove()
  })
  return (...names) => join(folder.path, ...names)
}

/** One folder for all tests of the surrounding `describe`; it is created immediately and removed after the last test. */
export function suiteFolder(): InFolder {
  const { path, remove } = makeTemporaryFolder()
  after(remove)
  return (...names) => join(path, ...names)
}

/** The variable in which the workers of a run find the folder of the run. */
const VARIABLE = 'TEST_RUN_FOLDER'

/** Creates the folder that all test files of this run share; returns a function that removes it. */
export function makeRunFolder(): () => void {
  const { path, remove } = makeTemporaryFolder()
  process.env[VARIABLE] = path
  return remove
}

export function runFolder(): string {
  const path = process.env[VARIABLE]
  if (path === undefined) throw new Error('the fixture of the tests has made no folder for this run')
  return path
}
