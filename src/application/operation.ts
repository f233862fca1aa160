import type { Caller } from '../domain/access/caller.js'
import type { Action, Component } from '../domain/access/components.js'
import type { Authorize } from './access/authorize.js'
import type { ObjectParser, Parser } from './fields.js'
import { caller as anyCaller } from './inputs.js'

export type Permission = { [C in Component]: readonly [component: C, action: Action<C>] }[Component]

/** An operation whose caller needs a permission: a row of the table of parts. */
export type Operation<Parts, Names extends readonly string[], Renamed, Optional, Input, Answer> = {
  readonly permission: Permission
  readonly input: Parser<Input>
  readonly parts: readonly [...Names, 'authorize']
  readonly renamed: Renamed
  readonly optional: Optional
  readonly synchronous?: true | undefined
  /** Makes the function, which first judges its caller: it refuses with `unauthenticated` or `forbidden`. */
  readonly factory: (parts: Parts & { readonly authorize: Authorize }) => (input: Input) => Answer
}

/**
 * Declares an operation. Its function runs only for a caller with the permission; for any other caller its promise
 * rejects, and a `synchronous` operation throws.
 */
export function operation<
  Parts,
  const Names extends readonly string[],
  Input extends object,
  Answer,
  Who extends Caller = Caller,
  const Renamed extends Readonly<Record<string, string>> | undefined = undefined,
  const Optional extends readonly string[] = readonly [],
>(declared: {
  readonly permission: Permission
  /** Who can call it: any caller, if absent. */
  readonly caller?: Parser<Who>
  readonly input: ObjectParser<Input>
  /** The names of the parts, `renamed` and `optional` as in a `Row`. */
  readonly parts: Names
  readonly renamed?: Renamed
  readonly optional?: Optional
  readonly synchronous?: true
  readonly run: (parts: Parts) => (input: { readonly caller: Who } & Input) => Answer
}): Operation<Parts, Names, Renamed, Optional, { readonly caller: Who } & Input, Answer> {
  const { permission, caller = anyCaller, input, parts, renamed, optional, synchronous, run } = declared
  const [component, action] = permission
  return {
    permission,
    input: input.with({ caller }) as Parser<{ readonly caller: Who } & Input>,
    parts: [...parts, 'authorize'],
    renamed: renamed as Renamed,
    optional: optional ?? ([] as readonly string[] as Optional),
    synchronous,
    factory: (given) => {
      const work = run(given)
      return (asked) => {
        try {
          given.authorize(asked.caller, component, action)
        } catch (error) {
          if (synchronous) throw error
          return rejected(error) as Answer
        }
        return work(asked)
      }
    },
  }
}

async function rejected(error: unknown): Promise<never> {
  throw error
}
