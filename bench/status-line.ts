/** Where progress messages are written. */
export type Output = { readonly isTTY?: boolean; readonly columns?: number; write(text: string): unknown }

const CLEAR = '\r\u001b[K'

/** On a terminal, one line is rewritten; in a file, each message is a new line. */
export function createStatusLine(output: Output) {
  const isTerminal = output.isTTY === true
  const fitting = (text: string) => text.slice(0, (output.columns ?? Infinity) - 1)
  return {
    show: (text: string) => output.write(isTerminal ? `${CLEAR}${fitting(text)}` : `${text}\n`),
    /** Clears the line for other output. */
    clear: () => {
      if (isTerminal) output.write(CLEAR)
    },
  }
}
