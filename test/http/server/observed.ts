import { PART_CALLS } from '../../../src/ports/calls/parts.js'
import type { CompletedRequest, Metrics } from '../../../src/ports/metrics.js'
import { collectingLog, type Line } from '../../support/log-collector.js'
import { startService, type TestOptions, type TestService } from '../../support/http/service.js'

/** The log lines and metrics of a service. */
export type Observed = {
  /** One line for each request. */
  readonly requests: readonly Line[]
  /** All log lines that are not about a request. */
  readonly lines: readonly Line[]
  readonly counted: readonly CompletedRequest[]
}

/** Runs a service while `act` runs, and returns the service's output after the last request has ended. */
export async function observed(
  act: (service: TestService) => Promise<unknown>,
  options: TestOptions = {},
): Promise<Observed> {
  const { log, lines, requests } = collectingLog()
  const counted: CompletedRequest[] = []
  const service = await startService({ ...options, log, metrics: countingInto(counted) })
  try {
    await act(service)
  } finally {
    await service.close()
  }
  return { requests, lines, counted }
}

/** Metrics that keep only the completed requests. */
export function countingInto(counted: CompletedRequest[]): Metrics {
  const calls = Object.keys(PART_CALLS.metrics).map((name) => [name, () => undefined])
  const requestAnswered: Metrics['requestAnswered'] = (request) => void counted.push(request)
  return { ...(Object.fromEntries(calls) as Metrics), requestAnswered }
}
