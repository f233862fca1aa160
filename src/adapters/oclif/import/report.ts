import { jsonLine } from '../output.js'

/** A rejected record. `object` is its number in a JSON array; `line` is 0 if the message is about the whole import. */
export type RefusedRecord = {
  readonly line: number
  readonly object?: number | undefined
  readonly message: string
}

export type ImportReport = {
  /** The import counts saved and unchanged accounts in this object; saved accounts without a password are counted in both numbers. */
  readonly counts: { saved: number; unchanged: number; withoutPassword: number; readonly refused: number }
  refuse(record: RefusedRecord): void
  written(): Promise<void>
}

/** A report that is written as one JSON document; `end` writes the rest of the document, including additional members. */
type ReportDocument = ImportReport & { end(more?: object): Promise<void> }

/** Text that exceeds this length is written immediately, so that a report of millions of rejected records needs little memory. */
const HELD_CHARACTERS = 64 * 1024

/** Creates a report, written step by step: `{"errors": [{"line": 7, "message": "…"}], "save": 2, "unchanged": 1}`. */
export function createImportReport(write: (text: string) => Promise<unknown>): ReportDocument {
  const counts = { saved: 0, unchanged: 0, withoutPassword: 0, refused: 0 }
  let held = '{"errors":['
  let writing = Promise.resolve<unknown>(undefined)

  function flush(): void {
    const text = held
    held = ''
    writing = writing.then(() => write(text))
  }

  return {
    counts,
    refuse({ line, object, message }) {
      held += `${counts.refused === 0 ? '' : ','}${jsonLine({ line, object, message })}`
      counts.refused += 1
      if (held.length > HELD_CHARACTERS) flush()
    },
    written: async () => {
      await writing
    },
    async end(more = {}) {
      held += `],${jsonLine({ save: counts.saved, unchanged: counts.unchanged, ...more }).slice(1)}\n`
      flush()
      await writing
    },
  }
}
