import { readFile, rename, writeFile } from 'node:fs/promises'
import { emptyState } from './state.js'

/** @typedef {import('./state.js').State} State */

/**
 * Reads the state; without a file it is empty. A broken file is an error: a store that starts empty instead would
 * overwrite all data with the next change.
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
 * Returns a function that writes the state and resolves when it is on the disk. Changes in one turn, or during a
 * write, share the next write.
 *
 * @param {string} path
 * @param {State} state
 * @returns {() => Promise<void>}
 */
export function createSave(path, state) {
  /** The last write that has started. */
  let writing = Promise.resolve()
  /** @type {Promise<void> | undefined} The next write, which includes every change until it starts. */
  let waiting

  async function write() {
    waiting = undefined
    // Even after a crash the file has the complete old or new state.
    await writeFile(`${path}.new`, JSON.stringify(state), { flush: true, mode: 0o600 })
    await rename(`${path}.new`, path)
  }

  return function save() {
    if (waiting === undefined) {
      // After a write that failed as well: the change is still in memory, and the next write has it.
      waiting = writing.then(write, write)
      writing = waiting
    }
    return waiting
  }
}
