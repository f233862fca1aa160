import { isRefusal, isTransient, refuse, type Refusal } from '../domain/refusal.js'
import {
  RECORD_KINDS,
  type CopyClaim,
  type RecordKind,
  type RecordOf,
  type CopyableRecords,
} from '../ports/copyable-records.js'
import type { Digest } from '../ports/system.js'
import { anything, fields, optional, type Parser } from './fields.js'
import { operation } from './operation.js'
import { howApart, PAGE, recordPages, summaryOf } from './record-summary.js'
import { retryCalls, type Retrying } from './retrying.js'

/** A copy's progress in records, including the verification, which reads every record again in both stores. */
export type CopyProgress = { readonly done: number; readonly total: number }

/** The number of verified records of each kind in the target. */
export type CopiedKinds = Readonly<Record<RecordKind, number>>

/** `unchanged`: an earlier run was complete, and the source and the target are still equal. */
export type CopyOutcome = { readonly kind: 'copied' | 'unchanged'; readonly records: CopiedKinds }

const PAGES_BETWEEN_LOOKS = 40

const REFUSED: Readonly<Partial<Record<CopyClaim, string>>> = {
  occupied: 'The target contains other data. Copy into an empty store.',
  same: 'Source and target are the same store.',
}

const WRITTEN_TO = 'The source changed while it was being copied. Stop the service and run the copy again.'
const COMPLETED_BEFORE =
  'This copy was completed earlier, and the source and the target have since diverged. Copy into an empty store.'

type Run = {
  readonly source: CopyableRecords
  readonly target: CopyableRecords
  readonly digest: Digest
  readonly advance: (records: number) => void
  readonly isStopped: () => boolean
  /** Rejects with `stale` if the source has changed since the run began. */
  readonly assertUnchanged: () => Promise<void>
}

/**
 * Copies every record into another store, leaves the source unchanged, and compares the number and digest of each kind of record in both
 * stores. A second run continues an interrupted copy. If the stores then differ, for example because the source has lost a record, the
 * second run removes the copied records and copies all records again. After a complete copy, a further run only compares the stores. A run
 * keeps only one page of records in memory. Refuses the call with these codes:
 * - `conflict`: the target is the source, contains other data, or differs although its copy was complete;
 * - `stale`: the source changed during the copy, or the run was stopped; the next run continues.
 */
export const copyStore = operation({
  permission: ['store', 'copy'],
  // Only typed code calls this operation, so its input is not checked.
  input: fields({
    target: anything as Parser<CopyableRecords>,
    onProgress: optional(anything as Parser<(progress: CopyProgress) => void>),
    /** Called between pages; if it returns `true`, the copy ends with `stale`. */
    isStopped: optional(anything as Parser<() => boolean>),
    /** Retries calls to both stores. If the target is too slow to write a page, the page is split in half. */
    retrying: optional(anything as Parser<Retrying>),
  }),
  parts: ['digest'],
  renamed: { source: 'copyableRecords' },
  run:
    ({ source, digest }: { source: CopyableRecords; digest: Digest }) =>
    async (input): Promise<CopyOutcome> => {
      const { target: to, retrying, onProgress = () => undefined, isStopped = () => false } = input
      const from = retryCalls(source, retrying)
      const target = retrying ? puttingHalves(to, retrying) : to
      const identity = await from.identity()
      const assertUnchanged = await watch(from)
      const watchedSource = detectWrites(from, assertUnchanged)
      const claim = await claimTarget(target, identity)
      const total = (claim === 'complete' ? 1 : 2) * (await countAll(watchedSource))
      const advance = progress(total, onProgress, isStopped)
      const run: Run = { source: watchedSource, target, digest, advance, isStopped, assertUnchanged }
      if (claim === 'complete') return { kind: 'unchanged', records: await compareAgain(run) }
      const records = claim === 'resumed' ? await resume(run) : await copyAll(run)
      await assertUnchanged()
      await target.complete(identity)
      return { kind: 'copied', records }
    },
})

async function claimTarget(target: CopyableRecords, identity: string): Promise<CopyClaim> {
  const claim = await target.claim(identity)
  const refused = REFUSED[claim]
  if (refused !== undefined) throw refuse('conflict', 'Conflict', refused)
  return claim
}

async function watch(source: CopyableRecords): Promise<() => Promise<void>> {
  const token = await source.changeToken()
  return async () => {
    if ((await source.changeToken()) !== token) throw stale(WRITTEN_TO)
  }
}

function progress(
  total: number,
  onProgress: (progress: CopyProgress) => void,
  isStopped: () => boolean,
): (records: number) => void {
  let done = 0
  return (records) => {
    if (isStopped()) throw stale('Stopped. Run the same copy again to continue.')
    done += records
    onProgress({ done, total: Math.max(done, total) })
  }
}

async function compareAgain(run: Run): Promise<CopiedKinds> {
  try {
    const records = await verify(run)
    await run.assertUnchanged()
    return records
  } catch (error) {
    throw isDifference(error, run) ? refuse('conflict', 'Conflict', COMPLETED_BEFORE) : error
  }
}

/** Continues an earlier run; the source may have changed since that run wrote its records. */
async function resume(run: Run): Promise<CopiedKinds> {
  try {
    return await copyAll(run)
  } catch (error) {
    if (!isDifference(error, run)) throw error
    // If a program is writing to the source, copying again would fail too.
    await run.assertUnchanged()
    await clear(run)
    return await copyAll(run)
  }
}

async function copyAll(run: Run): Promise<CopiedKinds> {
  try {
    for (const kind of RECORD_KINDS) await copyKind(kind, run)
    return await verify(run)
  } catch (error) {
    // If the source has changed, the refusal says so instead of reporting a difference.
    if (isDifference(error, run)) await run.assertUnchanged()
    throw error
  }
}

/** Detects writes to the source between pages. Without this check, a copy that is slower than the writers would never end. */
function detectWrites(source: CopyableRecords, assertUnchanged: () => Promise<void>): CopyableRecords {
  let pages = 0
  return {
    ...source,
    page: async (kind, after, limit) => {
      pages += 1
      if (pages % PAGES_BETWEEN_LOOKS === 0) await assertUnchanged()
      return await source.page(kind, after, limit)
    },
  }
}

/** Every call to the target may be repeated. */
function puttingHalves(records: CopyableRecords, retrying: Retrying): CopyableRecords {
  const target = retryCalls(records, retrying)
  type Put = CopyableRecords['put']
  const putAgain: Put = async (kind, page) => {
    const outcome = await put(kind, page)
    // The slow first call may write these records while the retry runs, so the retry reports a contradiction: try once more.
    return outcome === 'put' ? outcome : await put(kind, page)
  }
  const put: Put = async (kind, page) => {
    if (page.length <= 1) return await target.put(kind, page)
    try {
      return await records.put(kind, page)
    } catch (error) {
      if (!isTransient(error)) throw error
    }
    const middle = Math.ceil(page.length / 2)
    for (const half of [page.slice(0, middle), page.slice(middle)])
      if ((await putAgain(kind, half)) === 'contradicted') return 'contradicted'
    return 'put'
  }
  return { ...target, put }
}

async function countAll(source: CopyableRecords): Promise<number> {
  let count = 0
  for (const kind of RECORD_KINDS) count += await source.count(kind)
  return count
}

async function clear({ target, advance }: Run): Promise<void> {
  for (const kind of RECORD_KINDS.toReversed()) {
    for (let page = await target.page(kind, undefined, PAGE); page.length > 0;) {
      await target.remove(kind, page)
      advance(0)
      page = await target.page(kind, undefined, PAGE)
    }
  }
}

async function copyKind(kind: RecordKind, { source, target, advance }: Run): Promise<void> {
  for await (const page of recordPages(source, kind, await lastSafe(target, kind))) {
    if ((await target.put(kind, page)) === 'contradicted') throw differs(kind, 'they contradict each other')
    advance(page.length)
  }
}

/**
 * Returns the record after which the copy continues, or `undefined` on the first run. An earlier run may have written only part of its last
 * page, in any order, so the copy continues before that page.
 */
async function lastSafe<Kind extends RecordKind>(
  target: CopyableRecords,
  kind: Kind,
): Promise<RecordOf[Kind] | undefined> {
  let [safe, last]: (RecordOf[Kind] | undefined)[] = []
  for await (const page of recordPages(target, kind)) [safe, last] = [last, page.at(-1)]
  return safe
}

async function verify({ source, target, digest, advance }: Run): Promise<CopiedKinds> {
  const counts: [RecordKind, number][] = []
  for (const kind of RECORD_KINDS) {
    const [ours, theirs] = await Promise.all([
      summaryOf(source, kind, digest, advance),
      summaryOf(target, kind, digest, () => undefined),
    ])
    if (ours.count !== theirs.count || ours.digest !== theirs.digest)
      throw differs(kind, howApart(ours, theirs))
    counts.push([kind, theirs.count])
  }
  return Object.fromEntries(counts) as CopiedKinds
}

/** Returns whether the run ended because the stores differ. A stopped run also ends with `stale`. */
function isDifference(error: unknown, { isStopped }: Run): boolean {
  return isRefusal(error) && error.code === 'stale' && !isStopped()
}

function differs(kind: RecordKind, how: string): Refusal {
  return stale(
    `Source and target differ in records of the kind "${kind}" (${how}): another program has written to the target, or the target cannot store a value of the source. Stop the service and run the copy again.`,
  )
}

function stale(message: string): Refusal {
  return refuse('stale', 'Conflict', message)
}
