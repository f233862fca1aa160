/** The output for progress messages. */
export type Output = { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown }

const CLEAR = '\r\u001b[K'

/** A terminal has one line, which is rewritten; a file gets a line each time. */
export function createStatusLine(output: Output) {
  const isTerminal = output.isTTY === true
  const fitting = (text: string) => text.slice(0, (output.columns ?? Infinity) - 1)
  return {
    show: (text: string) => output.write(isTerminal ? `${CLEAR}${fitting(text)}` : `${text}\n`),
    /** Leaves the line to other output. */
    clear: () => {
      if (isTerminal) output.write(CLEAR)
    },
  }
}
