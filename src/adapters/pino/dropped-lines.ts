/** Counts of dropped log lines; `lines` includes the lines counted in `audit`. */
export type DroppedCounts = { readonly lines: number; readonly audit: number }

/** The last characters of every audit line. No other line ends like this, because quotation marks in values are escaped. */
const AUDIT_END = '"event":"audit"}\n'
const LINE_END = 0x0a

let droppedInAll: DroppedCounts = { lines: 0, audit: 0 }

export function droppedLines(): DroppedCounts {
  return droppedInAll
}

export function isAuditRecord(line: Buffer): boolean {
  return line.includes(AUDIT_END)
}

/** Splits the bytes into complete lines, including their line breaks. The beginning of the first line may be missing. */
export function linesOf(bytes: Uint8Array): Buffer[] {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const lines: Buffer[] = []
  let begin = 0
  for (let end = all.indexOf(LINE_END); end >= 0; end = all.indexOf(LINE_END, begin)) {
    lines.push(all.subarray(begin, end + 1))
    begin = end + 1
  }
  return lines
}

export function createTally() {
  const hearers: ((dropped: number) => void)[] = []
  let dropped = 0
  let isKeeping = true
  const lose = () => {
    isKeeping = false
  }
  return {
    onTold: (hear: (dropped: number) => void) => hearers.push(hear),
    add: (line: Buffer) => {
      dropped += 1
      const isAudit = isAuditRecord(line)
      if (isAudit) lose()
      droppedInAll = { lines: droppedInAll.lines + 1, audit: droppedInAll.audit + (isAudit ? 1 : 0) }
    },
    /** Records that an audit record was rejected or dropped. */
    lose,
    /** Returns `true` if no audit record has been lost since the last report. */
    isKeeping: () => isKeeping,
    tell: () => {
      const count = dropped
      dropped = 0
      isKeeping = true
      if (count > 0) for (const hear of hearers) hear(count)
    },
  }
}
