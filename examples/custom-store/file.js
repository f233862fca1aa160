import { readFile, rename, writeFile } from 'node:fs/promises'
import { emptyState } from './state.js'

/** @typedef {import('./state.js').State} State */

/**
 * Reads the state; if there is no file, the state is empty. A corrupt file is an error: an empty store would
 * overwrite all data at the next change.
 *
 * @param {string} path
 * @returns {Promise<State>}
 */
export async function load(path) {
  try {
    return { ...emptyState(), ...JSON.parse(await readFile(path, 'utf8')) }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return emptyState()
    throw error
  }
}

/**
 * Returns a function that writes the state and resolves when the file is on disk. Changes in the same event-loop
 * turn, or during a write,
 * share the next write.
 *
 * @param {string} path
 * @param {State} state
 * @returns {() => Promise<void>}
 */
export function createSave(path, state) {
  /** The most recently started write. */
  let writing = Promise.resolve()
  /** @type {Promise<void> | undefined} The next write. It will include every change made before it starts. */
  let waiting

  async function write() {
    waiting = undefined
    // The file contains either the complete old state or the complete new state, even after a crash.
    await writeFile(`${path}.new`, JSON.stringify(state), { flush: true, mode: 0o600 })
    await rename(`${path}.new`, path)
  }

  return function save() {
    if (waiting === undefined) {
      // This also applies after a failed write: the change is still in memory, and the next write contains it.
      waiting = writing.then(write, write)
      writing = waiting
    }
    return waiting
  }
}
