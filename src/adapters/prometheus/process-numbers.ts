/** One metric with its numbers, as plain data that goes from one process to another. */
export type MetricNumbers = {
  readonly name: string
  readonly help: string
  readonly type: string
  /** The word of prom-client for what becomes of the numbers of several processes. */
  readonly aggregator: string
  readonly values: readonly {
    readonly value: number
    readonly labels: Readonly<Partial<Record<string, string | number>>>
    /** Of the parts of a histogram. */
    readonly metricName?: string
  }[]
}

/** What one process has counted and measured. */
export type ProcessNumbers = {
  readonly service: readonly MetricNumbers[]
  /** Its CPU, memory and event loop; `undefined` where they were not asked for. */
  readonly process: readonly MetricNumbers[] | undefined
}

/** What only ever grows: of a process that has ended it goes on to count. */
export function countedIn(numbers: readonly MetricNumbers[]): MetricNumbers[] {
  return numbers.filter(({ type }) => type !== 'gauge')
}

/** Told apart by the process that they are of, but for what is the same in all of them. */
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
