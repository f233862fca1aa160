import { within } from '../adapters/database-server.js'
import type { LimitedPreviousAccounts } from '../application/shared-parts.js'
import type { Milliseconds } from '../domain/instant.js'
import type { PreviousAccounts } from '../ports/callbacks.js'

const TIMEOUT = 5_000

/** Limits the duration of each call: after the timeout, the call rejects and its signal is aborted. */
export function limitPreviousAccounts(
  previousAccounts: PreviousAccounts,
  timeout: Milliseconds = TIMEOUT,
): LimitedPreviousAccounts {
  return {
    async verify(email, password) {
      const control = new AbortController()
      try {
        const answer = previousAccounts.verify(email, password, control.signal)
        return await within(timeout, answer, 'previous login')
      } catch (error) {
        control.abort(error)
        throw error
      }
    },
  }
}
