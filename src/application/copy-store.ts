import { isRefusal, isTransient, Refusal } from '../domain/refusal.js'
import {
  RECORD_KINDS,
  type CopyClaim,
  type RecordKind,
  type RecordOf,
  type Records,
} from '../ports/records.js'
import type { Digest } from '../ports/digest.js'
import { assertProven, type Authorized } from './access/authorize.js'
import { howApart, PAGE, pagesOf, summaryOf } from './record-summary.js'
import { retried, type Retrying } from './retrying.js'

/** How far a copy has come, in records; the verification reads every record once more on both sides. */
export type CopyProgress = { readonly done: number; readonly total: number }

/** How many records of each kind the target holds, verified. */
export type CopiedKinds = Readonly<Record<RecordKind, number>>

/** `unchanged`: an earlier run was complete, and source and target are equal still. */
export type CopyOutcome = { readonly kind: 'copied' | 'unchanged'; readonly records: CopiedKinds }

/**
 * Copies everything into another store and leaves the source as it was; then compares both, kind
 * by kind, by number and digest. A copy that was interrupted goes on where it was when it is asked
 * for again. Where the two then differ, because the source has lost something meanwhile, say, what
 * the first run has put is taken away and all of it copied anew. The memory is that of a page.
 * Nothing is copied twice: where this copy is complete, both are compared and nothing is written.
 * Refuses with `forbidden`, `conflict` (the target holds other data, is the source, or has this copy
 * and differs from the source by now) and `stale` (the source was written to meanwhile, whatever it
 * was; the next run goes on).
 */
export type CopyStore = (input: {
  authorized: Authorized<'store', 'copy'>
  target: Records
  onProgress?: (progress: CopyProgress) => void
  /** Asked between pages; true ends the copy with `stale`; asked for again, it goes on. */
  isStopped?: () => boolean
  /** For both stores. A page that takes the target too long is put in halves. */
  retrying?: Retrying
}) => Promise<CopyOutcome>

const PAGES_BETWEEN_LOOKS = 40

const REFUSED: Readonly<Partial<Record<CopyClaim, string>>> = {
  occupied: 'The target holds other data. Copy into an empty store.',
  same: 'Source and target are the same store.',
}

/** One run, which both stores take part in. */
type Run = {
  readonly source: Records
  readonly target: Records
  readonly digest: Digest
  readonly advance: (records: number) => void
  readonly isStopped: () => boolean
  /** Rejects with `stale` where the source was written to since the run began. */
  readonly assertUnchanged: () => Promise<void>
}

/** Takes the proof of `store: copy`. */
export function createCopyStore(parts: { source: Records; digest: Digest }): CopyStore {
  return async ({ authorized, retrying, onProgress = () => undefined, isStopped = () => false, ...to }) => {
    assertProven(authorized)
    const from = retried(parts.source, retrying)
    const target = retrying ? puttingHalves(to.target, retrying) : to.target
    const identity = await from.identity()
    const assertUnchanged = await watch(from)
    const source = watched(from, assertUnchanged)
    const claim = await claimed(target, identity)
    const total = (claim === 'complete' ? 1 : 2) * (await countAll(source))
    const advance = progress(total, onProgress, isStopped)
    const run: Run = { source, target, digest: parts.digest, advance, isStopped, assertUnchanged }
    if (claim === 'complete') return { kind: 'unchanged', records: await compareAgain(run) }
    const records = claim === 'resumed' ? await resume(run) : await copyAll(run)
    await assertUnchanged()
    await target.complete(identity)
    return { kind: 'copied', records }
  }
}

async function claimed(target: Records, identity: string): Promise<CopyClaim> {
  const claim = await target.claim(identity)
  const refused = REFUSED[claim]
  if (refused !== undefined) throw new Refusal('conflict', [about(refused, 'Conflict')])
  return claim
}

async function watch(source: Records): Promise<() => Promise<void>> {
  const token = await source.changeToken()
  return async () => {
    if ((await source.changeToken()) !== token) throw writtenTo()
  }
}

function progress(
  total: number,
  onProgress: (progress: CopyProgress) => void,
  isStopped: () => boolean,
): (records: number) => void {
  let done = 0
  return (records) => {
    if (isStopped()) throw stopped()
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
    throw isStale(error) && !run.isStopped() ? completedBefore() : error
  }
}

/** What an earlier run has put may be of a source that was another one then. */
async function resume(run: Run): Promise<CopiedKinds> {
  try {
    return await copyAll(run)
  } catch (error) {
    if (!isStale(error) || run.isStopped()) throw error
    // A source that is being written to would be copied in vain once more.
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
    // Whatever differs, a source that was written to is the reason for it.
    if (isStale(error) && !run.isStopped()) await run.assertUnchanged()
    throw error
  }
}

/** A writer that is faster than the copy would keep it going for ever: it looks every so many pages. */
function watched(source: Records, assertUnchanged: () => Promise<void>): Records {
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

/** Every call of these records may be made twice. */
function puttingHalves(records: Records, retrying: Retrying): Records {
  const target = retried(records, retrying)
  type Put = Records['put']
  const putAgain: Put = async (kind, page) => {
    const outcome = await put(kind, page)
    // The call that was too slow may have written the same records meanwhile, and contradicts its own second try.
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

async function countAll(source: Records): Promise<number> {
  let count = 0
  for (const kind of RECORD_KINDS) count += await source.count(kind)
  return count
}

/** What refers to others goes first. */
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
  for await (const page of pagesOf(source, kind, await lastSafe(target, kind))) {
    if ((await target.put(kind, page)) === 'contradicted') throw differs(kind, 'they contradict each other')
    advance(page.length)
  }
}

/**
 * Where an earlier run can be gone on from. Its last page may be there in part and in any order, so
 * the copy goes on before it. Nothing is there at a first run.
 */
async function lastSafe<Kind extends RecordKind>(
  target: Records,
  kind: Kind,
): Promise<RecordOf[Kind] | undefined> {
  let [safe, last]: (RecordOf[Kind] | undefined)[] = []
  for await (const page of pagesOf(target, kind)) [safe, last] = [last, page.at(-1)]
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

function isStale(error: unknown): boolean {
  return isRefusal(error) && error.code === 'stale'
}

function differs(kind: RecordKind, how: string): Refusal {
  return new Refusal('stale', [
    about(
      `Source and target differ in records of the kind "${kind}" (${how}): something has written to the target. Stop the service and run the copy again.`,
      'Conflict',
    ),
  ])
}

function writtenTo(): Refusal {
  return new Refusal('stale', [
    about(
      'The source was written to while it was copied. Stop the service and run the copy again.',
      'Conflict',
    ),
  ])
}

function completedBefore(): Refusal {
  return new Refusal('conflict', [
    about(
      'This copy was completed before, and source and target have become different since. Copy into an empty store.',
      'Conflict',
    ),
  ])
}

function stopped(): Refusal {
  return new Refusal('stale', [about('Stopped. Run the same copy again to go on.', 'Conflict')])
}

function about(message: string, type: 'Conflict') {
  return { field: '', type, message }
}
