/** A metric as plain data that one process can send to another. */
export type MetricNumbers = {
  readonly name: string
  readonly help: string
  readonly type: string
  /** How prom-client combines the values of several processes. */
  readonly aggregator: string
  readonly values: readonly {
    readonly value: number
    readonly labels: Readonly<Partial<Record<string, string | number>>>
    /** Set only for the series of histograms. */
    readonly metricName?: string
  }[]
}

/** The metrics of one process. */
export type ProcessNumbers = {
  readonly service: readonly MetricNumbers[]
  /** Metrics for the CPU, memory and event loop; `undefined` if they were not requested. */
  readonly process: readonly MetricNumbers[] | undefined
}

/** Adds the process as a label, except to metrics that have the same value in all processes. */
export function withWorkerLabel(numbers: readonly MetricNumbers[], worker: string): MetricNumbers[] {
  return numbers.map((metric) =>
    metric.aggregator === 'first'
      ? metric
      : {
          ...metric,
          aggregator: 'sum',
          values: metric.values.map((one) => ({ ...one, labels: { ...one.labels, worker } })),
        },
  )
}
