import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder that exists until `remove`; another `remove` is harmless. */
export type TemporaryFolder = { readonly path: string; readonly remove: () => void }

/** A path inside a folder; the folder itself without names. */
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

/** A separate folder for each test of the surrounding `describe`, removed afterwards. */
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

/** One folder for all tests of the surrounding `describe`, created immediately, removed after the last test. */
export function suiteFolder(): InFolder {
  const { path, remove } = makeTemporaryFolder()
  after(remove)
  return (...names) => join(path, ...names)
}
