import { jsonLine } from '../terminal-text.js'

/** The result of an import: one JSON document, which is written while it grows. */
export type ImportReport = {
  save(): void
  leave(): void
  /** `line` is 0 if the message is about the import as a whole. */
  refuse(line: number, message: string): void
  readonly counts: { readonly saved: number; readonly unchanged: number; readonly refused: number }
  /** Resolves when all writes so far have finished. */
  written(): Promise<void>
  /** Writes the rest of the document. */
  end(): Promise<void>
}

/** Longer text is written immediately, so that a report of millions of refused lines needs little memory. */
const HELD_CHARACTERS = 64 * 1024

/** `{"errors": [{"line": 7, "message": "…"}], "save": 2, "unchanged": 1}`, in this order. */
export function createImportReport(write: (text: string) => Promise<unknown>): ImportReport {
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
    save: () => (counts.saved += 1),
    leave: () => (counts.unchanged += 1),
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
