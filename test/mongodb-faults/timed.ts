import type { Outcome } from '../cli/app.js'

/** How a command ended and how many milliseconds it took. */
export type TimedOutcome = Outcome & { readonly after: number }

export async function timed(ending: Promise<Outcome>): Promise<TimedOutcome> {
  const began = performance.now()
  return { ...(await ending), after: performance.now() - began }
}
