// Tables of parts: `wiring.ts` and the composition root declare each part with the names of the parts it needs, and the compiler checks these
// tables. `compose` in the composition root creates the parts.

export type Row = {
  readonly factory: (parts: never) => unknown
  readonly parts: readonly string[]
  /** Maps the names that the factory uses for parts to the names in the table, if they differ. */
  readonly renamed?: Readonly<Record<string, string>> | undefined
  /** The names of parts that may be `undefined`. */
  readonly optional?: readonly string[]
}

export type Rows = Readonly<Record<string, Row>>

export type CreatedParts<R extends Rows> = { readonly [Name in keyof R]: ReturnType<R[Name]['factory']> }

declare const wiring: unique symbol

/** A compiler-checked table of rows that create the parts `Created` from the parts `GivenParts`. */
export type Table<GivenParts, Created> = {
  readonly rows: Rows
  /** Exists only at compile time. */
  readonly [wiring]?: (parts: GivenParts) => Created
}

export type PartsCreatedBy<T> = T extends Table<never, infer Created> ? Created : never

/**
 * Returns a table whose rows the compiler has checked. Each part that a factory requires or accepts is listed in the factory's row, has the
 * right type, and is passed in or created by another row.
 */
export function checkedTable<GivenParts>() {
  return <const R extends Rows>(
    rows: R & CheckedRows<R, GivenParts>,
  ): Table<GivenParts, CreatedParts<R>> => ({ rows })
}

/** `Missing`, and the names of all parts that need it directly or indirectly. */
export type DependentsOf<R extends Rows, Missing> = [Exclude<NeedingAny<R, Missing>, Missing>] extends [never]
  ? Missing
  : DependentsOf<R, Missing | NeedingAny<R, Missing>>

type NeedingAny<R extends Rows, Missing> = {
  [Name in keyof R]: [Extract<NeedsOf<R[Name]>, Missing>] extends [never] ? never : Name
}[keyof R]

type NeedsOf<R extends Row> =
  | Exclude<R['parts'][number], OptionalOf<R>>
  | (R extends { readonly renamed: infer Sources } ? Sources[keyof Sources] : never)

/** Returns the names of required parts that are neither passed in nor created by a row. */
export function missingFor(name: string, rows: Rows, isGiven: (name: string) => boolean): readonly string[] {
  if (isGiven(name)) return []
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined
  if (!row) return [name]
  const { parts, renamed = {}, optional = [] } = row
  const needed = [...parts.filter((part) => !optional.includes(part)), ...Object.values(renamed)]
  return [...new Set(needed.flatMap((part) => missingFor(part, rows, isGiven)))]
}

/** No row may create a part that is also passed in. */
type CheckedRows<R extends Rows, GivenParts> = {
  readonly [Name in keyof R]: Name extends keyof GivenParts
    ? never
    : CheckedRow<R[Name], GivenParts & CreatedParts<R>>
}

type CheckedRow<R extends Row, Parts> = {
  readonly factory: (parts: ListedParts<R, Parts>) => unknown
  readonly parts: [UnlistedParts<R>] extends [never]
    ? readonly (keyof Parts & keyof FactoryParts<R>)[]
    : { readonly missing: UnlistedParts<R> }
  readonly renamed?: { readonly [Name in keyof FactoryParts<R>]?: keyof Parts } | undefined
  readonly optional?: readonly R['parts'][number][]
}

type FactoryParts<R extends Row> = R['factory'] extends (parts: infer Parts) => unknown ? Parts : never

/** The parts that the factory requires but the row does not name. */
type UnlistedParts<R extends Row> = Exclude<keyof FactoryParts<R>, R['parts'][number] | keyof R['renamed']>

type OptionalOf<R extends Row> = R extends { readonly optional: readonly (infer Name)[] } ? Name : never

/** The parts that a row passes to its factory, under the names that the factory uses. */
type ListedParts<R extends Row, Parts> = {
  readonly [Name in R['parts'][number]]:
    (Name extends keyof Parts ? Parts[Name] : never) | (Name extends OptionalOf<R> ? undefined : never)
} & {
  readonly [Name in keyof R['renamed']]: R['renamed'][Name] extends keyof Parts
    ? Parts[R['renamed'][Name]]
    : never
}
