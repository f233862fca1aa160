import type { ImportUser } from '../../../application/accounts/create-users.js'
import type { Retries } from '../../../application/retrying.js'
import {
  explainedMessages,
  isRefusal,
  isTransient,
  type Refusal,
  type RefusalCode,
} from '../../../domain/refusal.js'
import { OperatorError } from '../../../domain/operator-error.js'
import { STEP_LINES, type Line } from './lines.js'
import { readRecord } from './record.js'
import type { ImportReport } from './report.js'

type Outcome =
  | { readonly kind: 'saved' | 'unchanged' | 'empty' }
  | { readonly kind: 'refused'; readonly message: string }
  /** An error that the line did not cause, so the lines that follow would fail too. */
  | { readonly kind: 'failed'; readonly error: unknown }

/** The dependencies that all steps of one import share. */
export type LineImport = {
  readonly importUser: ImportUser
  readonly report: ImportReport
  readonly retries: Retries
}

/**
 * Imports the lines of a step concurrently, so that the store commits many of them together, and reports their outcomes in line order. If
 * the store is too slow for some lines, the import pauses, and then retries these lines before any later line, importing half as many lines
 * at a time. After each round without slow lines, the import doubles the number of lines that it imports at a time.
 *
 * Rejects with an `OperatorError` that gives the first line without a result if the store does not respond for too long; rejects with the
 * error of a line if every line would cause the same error. The lines that have a result are reported before the rejection.
 */
export function createImportLines({
  importUser,
  report,
  retries,
}: LineImport): (lines: readonly Line[]) => Promise<void> {
  let together = STEP_LINES

  /** Adds the results to `outcomes`, even if the returned promise rejects. */
  async function work(lines: readonly Line[], outcomes: Map<Line, Outcome>): Promise<void> {
    for (let left = lines; left.length > 0;) {
      const round = left.slice(0, together)
      await Promise.all(round.map(async (line) => outcomes.set(line, await outcomeOf(line, importUser))))
      const resultOf = (line: Line) => outcomes.get(line) ?? EMPTY
      if (round.some((line) => isAnswer(resultOf(line)))) retries.answered()
      const failures = round.flatMap((line) => {
        const outcome = resultOf(line)
        return outcome.kind === 'failed' ? [{ line, error: outcome.error }] : []
      })
      const lasting = failures.find(({ error }) => !isTransient(error))
      if (lasting) throw lasting.error
      left = [...failures.map(({ line }) => line), ...left.slice(round.length)]
      const [first] = failures
      together = first ? Math.ceil(round.length / 2) : Math.min(STEP_LINES, together * 2)
      if (first) await waitAfter(first)
    }
  }

  async function waitAfter({ line, error }: { readonly line: Line; readonly error: unknown }): Promise<void> {
    try {
      await retries.waitAfter(error)
    } catch (reason) {
      throw new OperatorError([stalledAt(line.number, error)], reason)
    }
  }

  return async (lines) => {
    const outcomes = new Map<Line, Outcome>()
    try {
      await work(lines, outcomes)
    } finally {
      for (const line of lines) reportOutcome(report, outcomes.get(line) ?? EMPTY, line.number)
      await report.written()
    }
  }
}

const EMPTY: Outcome = { kind: 'empty' }

/** A `forbidden` refusal concerns a single line, because only lines with roles need the permission to assign roles. */
const ABOUT_THE_LINE: readonly RefusalCode[] = ['invalid', 'not-found', 'forbidden']

async function outcomeOf(line: Line, importUser: ImportUser): Promise<Outcome> {
  const record = readRecord(line)
  if (record.kind !== 'user') return record
  try {
    return { kind: await importUser(record.user) }
  } catch (error) {
    const isAboutTheLine = isRefusal(error) && ABOUT_THE_LINE.includes(error.code)
    return isAboutTheLine ? { kind: 'refused', message: sentenceOf(error) } : { kind: 'failed', error }
  }
}

function isAnswer({ kind }: Outcome): boolean {
  return kind === 'saved' || kind === 'unchanged'
}

function stalledAt(line: number, error: unknown): string {
  const reason = isRefusal(error) ? error.detail : undefined
  return `The store has not responded for 5 minutes${reason === undefined ? '.' : `: ${reason}`} The import ended before line ${line}; run the same import again to continue.`
}

function reportOutcome(report: ImportReport, outcome: Outcome, line: number): void {
  if (outcome.kind === 'refused') report.refuse(line, outcome.message)
  else if (outcome.kind === 'saved' || outcome.kind === 'unchanged') report.counts[outcome.kind] += 1
}

function sentenceOf(refusal: Refusal): string {
  return explainedMessages(refusal)
    .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
    .join('; ')
}
