import { isRefusal } from '../../domain/refusal.js'
import type { Metrics } from '../../ports/metrics.js'
import type { Issued } from '../identity/issue.js'

/** The same login; where there are metrics each that is tried is counted by how it ended. */
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

/** The same refresh; no store tells what becomes of its tokens, so each success is counted here, where there are metrics. */
export function meterStatelessRefresh<Input>(
  refresh: (input: Input) => Promise<Issued>,
  metrics: Pick<Metrics, 'refreshTried'> | undefined,
): (input: Input) => Promise<Issued> {
  if (!metrics) return refresh
  return async (input) => {
    const issued = await refresh(input)
    metrics.refreshTried('renewed')
    return issued
  }
}
