import type { Reader } from './reader.js'

/** What a row of the table holds beside the variable and how it is read. */
type Details = {
  /** As the variable would have it. */
  readonly default?: string
  /** In the place of a default that follows from other settings: what it is where nothing is set at all. */
  readonly otherwise?: string
  /** It may hold a secret: it can come from a file, which `<variable>_FILE` names. */
  readonly secret?: true
  /** No option of `openKennel`: it is the host that listens, logs, stops and has commands. */
  readonly serviceOnly?: true
  /** What people are told of it in a line. */
  readonly help: string
}

/** A setting. */
export type Row<Value, Option> = { readonly variable: string; readonly read: Reader<Value, Option> }

/** One row of the table of settings. */
export function row<Value, Option, const More extends Details>(
  variable: string,
  read: Reader<Value, Option>,
  more: More,
): Row<Value, Option> & More {
  return { variable, read, ...more }
}
