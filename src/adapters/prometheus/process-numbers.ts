/** A metric as plain data, which one process sends to another. */
export type MetricNumbers = {
  readonly name: string
  readonly help: string
  readonly type: string
  /** How prom-client combines the numbers of several processes. */
  readonly aggregator: string
  readonly values: readonly {
    readonly value: number
    readonly labels: Readonly<Partial<Record<string, string | number>>>
    /** Only for the parts of a histogram. */
    readonly metricName?: string
  }[]
}

/** The numbers of one process. */
export type ProcessNumbers = {
  readonly service: readonly MetricNumbers[]
  /** CPU, memory and event loop; `undefined` if they were not requested. */
  readonly process: readonly MetricNumbers[] | undefined
}

/** The numbers that only grow: they continue to count after the process has ended. */
export function countedIn(numbers: readonly MetricNumbers[]): MetricNumbers[] {
  return numbers.filter(({ type }) => type !== 'gauge')
}

/** Labelled by process, except numbers that are equal in all processes. */
export function labelled(numbers: readonly MetricNumbers[], worker: string): MetricNumbers[] {
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
