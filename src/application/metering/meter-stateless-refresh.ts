import type { Metrics } from '../../ports/metrics.js'
import type { Refresh } from '../identity/refresh.js'

/** The same refresh; no store tells what becomes of its tokens, so each success is counted here. */
export function meterStatelessRefresh(refresh: Refresh, metrics: Pick<Metrics, 'refreshTried'>): Refresh {
  return async (input) => {
    const issued = await refresh(input)
    metrics.refreshTried('renewed')
    return issued
  }
}
