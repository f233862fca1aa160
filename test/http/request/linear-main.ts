import { Session, type Profiler } from 'node:inspector'

// Counts the steps of parsers: how often each block of code runs, from the block coverage of V8, and how many characters the string methods
// read. For a regular expression, the length of its input is counted, because a lint rule keeps regular expressions linear.

const session = new Session()
session.connect()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })

let characters = 0

type Text = (this: string, ...given: never[]) => unknown
type Cost = (text: string, given: readonly unknown[], result: unknown) => number
/** String methods that read the whole string. */
const WHOLE = [
  ...['split', 'trim', 'trimStart', 'trimEnd', 'replace', 'replaceAll', 'match', 'search', 'normalize'],
  ...['toLowerCase', 'toUpperCase'],
]
const COSTS: Readonly<Record<string, Cost>> = {
  ...Object.fromEntries(WHOLE.map((name) => [name, (text: string) => text.length])),
  slice: (_text, _given, result) => String(result).length,
  substring: (_text, _given, result) => String(result).length,
  startsWith: (_text, [searched]) => String(searched).length,
  endsWith: (_text, [searched]) => String(searched).length,
  indexOf: (text, [, from = 0], result) =>
    (Number(result) < 0 ? text.length : Number(result)) - Number(from) + 1,
  includes: (text, _given, result) => (result === true ? 1 : text.length),
}
const methods = String.prototype as unknown as Record<string, Text>
for (const [name, costOf] of Object.entries(COSTS)) {
  const original = methods[name]!
  methods[name] = function (...given) {
    const result = original.apply(this, given)
    characters += costOf(this, given, result)
    return result
  }
}
// `RegExp.prototype.test` calls `exec`, so its input is counted too.
const exec = Reflect.get<RegExp, 'exec'>(RegExp.prototype, 'exec')
RegExp.prototype.exec = function (text) {
  const from = this.global || this.sticky ? this.lastIndex : 0
  const found = exec.call(this, text)
  characters += (found ? found.index + found[0].length : text.length) - from
  return found
}

/** Returns how often blocks of code have run since the last call. */
function blocks(): number {
  let result: readonly Profiler.ScriptCoverage[] = []
  session.post('Profiler.takePreciseCoverage', (_error, taken) => {
    result = taken.result
  })
  const ranges = result
    .filter(({ url }) => url.startsWith('file:'))
    .flatMap(({ functions }) => functions.flatMap((one) => one.ranges))
  return ranges.reduce((sum, { count }) => sum + count, 0)
}

async function costOf(parse: (text: string) => unknown, text: string): Promise<number> {
  blocks()
  characters = 0
  try {
    await parse(text)
  } catch {
    // The parser rejected the text.
  }
  const read = characters
  return read + blocks()
}

/**
 * The cost of the longer text divided by the cost of the shorter text. V8 may drop the counts of a function, which makes a cost too small.
 * A ratio above the limit is therefore measured up to three times, and the smallest value counts.
 */
async function ratioOf(parse: (text: string) => unknown, shorter: string, longer: string): Promise<number> {
  let smallest = Infinity
  for (let tries = 0; tries < 3 && smallest > 2.4; tries += 1) {
    const [once, twice] = [await costOf(parse, shorter), await costOf(parse, longer)]
    smallest = Math.min(smallest, twice / once)
  }
  return smallest
}

const ALPHABET = [...Array.from(' \t,;="\\%:.[]/@+*-(a0é'), '\u0000', '\u{1f600}', '\u00a0']
const PAIRS = [', ', ' ,', ';q', '="', '",', '\\"', 'a=', '%4', '::', ':0', 'a.', '.a', 'A/', '" ', '@a']
const FRAMES = [
  ['', ''],
  ['"', ''],
  ['a', 'b'],
] as const
const SIZE = 700

const { PARSERS, QUADRATIC } = await import('./linear-parsers.js')
const worst: Record<string, { readonly ratio: number; readonly pump: string }> = {}
for (const [name, parse] of Object.entries({ ...PARSERS, ...QUADRATIC })) {
  // The first call loads modules and fills caches.
  await costOf(parse, 'a')
  for (const pump of [...ALPHABET, ...PAIRS])
    for (const [before, after] of FRAMES) {
      const sized = (length: number) => `${before}${pump.repeat(length / pump.length)}${after}`
      const ratio = await ratioOf(parse, sized(SIZE), sized(2 * SIZE))
      if (ratio > (worst[name]?.ratio ?? 0)) worst[name] = { ratio, pump: `${before}${pump}…${after}` }
    }
}
process.stdout.write(JSON.stringify(worst))
