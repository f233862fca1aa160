import { Worker } from 'node:worker_threads'

// The cost is 4 to 31. The last characters of salt and hash encode only 2 and 4 bits, respectively, so only some characters are canonical:
// bcrypt writes only canonical characters, and bcryptjs accepts no others.
const BCRYPT =
  /^\$2[aby]\$(0[4-9]|[12][0-9]|3[01])\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/u

/** bcrypt uses only the first 72 bytes of a password. */
const SEEN_BYTES = 72

/** Returns the cost (4 to 31; each step doubles the time) of a `$2a$`, `$2b$` or `$2y$` hash, or `undefined` for any other text. */
export function bcryptCost(text: string): number | undefined {
  const cost = BCRYPT.exec(text)?.[1]
  return cost === undefined ? undefined : Number(cost)
}

/**
 * Returns whether bcrypt uses the whole password: `false` for passwords of 72 bytes or more, because bcrypt ignores all bytes after the
 * first 72.
 */
export function isSeenWhole(password: string): boolean {
  return Buffer.byteLength(password, 'utf8') < SEEN_BYTES
}

const COMPARE = `
const { parentPort, workerData } = require('node:worker_threads')
parentPort.postMessage(module.exports.compareSync(workerData.password, workerData.hash))`

/**
 * Compares the password in a worker thread, because bcryptjs would block the event loop. A new thread for each call costs 40 ms more but
 * needs no thread management; calls are rare, since a login replaces the bcrypt hash with a scrypt hash. Like every bcrypt implementation,
 * bcryptjs uses only 72 bytes of the password. The thread runs source code from a string, because a bundle has no separate file for it.
 */
export async function matchesBcrypt(password: string, hash: string): Promise<boolean> {
  const { BCRYPTJS } = await import('./bcryptjs.js')
  const worker = new Worker(BCRYPTJS + COMPARE, {
    eval: true,
    workerData: { password, hash },
    execArgv: [],
  })
  return await new Promise((resolve, reject) => {
    worker.once('message', (answer: unknown) => resolve(answer === true))
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('the bcrypt thread ended without a result')))
  })
}
