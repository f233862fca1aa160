import type { ImportUser } from '../../../application/accounts/import-users.js'
import { isRefusal, type Refusal } from '../../../domain/refusal.js'
import type { Line } from './lines.js'
import { readRecord } from './record.js'
import type { ImportReport } from './report.js'

type Outcome =
  | { readonly kind: 'saved' | 'unchanged' | 'empty' }
  | { readonly kind: 'refused'; readonly message: string }
  /** Not caused by the line: those that follow would meet it too. */
  | { readonly kind: 'failed'; readonly error: unknown }

/**
 * Imports these lines side by side, so that the store commits many at once, and reports them in
 * their order. A store that is too slow for some of them is asked for those again as long as it
 * takes others. What would stop every line, such as a store that is away, is thrown after that;
 * the lines that it met are reported nowhere and are saved by the next run.
 */
export async function importLines(
  lines: readonly Line[],
  importUser: ImportUser,
  report: ImportReport,
): Promise<void> {
  const outcomes = await outcomesOf(lines, importUser)
  outcomes.forEach((outcome, index) => tell(report, outcome, lines[index]?.number ?? 0))
  await report.written()
  const failed = outcomes.find((outcome) => outcome.kind === 'failed')
  if (failed) throw failed.error
}

/** At least one line is done in each round but the last, so that it comes to an end. */
async function outcomesOf(lines: readonly Line[], importUser: ImportUser): Promise<readonly Outcome[]> {
  const outcomes = await Promise.all(lines.map((line) => outcomeOf(line, importUser)))
  const left = lines.filter((_, index) => isUnanswered(outcomes[index]))
  if (left.length === 0 || !outcomes.some(({ kind }) => kind === 'saved' || kind === 'unchanged'))
    return outcomes
  const later = (await outcomesOf(left, importUser)).values()
  return outcomes.map((outcome) => (isUnanswered(outcome) ? (later.next().value ?? outcome) : outcome))
}

async function outcomeOf(line: Line, importUser: ImportUser): Promise<Outcome> {
  const record = readRecord(line)
  if (record.kind !== 'user') return record
  try {
    return { kind: await importUser(record.user) }
  } catch (error) {
    const isAboutTheLine = isRefusal(error) && ['invalid', 'not-found'].includes(error.code)
    return isAboutTheLine ? { kind: 'refused', message: sentenceOf(error) } : { kind: 'failed', error }
  }
}

function isUnanswered(outcome: Outcome | undefined): boolean {
  return outcome?.kind === 'failed' && isRefusal(outcome.error) && outcome.error.code === 'unavailable'
}

function tell(report: ImportReport, outcome: Outcome, line: number): void {
  if (outcome.kind === 'saved') report.save()
  else if (outcome.kind === 'unchanged') report.leave()
  else if (outcome.kind === 'refused') report.refuse(line, outcome.message)
}

function sentenceOf({ messages }: Refusal): string {
  return messages.map(({ field, message }) => `${field}: ${message}`).join('; ')
}
