export type Sample = ReturnType<typeof sampleOf>

const LINE = /^([a-z_][a-z0-9_]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-z_]+)="((?:[^"\\\n]|\\[\\n"])*)"(?:,|$)/g

/** Every number in a metrics exposition; throws an Error for an unrecognized line. */
export function samplesIn(text: string): readonly Sample[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !/^# (HELP|TYPE) /.test(line))
    .map(sampleOf)
}

function sampleOf(line: string) {
  const [, name = '', labels = '', value = ''] = LINE.exec(line) ?? []
  const pairs = [...labels.matchAll(LABEL)]
  if (name === '' || pairs.map(([whole]) => whole).join('') !== labels)
    throw new Error(`no line of an exposition: ${line}`)
  const texts = Object.fromEntries(pairs.map(([, label = '', text = '']) => [label, text]))
  return { name, labels: texts, value: numberOf(value) }
}

function numberOf(value: string): number {
  return value === 'Nan' || value === 'NaN' ? Number.NaN : Number(value.replace('Inf', 'Infinity'))
}

/**
 * Returns the value of the only sample with this name and these labels; the sample may have further labels. Returns `undefined` if
 * there is no such sample.
 */
export function valueOf(
  text: string,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const wanted = Object.entries(labels)
  const found = samplesIn(text).filter(
    (one) => one.name === name && wanted.every(([label, value]) => one.labels[label] === value),
  )
  if (found.length > 1) throw new Error(`${found.length} numbers are ${name} ${JSON.stringify(labels)}`)
  return found[0]?.value
}

/** Returns the nonzero samples of one metric, keyed by their label values, separated by spaces. */
export function countsOf(text: string, name: string): Readonly<Record<string, number>> {
  const counted = samplesIn(text).filter((one) => one.name === name && one.value !== 0)
  return Object.fromEntries(counted.map(({ labels, value }) => [Object.values(labels).join(' '), value]))
}
