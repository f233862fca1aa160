import { jsonLine } from '../terminal-text.js'

/** What became of an import: the one JSON document, written while it grows. */
export type ImportReport = {
  save(): void
  leave(): void
  /** `line` is 0 if the message is about the import as a whole. */
  refuse(line: number, message: string): void
  readonly counts: { readonly saved: number; readonly unchanged: number; readonly refused: number }
  /** Resolves when the written part of the report was taken. */
  written(): Promise<void>
  /** Writes the rest of the document. */
  end(): Promise<void>
}

/** So much is held back before it is written: a report of millions of refused lines fits in memory. */
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
