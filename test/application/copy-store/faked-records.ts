import {
  RECORD_KINDS,
  type CopyClaim,
  type RecordKind,
  type CopyableRecords,
} from '../../../src/ports/copyable-records.js'

type Row = { readonly id: number }

/** A store that contains only pets with these IDs, and records the calls made to it. */
export type FakedRecords = {
  readonly records: CopyableRecords
  readonly rows: Row[]
  /** The recorded calls, for example `put 1 2` (with the IDs) or `page pet`. */
  readonly calls: string[]
}

export const rowsOf = (count: number, from = 0): Row[] =>
  Array.from({ length: count }, (_, index) => ({ id: from + index }))

/** `change` replaces individual calls. */
export function fakedRecords(
  { rows = [], claim = 'begun' }: { rows?: Row[]; claim?: CopyClaim } = {},
  change: Partial<CopyableRecords> = {},
): FakedRecords {
  const calls: string[] = []
  const ofPets = (kind: RecordKind) => (kind === 'pet' ? rows : [])
  const takeAway = (given: readonly Row[]) => {
    for (const { id } of given)
      rows.splice(
        rows.findIndex((row) => row.id === id),
        rows.some((row) => row.id === id) ? 1 : 0,
      )
  }
  const all = {
    identity: () => 'a store',
    changeToken: () => 'unchanged',
    count: (kind: RecordKind) => ofPets(kind).length,
    page: (kind: RecordKind, after: Row | undefined, limit: number) =>
      ofPets(kind)
        .filter(({ id }) => after === undefined || id > after.id)
        .slice(0, limit),
    put: (_: RecordKind, given: readonly Row[]) => {
      takeAway(given)
      rows.push(...given)
      rows.sort((one, other) => one.id - other.id)
      return 'put'
    },
    remove: (_: RecordKind, given: readonly Row[]) => {
      takeAway(given)
    },
    claim: () => claim,
    complete: () => undefined,
  }
  const merged = { ...all, ...change }
  const noted = Object.entries(merged).map(([name, call]: [string, unknown]) => [
    name,
    async (...given: never[]) => {
      calls.push([name, ...given.slice(0, 1)].join(' '))
      return await Promise.resolve((call as (...args: never[]) => unknown)(...given))
    },
  ])
  return { records: Object.fromEntries(noted) as CopyableRecords, rows, calls }
}

/** Counts the calls with this name. */
export function countOf({ calls }: FakedRecords, call: keyof CopyableRecords): number {
  return calls.filter((one) => one.split(' ')[0] === call).length
}

export const KINDS = RECORD_KINDS.length
