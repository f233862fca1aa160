import type { Caller } from '../domain/access/caller.js'
import { isRefusal, Refusal } from '../domain/refusal.js'
import {
  RECORD_KINDS,
  type CopyClaim,
  type RecordKind,
  type RecordOf,
  type Records,
} from '../ports/records.js'
import type { Digest } from '../ports/digest.js'
import type { Authorize } from './access/authorize.js'

/** How far a copy has come, in records; the verification reads every record once more on both sides. */
export type CopyProgress = { readonly done: number; readonly total: number }

/** How many records of each kind the target holds, verified. */
export type CopiedKinds = Readonly<Record<RecordKind, number>>

/**
 * Copies everything into another store and leaves the source as it was; then compares both, kind
 * by kind, by number and digest. A copy that was interrupted goes on where it was when it is asked
 * for again. Where the two then differ, because the source has lost something meanwhile, say, what
 * the first run has put is taken away and all of it copied anew. The memory is that of a page.
 * Refuses with `forbidden`, `conflict` (the target holds other data, is the source, or has this
 * copy already) and `stale` (the two differ: somebody has written to one of them meanwhile).
 */
export type CopyStore = (ask: {
  caller: Caller
  target: Records
  onProgress?: (progress: CopyProgress) => void
  /** Asked between pages; true ends the copy with `stale`; asked for again, it goes on. */
  isStopped?: () => boolean
}) => Promise<CopiedKinds>

/** Larger ones are no faster and take more memory. */
const PAGE = 250

const REFUSED: Readonly<Partial<Record<CopyClaim, string>>> = {
  occupied: 'The target holds other data. Copy into an empty store.',
  complete: 'This copy was completed before, and the target may have lived on since.',
  same: 'Source and target are the same store.',
}

/** Needs the grant `store: copy`. */
export function createCopyStore(parts: { authorize: Authorize; source: Records; digest: Digest }): CopyStore {
  return async ({ caller, target, onProgress = () => undefined, isStopped = () => false }) => {
    parts.authorize(caller, 'store', 'copy')
    const identity = await parts.source.identity()
    const claim = await target.claim(identity)
    const refused = REFUSED[claim]
    if (refused !== undefined) throw new Refusal('conflict', [about(refused, 'Conflict')])
    const total = 2 * (await countAll(parts.source))
    let done = 0
    const advance = (records: number) => {
      if (isStopped()) throw stopped()
      done += records
      onProgress({ done, total: Math.max(done, total) })
    }
    const copyAll = async () => {
      for (const kind of RECORD_KINDS) await copyKind(kind, parts.source, target, advance)
      return await verify(parts, target, advance)
    }
    const kinds = await copyAll().catch(async (error: unknown) => {
      if (claim !== 'resumed' || isStopped() || !isStale(error)) throw error
      await clear(target, () => advance(0))
      return await copyAll()
    })
    await target.complete(identity)
    return kinds
  }
}

async function countAll(source: Records): Promise<number> {
  let count = 0
  for (const kind of RECORD_KINDS) count += await source.count(kind)
  return count
}

/** What refers to others goes first. */
async function clear(target: Records, advance: () => void): Promise<void> {
  for (const kind of RECORD_KINDS.toReversed()) {
    for (let page = await target.page(kind, undefined, PAGE); page.length > 0;) {
      await target.remove(kind, page)
      advance()
      page = await target.page(kind, undefined, PAGE)
    }
  }
}

async function copyKind(
  kind: RecordKind,
  source: Records,
  target: Records,
  advance: (records: number) => void,
): Promise<void> {
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

async function verify(
  { source, digest }: { source: Records; digest: Digest },
  target: Records,
  advance: (records: number) => void,
): Promise<CopiedKinds> {
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

function howApart(ours: Summary, theirs: Summary): string {
  return ours.count === theirs.count ? 'their content' : `${ours.count} here, ${theirs.count} there`
}

type Summary = { readonly count: number; readonly digest: string }

async function summaryOf(
  records: Records,
  kind: RecordKind,
  digest: Digest,
  advance: (records: number) => void,
): Promise<Summary> {
  const sum = digest()
  let count = 0
  for await (const page of pagesOf(records, kind)) {
    for (const record of page) sum.update(canonical(record))
    count += page.length
    advance(page.length)
  }
  return { count, digest: sum.end() }
}

async function* pagesOf<Kind extends RecordKind>(
  records: Records,
  kind: Kind,
  after?: RecordOf[Kind],
): AsyncGenerator<readonly RecordOf[Kind][]> {
  let page: readonly RecordOf[Kind][] = []
  do {
    page = await records.page(kind, page.at(-1) ?? after, PAGE)
    if (page.length > 0) yield page
  } while (page.length === PAGE)
}

/** One text for equal records, whatever the order of their members. */
function canonical(record: unknown): string {
  return JSON.stringify(record, (_name, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

function isStale(error: unknown): boolean {
  return isRefusal(error) && error.code === 'stale'
}

function differs(kind: RecordKind, how: string): Refusal {
  return new Refusal('stale', [
    about(
      `Source and target differ in records of the kind "${kind}" (${how}): something has written meanwhile. Stop the service and run the copy again.`,
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
