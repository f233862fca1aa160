import { readFile, rename, writeFile } from 'node:fs/promises'
import { emptyState } from './state.js'

/** @typedef {import('./state.js').State} State */

/**
 * What the file holds, or nothing yet. A file that is broken is an error: a store that begins empty
 * instead would lose all of it with the next change.
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
 * Gives the function that writes the state and resolves when it is on the disk. Changes that come in
 * one turn, or while the file is being written, share the next write.
 *
 * @param {string} path
 * @param {State} state
 * @returns {() => Promise<void>}
 */
export function createSave(path, state) {
  /** The last write that has begun. */
  let writing = Promise.resolve()
  /** @type {Promise<void> | undefined} The one that has not, and takes in every change until it does. */
  let waiting

  async function write() {
    waiting = undefined
    // A reader of the file, also after a crash, finds the old state or the new one, never a half of it.
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
