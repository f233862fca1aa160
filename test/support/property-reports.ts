import * as fc from 'fast-check'

/** Longer values are printed on several lines. */
const WIDTH = 100

/**
 * The error of a failed property: the reason, how to run it again, and the smallest example. The message contains all
 * of this, and the stack is from the failed check, because mocha's workers transmit only an error's message and stack.
 */
export function propertyError<Ts>(details: fc.RunDetails<Ts>): Error | undefined {
  if (!details.failed) return undefined
  // If the run was interrupted, or if no example fulfilled the precondition, there is no example to report.
  if (details.counterexample === null) return new Error(fc.defaultReportMessage(details))
  const { errorInstance: reason, numRuns, numShrinks, seed, counterexamplePath } = details
  const error = new Error(
    [
      `the property does not hold: ${reasonText(reason)}`,
      `after ${numRuns} runs and ${numShrinks} steps to a smaller example, with`,
      `{ seed: ${seed}, path: "${counterexamplePath}", endOnFailure: true }`,
      `on ${exampleText(details.counterexample)}`,
    ].join('\n'),
    { cause: reason },
  )
  error.stack = [
    `${error.name}: ${error.message}`,
    ...framesOf(reason instanceof Error ? reason : error),
  ].join('\n')
  return error
}

function reasonText(reason: unknown): string {
  if (!(reason instanceof Error)) return fc.stringify(reason)
  const compared = 'showDiff' in reason && 'actual' in reason && 'expected' in reason
  const values = compared
    ? [`actual: ${exampleText(reason.actual)}`, `expected: ${exampleText(reason.expected)}`]
    : []
  const cause = reason.cause === undefined ? [] : [`caused by ${reasonText(reason.cause)}`]
  return [`${reason.name}: ${reason.message}`, ...values, ...cause].join('\n')
}

/** The example in fast-check's notation, so that it can be copied into a test; long values have one entry per line. */
function exampleText(value: unknown, indent = ''): string {
  const text = fc.stringify(value)
  if (text.length <= WIDTH || typeof value !== 'object' || value === null) return text
  const inner = `${indent}  `
  const among = (lines: string[]) => lines.map((line) => `\n${inner}${line},`).join('')
  if (Array.isArray(value)) return `[${among(value.map((one) => exampleText(one, inner)))}\n${indent}]`
  if (Object.getPrototypeOf(value) !== Object.prototype) return text
  const entries = Object.entries(value)
  return `{${among(entries.map(([key, one]) => `${JSON.stringify(key)}: ${exampleText(one, inner)}`))}\n${indent}}`
}

function framesOf({ stack }: Error): string[] {
  return (stack ?? '').split('\n').filter((line) => /^ +at /.test(line))
}

/** Applies to every property in the tests, because mocha loads this file in each process that runs tests. */
fc.configureGlobal({
  ...fc.readConfigureGlobal(),
  reporter: (details) => {
    const error = propertyError(details)
    if (error) throw error
  },
})
