import { ADAPTER_RULES } from '../../src/composition-root/adapter-rules.js'
import { SETTINGS, type SettingName } from '../../src/configuration/settings.js'
import { long, same, TEXT_CASES, words } from './text-cases.js'

/** A string and its expected value. */
export type Good = readonly [text: string, value: unknown]

/** Test cases for a reader: variable values and non-string options, with the expected results. */
export type Cases = {
  readonly good: readonly Good[]
  /** Strings that the reader rejects with its usual error message. */
  readonly wrong: readonly string[]
  /** Strings that the reader rejects with other messages, keyed by message. */
  readonly others?: Readonly<Record<string, readonly string[]>>
  /** Non-string options of the right type. */
  readonly options?: {
    readonly good: readonly (readonly [option: unknown, value: unknown])[]
    readonly wrong: readonly unknown[]
  }
}

/** Creates the cases for every reader whose error message matches; the groups capture the bounds in the message. */
type CasesOf = readonly [sentence: RegExp, casesOf: (...groups: readonly string[]) => Cases]

const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1e3, m: 6e4, h: 36e5, d: 864e5, '': 1 }
const BYTES: Readonly<Record<string, number>> = { kb: 1024, mb: 1024 ** 2 }
const DAY = 864e5

function amount(text: string, units: Readonly<Record<string, number>>): number {
  const [, count = '', unit = ''] = /^(\d+)(\D*)$/.exec(text) ?? []
  return Number(count) * Number(units[unit])
}

/** Formats a duration in milliseconds as a string with at most nine digits. */
const timeText = (time: number) => (time < 1e9 ? `${time}ms` : `${time / 1000}s`)

function durations(from: string, to: string, step: number): Cases {
  const [least, most] = [amount(from, MILLISECONDS), amount(to, MILLISECONDS)]
  const bounds = [least, most] as const
  // Nine digits of milliseconds amount to less than 12 days.
  const above = most < 1e9 ? `${most + 1}ms` : `${most / DAY + 1}d`
  const odd = step > 1 ? [`${least + 500}ms`] : []
  return {
    good: [[from, least], [`00${to}`, most], ...bounds.map((time) => [timeText(time), time] as const)],
    wrong: [
      ...(least > 0 ? ['0', '0s', timeText(least - 1)] : []),
      ...[above, ...odd, '1234567890ms', '9999999999d', 'Infinity', 'forever '],
      ...['10', '900', '-1s', '1.5m', '15M', '15min', ' 15m', '30 s', '1w', '1y', '0s5', 'never', '1m30s'],
    ],
    options: {
      good: bounds.map((time) => [time, time]),
      // A string of nine digits cannot express 1,234,567,890.
      wrong: [
        ...(least > 0 ? [0, least - 1] : []),
        most + step,
        2 ** 52,
        1_234_567_890,
        ...odd.map(Number.parseFloat),
      ],
    },
  }
}

function integers(from: string, to: string, word?: Good): Cases {
  const bounds = [Number(from), Number(to)]
  const outside = [Number(from) - 1, Number(to) + 1]
  return {
    good: [...bounds.map((value) => [String(value), value] as const), ...(word ? [word] : [])],
    wrong: [
      ...outside.map(String),
      ...words('-1 1.5 0x50 08 http 1e1 +1 ٣ 1_000 9999999999 OFF AUTO'),
      ...[' 8', '8 '],
    ],
    options: {
      good: bounds.map((value) => [value, value]),
      wrong: [...outside, -1, 8.5, 1e21, 2 ** 52, Number.NaN, Number.POSITIVE_INFINITY],
    },
  }
}

function sizes(from: string, to: string): Cases {
  const [least, most] = [amount(from, BYTES), amount(to, BYTES)]
  return {
    good: [
      [from, least],
      [to.toUpperCase(), most],
      [String(least), least],
      [`${most}b`, most],
    ],
    wrong: [`${least - 1}`, `${most + 1}`, '0', '64k', '64 kb', '-1kb', '1gb', '1tb', '1.5mb', 'none'],
  }
}

function switches(on: string, off: string, wrong: string): Cases {
  const meaning = (texts: string, value: boolean) => words(texts).map((text): Good => [text, value])
  return {
    good: [...meaning(on, true), ...meaning(off, false)],
    wrong: [...words(`${wrong} 2 TRUE yes no`), ' 1'],
    options: { good: [true, false].map((value) => [value, value]), wrong: [] },
  }
}

function choices(others: string, last: string): Cases {
  const words = [...others.split(', '), last]
  const unlike = words.flatMap((word) => [word.toLowerCase(), word.toUpperCase(), ` ${word}`, `${word} `])
  return {
    good: words.map((word) => [word, word]),
    wrong: [...unlike.filter((text) => !words.includes(text)), words.join(), 'something', '0', '1'],
  }
}

/** Test cases for the readers that are missing from TEXT_CASES. The first matching pattern applies. */
const READERS: readonly CasesOf[] = [
  [/^must be a duration from (\S+) to (\S+)$/, (from, to) => durations(from, to, 1)],
  [/^must be a duration from (\S+) to (\S+) in whole seconds$/, (from, to) => durations(from, to, 1000)],
  [
    /^must be forever, or a duration from (\S+) to (\S+)$/,
    (from, to) => {
      const { good, ...others } = durations(from, to, 1)
      return { good: [...good, ['forever', undefined]], ...others }
    },
  ],
  [/^must be an integer from (\d+) to (\d+)$/, (from, to) => integers(from, to)],
  [/^must be off, or an integer from (\d+) to (\d+)$/, (from, to) => integers(from, to, ['off', undefined])],
  [/^must be auto, or an integer from (\d+) to (\d+)$/, (from, to) => integers(from, to, ['auto', 'auto'])],
  [/^must be a size from (\S+) to (\S+), such as 64kb$/, (from, to) => sizes(from, to)],
  [
    /^must be development, test or production$/,
    () => switches('production', 'development test', 'Production prod staging 1'),
  ],
  [/^must be 1, 0, true or false$/, () => switches('1 true', '0 false', 'on off maybe')],
  [/^must be on, off, 1, 0, true or false$/, () => switches('on 1 true', 'off 0 false', 'ON Off production')],
  [
    /^must be .+ of at most (\d+) characters, without control characters$/,
    (most) => ({
      good: same('./a b', 'Ünser.json', long(Number(most))),
      wrong: ['a\u0000b', 'a\nb', 'a\u0007', long(Number(most) + 1)],
    }),
  ],
  [/^must be (\S+(?:, \S+)*) or (\S+)$/, (others, last) => choices(others, last)],
]

/** Each reader rejects at least one of these strings. */
const REFUSED = ['\u0000', '[', '{"a":0}']

/** Returns the test cases for a setting, with its error message. */
export function casesFor(name: SettingName): Cases & { readonly sentence: string } {
  const readings = REFUSED.map((text) => SETTINGS[name].read.text(text, ADAPTER_RULES))
  const sentence = readings.flatMap((reading) => (reading.ok ? [] : [reading.rule]))[0] ?? ''
  const known = TEXT_CASES[sentence]
  if (known) return { ...known, sentence }
  for (const [pattern, casesOf] of READERS) {
    const groups = pattern.exec(sentence)?.slice(1)
    if (groups) return { ...casesOf(...groups), sentence }
  }
  throw new Error(`${name} has a reader without cases: ${sentence}`)
}
