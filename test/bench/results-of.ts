import type { Figure } from '../../bench/figures.js'
import type { Claim, Report } from '../../bench/report.js'
import type { Result } from '../../bench/results.js'

/** A figure that is never measured. */
export function figureOf(name: string, rest: Partial<Figure> = {}): Figure {
  const measure = () => Promise.reject(new Error('no test measures'))
  return { name, title: `The ${name}`, group: 'Reads', measure, ...rest }
}

/** A possible result of a figure, on a machine with two cores. */
export function resultOf(
  figure: string,
  claims: readonly Claim[],
  rest: Partial<Result> & { readonly told?: Partial<Report> } = {},
): Result {
  const { told, ...others } = rest
  return {
    figure,
    date: '2026-11-22',
    tookSeconds: 60,
    machine: { processor: 'AMD EPYC', cores: 2, memoryGiB: 24, system: 'Linux 6.18', pinned: true },
    versions: { Node: '24.1.0', koa: '3.3.0' },
    busyCores: 0.01,
    report: {
      setting: 'With 32 connections.',
      columns: [{ name: 'requests/s', digits: 0 }, { name: 'p50 ms' }],
      rows: [
        { name: figure, values: [26_946.4, 1.0612] },
        { name: 'bare Koa', values: [57_542, null] },
      ],
      claims,
      ...told,
    },
    ...others,
  }
}
