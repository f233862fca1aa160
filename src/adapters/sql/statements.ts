/** Values that can be bound to parameters. */
export type Value = string | number | bigint | null | Uint8Array

export type Row = readonly Value[]

/** A statement that runs as one atomic call of a store. Returns rows as arrays. */
export type Statement<R extends Row = Row> = {
  /** Returns the number of changed rows. */
  readonly run: (...values: readonly Value[]) => Promise<number>
  readonly get: (...values: readonly Value[]) => Promise<R | undefined>
  readonly all: (...values: readonly Value[]) => Promise<readonly R[]>
}

/**
 * Prepares statements whose SQL is valid in both SQLite and PostgreSQL. `?` is a parameter, and `?1` is the first parameter. A table name is
 * in braces, as in `{accounts}`, because PostgreSQL adds the schema name.
 */
export type Statements = {
  readonly read: <R extends Row = Row>(sql: string) => Statement<R>
  readonly write: <R extends Row = Row>(sql: string) => Statement<R>
  /** The end of a subquery that selects the rows to change; it makes concurrent callers change different rows. */
  readonly skipLocked: '' | 'FOR UPDATE SKIP LOCKED'
  /** The end of a subquery that selects a referenced row; it prevents the row's deletion until the statement has ended. */
  readonly keyShare: '' | 'FOR KEY SHARE'
}
