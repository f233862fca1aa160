import { Refusal } from '../../../src/domain/refusal.js'

/** The Refusal that a promise is rejected with; throws where it is anything else. */
export async function refused(promise: Promise<unknown>): Promise<Refusal> {
  const outcome = await promise.then(
    () => 'fulfilled',
    (error: unknown) => error,
  )
  if (outcome instanceof Refusal) return outcome
  throw new Error('expected a Refusal', { cause: outcome })
}
