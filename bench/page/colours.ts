/** GitHub shows a page light or dark, so each chart is drawn twice. */
export const SCHEMES = ['light', 'dark'] as const

export type Scheme = (typeof SCHEMES)[number]

export type Colours = {
  readonly ground: string
  readonly text: string
  readonly faint: string
  readonly reached: string
  readonly missed: string
  /** Distinguishable with red-green colour blindness; each line also has a different symbol. */
  readonly lines: readonly string[]
}

export const COLOURS: Readonly<Record<Scheme, Colours>> = {
  light: {
    ground: '#ffffff',
    text: '#1f2328',
    faint: '#d1d9e0',
    reached: '#0969da',
    missed: '#bc4c00',
    lines: ['#0969da', '#bc4c00', '#1a7f37', '#8250df', '#59636e'],
  },
  dark: {
    ground: '#0d1117',
    text: '#e6edf3',
    faint: '#3d444d',
    reached: '#4493f8',
    missed: '#f0883e',
    lines: ['#4493f8', '#f0883e', '#3fb950', '#ab7df8', '#9198a1'],
  },
}
