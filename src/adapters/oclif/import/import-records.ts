import type { ImportUser } from '../../../application/accounts/import-users.js'
import type { Retries } from '../../../application/retrying.js'
import {
  explainedMessages,
  isRefusal,
  isTransient,
  type Refusal,
  type RefusalCode,
  OperatorError,
} from '../../../domain/refusal.js'
import { codeOf } from '../../../configuration/opened-file.js'
import type { ReadRecord } from './record.js'
import type { ImportReport } from './report.js'
import { STEP_RECORDS, type RawRecord } from './split.js'
import { open, realpath } from 'node:fs/promises'
import type { OperatorUseCases } from '../../../application/wiring.js'
import { OPERATOR } from '../../../domain/access/caller.js'
import { canonicalEmail } from '../../../domain/identity/email.js'

type Outcome =
  | { readonly kind: 'saved' | 'unchanged' | 'empty' }
  | { readonly kind: 'refused'; readonly message: string }
  /** An error that the record did not cause, so the records that follow would fail too. */
  | { readonly kind: 'failed'; readonly error: unknown }

export type ImportRecord = Pick<RawRecord, 'line' | 'object'> & { readonly read: ReadRecord }

export type RecordImport = {
  readonly importUser: ImportUser
  readonly report: ImportReport
  readonly retries: Retries
}

/**
 * Imports the records of a step concurrently, so that the store commits many of them together, and reports their outcomes in file order. If
 * the store is too slow for some records, the import pauses, and then retries these records before any later record, importing half as many
 * records at a time. After each round without slow records, the number of records per round doubles.
 *
 * If the store does not respond for too long, rejects with an `OperatorError` that gives the line of the first record without a result. An
 * error that would affect every record also rejects. Before it rejects, it reports the records that have a result.
 */
export function createImportRecords({
  importUser,
  report,
  retries,
}: RecordImport): (records: readonly ImportRecord[]) => Promise<void> {
  let together = STEP_RECORDS

  async function work(records: readonly ImportRecord[], outcomes: Map<ImportRecord, Outcome>): Promise<void> {
    for (let left = records; left.length > 0;) {
      const round = left.slice(0, together)
      await Promise.all(
        round.map(async (record) => outcomes.set(record, await outcomeOf(record, importUser))),
      )
      const resultOf = (record: ImportRecord) => outcomes.get(record) ?? EMPTY
      if (round.some((record) => isAnswer(resultOf(record)))) retries.answered()
      const failures = round.flatMap((record) => {
        const outcome = resultOf(record)
        return outcome.kind === 'failed' ? [{ record, error: outcome.error }] : []
      })
      const lasting = failures.find(({ error }) => !isTransient(error))
      if (lasting) throw lasting.error
      left = [...failures.map(({ record }) => record), ...left.slice(round.length)]
      const [first] = failures
      together = first ? Math.ceil(round.length / 2) : Math.min(STEP_RECORDS, together * 2)
      if (first) await waitAfter(first)
    }
  }

  async function waitAfter({ record, error }: RecordFailure): Promise<void> {
    try {
      await retries.waitAfter(error)
    } catch (reason) {
      throw new OperatorError([stalledAt(record.line, error)], reason)
    }
  }

  return async (records) => {
    const outcomes = new Map<ImportRecord, Outcome>()
    try {
      await work(records, outcomes)
    } finally {
      for (const record of records) reportOutcome(report, outcomes.get(record) ?? EMPTY, record)
      await report.written()
    }
  }
}

type RecordFailure = { readonly record: ImportRecord; readonly error: unknown }

const EMPTY: Outcome = { kind: 'empty' }

/** A `forbidden` refusal concerns a single record, because only records with roles need the permission to assign roles. */
const ABOUT_THE_RECORD: readonly RefusalCode[] = ['invalid', 'not-found', 'forbidden']

async function outcomeOf({ read }: ImportRecord, importUser: ImportUser): Promise<Outcome> {
  if (read.kind !== 'user') return read
  try {
    return { kind: await importUser(read.user) }
  } catch (error) {
    const isAboutTheRecord = isRefusal(error) && ABOUT_THE_RECORD.includes(error.code)
    return isAboutTheRecord ? { kind: 'refused', message: sentenceOf(error) } : { kind: 'failed', error }
  }
}

function isAnswer(outcome: Outcome): outcome is { readonly kind: 'saved' | 'unchanged' } {
  return outcome.kind === 'saved' || outcome.kind === 'unchanged'
}

function stalledAt(line: number, error: unknown): string {
  const reason = isRefusal(error) ? error.detail : undefined
  return `The store has not responded for 5 minutes${reason === undefined ? '.' : `: ${reason}`} The import ended before line ${line}; run the same import again to continue.`
}

function reportOutcome(report: ImportReport, outcome: Outcome, { line, object, read }: ImportRecord): void {
  if (outcome.kind === 'refused') report.refuse({ line, object, message: outcome.message })
  else if (isAnswer(outcome)) report.counts[outcome.kind] += 1
  if (outcome.kind === 'saved' && read.kind === 'user' && read.user.passwordHash === undefined)
    report.counts.withoutPassword += 1
}

function sentenceOf(refusal: Refusal): string {
  return explainedMessages(refusal)
    .map(({ field, message }) => (field === '' ? message : `${field}: ${message}`))
    .join('; ')
}

export type IdFile = Awaited<ReturnType<typeof openIdFile>>

/**
 * Creates a file, or empties an existing file, that maps account IDs in the other system to account IDs in this service. Each line is
 * `{"from": "f2a1b6c0", "to": 7}`, in the order of the import. Rejects with an `OperatorError` if the file cannot be written, or if it is
 * the file at `source`, from which the accounts will be read.
 */
export async function openIdFile(path: string, source: string, getUser: OperatorUseCases['getUser']) {
  if (await isSameFile(path, source))
    throw new OperatorError(['--ids: This file contains the accounts. Choose a different file.'])
  const file = await open(path, 'w', 0o600).catch((error: unknown) => {
    throw unwritable(error)
  })

  async function lineOf({ read }: ImportRecord): Promise<string> {
    const email = read.kind === 'user' ? canonicalEmail(read.user.email) : undefined
    if (email === undefined || read.kind !== 'user') return ''
    try {
      const { id: to } = await getUser({ caller: OPERATOR, email })
      return `${JSON.stringify({ from: read.id ?? read.user.email, to })}\n`
    } catch (error) {
      // A rejected record has no account.
      if (isRefusal(error) && error.code === 'not-found') return ''
      throw error
    }
  }

  return {
    /** Adds a line for each of these records whose account now exists. A record without an ID is listed by its email. */
    async add(records: readonly ImportRecord[]): Promise<void> {
      const lines = await Promise.all(records.map(lineOf))
      await file.appendFile(lines.join('')).catch((error: unknown) => {
        throw unwritable(error)
      })
    },
    close: async (): Promise<void> => await file.close(),
  }
}

async function isSameFile(...paths: readonly [string, string]): Promise<boolean> {
  const [one, two] = await Promise.all(paths.map(async (path) => await realpath(path).catch(() => undefined)))
  return one !== undefined && one === two
}

function unwritable(error: unknown): OperatorError {
  return new OperatorError([`--ids: The file cannot be written (${codeOf(error)}).`])
}
