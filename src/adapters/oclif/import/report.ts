import { jsonLine } from '../terminal-text.js'

/** Collects the outcome of each line of an import. */
export type ImportReport = {
  /** The import counts saved and unchanged lines in this object. */
  readonly counts: { saved: number; unchanged: number; readonly refused: number }
  /** `line` is 0 if the message is about the whole import. */
  refuse(line: number, message: string): void
  /** Resolves when all writes so far have finished. */
  written(): Promise<void>
}

/** A report that is written as one JSON document; `end` writes the rest of it. */
type ReportDocument = ImportReport & { end(): Promise<void> }

/** Text that exceeds this length is written immediately, so that a report of millions of refused lines needs little memory. */
const HELD_CHARACTERS = 64 * 1024

/** Creates a report, written step by step: `{"errors": [{"line": 7, "message": "…"}], "save": 2, "unchanged": 1}`. */
export function createImportReport(write: (text: string) => Promise<unknown>): ReportDocument {
  const counts = { saved: 0, unchanged: 0, refused: 0 }
  let held = '{"errors":['
  let writing = Promise.resolve<unknown>(undefined)

  function flush(): void {
    const text = held
    held = ''
    writing = writing.then(() => write(text))
  }

  return {
    counts,
    refuse(line, message) {
      held += `${counts.refused === 0 ? '' : ','}${jsonLine({ line, message })}`
      counts.refused += 1
      if (held.length > HELD_CHARACTERS) flush()
    },
    written: async () => {
      await writing
    },
    async end() {
      held += `],"save":${counts.saved},"unchanged":${counts.unchanged}}\n`
      flush()
      await writing
    },
  }
}
