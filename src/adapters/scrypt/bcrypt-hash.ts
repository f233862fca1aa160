import { Worker } from 'node:worker_threads'

// Cost 4 to 31. The last characters of salt and hash hold 2 and 4 bits, so few are canonical;
// every bcrypt writes those and bcryptjs verifies no others.
const BCRYPT =
  /^\$2[aby]\$(0[4-9]|[12][0-9]|3[01])\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/u

/** Of what comes after them bcrypt sees nothing, not even whether anything does. */
const SEEN_BYTES = 72

/** The cost of a `$2a$`, `$2b$` or `$2y$` hash, 4 to 31: the time doubles with each. `undefined` for another text. */
export function bcryptCost(text: string): number | undefined {
  const cost = BCRYPT.exec(text)?.[1]
  return cost === undefined ? undefined : Number(cost)
}

/** Whether bcrypt sees where this password ends; in UTF-8, as it does. One of 72 bytes may be the beginning of a longer one. */
export function isSeenWhole(password: string): boolean {
  return Buffer.byteLength(password, 'utf8') < SEEN_BYTES
}

/** What the thread does with bcryptjs. */
const COMPARE = `
const { parentPort, workerData } = require('node:worker_threads')
parentPort.postMessage(module.exports.compareSync(workerData.password, workerData.hash))`

/**
 * Compares in a thread of its own, since bcryptjs computes in JavaScript and would stop the
 * event loop for the time of a hash. A thread for each call costs some 40 ms more and needs no
 * bookkeeping: it is gone when the answer is there. Few calls come, since a login replaces the
 * hash by scrypt. As every bcrypt does, it looks at the first 72 bytes of the password only. What the thread runs is a
 * text: a file of its own would not be found from a bundle.
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
    worker.once('exit', () => reject(new Error('the bcrypt thread ended without an answer')))
  })
}
