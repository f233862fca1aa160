/** A factory of a part or a use case, and the names of the parts that it gets. */
export type Row = {
  readonly factory: (parts: never) => unknown
  readonly parts: readonly string[]
  /** Parts that go by another name among all, by the names that the factory has for them. */
  readonly renamed?: Readonly<Record<string, string>> | undefined
  /** Those of its `parts` without which it is made as well: it gets `undefined` in their place. */
  readonly optional?: readonly string[]
}

/** Rows by the names of what they make. */
export type Rows = Readonly<Record<string, Row>>

/** What rows make, by its names. */
export type Made<R extends Rows> = { readonly [Name in keyof R]: ReturnType<R[Name]['factory']> }

declare const wiring: unique symbol

/** Rows that are complete: from what is `Given` they make what it `Makes`. */
export type Table<Given, Makes> = {
  readonly rows: Rows
  /** Of the compiler only. */
  readonly [wiring]?: (given: Given) => Makes
}

/** What a table makes. */
export type MadeBy<T> = T extends Table<never, infer Makes> ? Makes : never

/**
 * A table of rows of which the compiler has seen that they fit together: each part that a factory takes, those
 * that it can do without too, has a name, is given or made by another row, and is of the type that it takes.
 */
export function wired<Given>() {
  return <const R extends Rows>(rows: R & Wired<R, Given>): Table<Given, Made<R>> => ({ rows })
}

/** What cannot be made where what is `Missing` is, beside that itself: all that needs it, and what needs that. */
export type UnmadeWithout<R extends Rows, Missing> = [Exclude<NeedingAny<R, Missing>, Missing>] extends [
  never,
]
  ? Missing
  : UnmadeWithout<R, Missing | NeedingAny<R, Missing>>

type NeedingAny<R extends Rows, Missing> = {
  [Name in keyof R]: [Extract<NeedsOf<R[Name]>, Missing>] extends [never] ? never : Name
}[keyof R]

type NeedsOf<R extends Row> =
  | Exclude<R['parts'][number], OptionalOf<R>>
  | (R extends { readonly renamed: infer Sources } ? Sources[keyof Sources] : never)

/** What is missing of what it takes to make this: names that are neither given nor can be made of what is. */
export function missingFor(name: string, rows: Rows, isGiven: (name: string) => boolean): readonly string[] {
  if (isGiven(name)) return []
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined
  if (!row) return [name]
  const { parts, renamed = {}, optional = [] } = row
  const needed = [...parts.filter((part) => !optional.includes(part)), ...Object.values(renamed)]
  return [...new Set(needed.flatMap((part) => missingFor(part, rows, isGiven)))]
}

/** What is given is made by no row. */
type Wired<R extends Rows, Given> = {
  readonly [Name in keyof R]: Name extends keyof Given ? never : WiredRow<R[Name], Given & Made<R>>
}

type WiredRow<R extends Row, Parts> = {
  readonly factory: (parts: Named<R, Parts>) => unknown
  readonly parts: [Unnamed<R>] extends [never]
    ? readonly (keyof Parts & keyof Taken<R>)[]
    : { readonly missing: Unnamed<R> }
  readonly renamed?: { readonly [Name in keyof Taken<R>]?: keyof Parts } | undefined
  readonly optional?: readonly R['parts'][number][]
}

/** What a row's factory takes. */
type Taken<R extends Row> = R['factory'] extends (parts: infer Parts) => unknown ? Parts : never

/** What it takes and the row does not name. */
type Unnamed<R extends Row> = Exclude<keyof Taken<R>, R['parts'][number] | keyof R['renamed']>

type OptionalOf<R extends Row> = R extends { readonly optional: readonly (infer Name)[] } ? Name : never

/** The parts that a row names, by the names that its factory has for them. */
type Named<R extends Row, Parts> = {
  readonly [Name in R['parts'][number]]:
    (Name extends keyof Parts ? Parts[Name] : never) | (Name extends OptionalOf<R> ? undefined : never)
} & {
  readonly [Name in keyof R['renamed']]: R['renamed'][Name] extends keyof Parts
    ? Parts[R['renamed'][Name]]
    : never
}
