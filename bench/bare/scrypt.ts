import { defaultHashConcurrency } from '../../src/adapters/scrypt/index.js'
import { systemKdf } from '../../src/adapters/scrypt/password-hasher.js'
import { hostMachine } from '../../src/configuration/environment.js'
import { readJob } from '../workplace/processes.js'
import { createStopwatch } from '../load/traffic.js'

export type Hashing = { readonly password: string; readonly hash: string; readonly amount: number }

/** The baseline for login: verifies passwords with plain scrypt-kdf, with the service's default concurrency. */
const { password, hash, amount } = await readJob<Hashing>()
const concurrency = defaultHashConcurrency(hostMachine())
const bytes = Uint8Array.from(Buffer.from(hash, 'base64'))
const stopwatch = createStopwatch()

async function verify(): Promise<void> {
  const begin = performance.now()
  if (!(await systemKdf.matches(password, bytes))) throw new Error('the password must match')
  stopwatch.record(performance.now() - begin)
}

let left = amount
/** Verifies one password after another; several such loops run concurrently. */
async function verifyInTurn(): Promise<void> {
  while (left-- > 0) await verify()
}

await Promise.all(Array.from({ length: concurrency }, verifyInTurn))
console.log(JSON.stringify({ ...stopwatch.read(), concurrency }))
