import { makeTemporaryFolder } from './temporary-folder.js'

/** The variable by which the workers of a run know its folder. */
const VARIABLE = 'TEST_RUN_FOLDER'

/** Makes the folder that all test files of this run share; returns its removal. */
export function makeRunFolder(): () => void {
  const { path, remove } = makeTemporaryFolder()
  process.env[VARIABLE] = path
  return remove
}

/** The folder that all test files of this run share, in all its processes. */
export function runFolder(): string {
  const path = process.env[VARIABLE]
  if (path === undefined) throw new Error('the fixture of the tests has made no folder for this run')
  return path
}
