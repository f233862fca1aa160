import { isRefusal } from '../../domain/refusal.js'
import type { Metrics } from '../../ports/metrics.js'
import type { Issued } from '../identity/issue.js'

/** The same login; with metrics, each attempt is counted by its result. */
export function meterLogin<Input>(
  login: (input: Input) => Promise<Issued>,
  metrics: Pick<Metrics, 'loginTried'> | undefined,
): (input: Input) => Promise<Issued> {
  if (!metrics) return login
  return async (input) => {
    try {
      const issued = await login(input)
      metrics.loginTried('success')
      return issued
    } catch (error) {
      metrics.loginTried(isRefusal(error) ? error.code : 'fault')
      throw error
    }
  }
}
