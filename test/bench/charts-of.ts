import type { Bars, Lines } from '../../bench/report.js'

export const BARS: Bars = {
  kind: 'bars',
  name: 'reads-ratios',
  title: 'Reads & <writes>',
  about: 'Each ratio, and its goal.',
  bars: [
    { name: 'reached', value: 0.63, goal: 0.6 },
    { name: 'missed', value: 0.32, goal: 0.45 },
    { name: 'a multiple', value: 1.12, goal: 1.5, lessIsBetter: true },
    { name: 'without a goal', value: 23_451 },
  ],
}

export const LINES: Lines = {
  kind: 'lines',
  name: 'reads-growth',
  title: 'Growth with size',
  about: 'Reads with more and more sessions.',
  x: { name: 'sessions', scale: 'log' },
  y: { name: 'requests/s' },
  lines: [
    {
      name: 'get-identity',
      points: [
        [10_000, 21_000],
        [1_000_000, 19_000],
      ],
    },
    {
      name: 'the goal',
      dashed: true,
      points: [
        [10_000, 18_900],
        [1_000_000, 18_900],
      ],
    },
  ],
}
