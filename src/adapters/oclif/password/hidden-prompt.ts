import { createInterface } from 'node:readline'
import { Writable, type Readable } from 'node:stream'
import { UsageError } from '../command-context.js'

/** Where a password can come from; the process's own streams, or those of a test. */
export type Terminal = {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable
}

/** A terminal that shows nothing of what is typed from its opening to its closing, pauses included. */
export type HiddenPrompt = {
  /** One line; rejects with a `UsageError` after Ctrl-C and Ctrl-D. What was typed ahead counts. */
  ask(question: string): Promise<string>
  close(): void
}

export function openHiddenPrompt({ input, output }: Terminal): HiddenPrompt {
  // The terminal stops echoing here, before the question is asked.
  const lines = createInterface({ input, output: silence(), terminal: true, historySize: 0 })
  const typed: string[] = []
  let ended = false
  let wake: () => void = () => undefined
  lines.on('line', (line) => {
    typed.push(line)
    wake()
  })
  lines.on('SIGINT', () => lines.close())
  lines.on('close', () => {
    ended = true
    wake()
  })

  async function nextLine(): Promise<string> {
    while (typed.length === 0 && !ended) await new Promise<void>((resolve) => (wake = resolve))
    const line = typed.shift()
    if (line === undefined) throw new UsageError('Nothing was entered.')
    return line
  }

  return {
    async ask(question) {
      output.write(question)
      try {
        return await nextLine()
      } finally {
        output.write('\n')
      }
    },
    close: () => lines.close(),
  }
}

function silence(): Writable {
  return new Writable({
    write: (_chunk, _encoding, done) => {
      done()
    },
  })
}
