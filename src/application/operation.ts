import type { Caller } from '../domain/access/caller.js'
import type { Action, Component } from '../domain/access/components.js'
import type { Authorize } from './access/authorize.js'
import type { ObjectParser, Parser } from './fields.js'
import { caller as anyCaller } from './inputs.js'
import type { PartsFrom, SharedParts } from './shared-parts.js'

export type Permission = { [C in Component]: readonly [component: C, action: Action<C>] }[Component]

/** An operation whose caller must have a permission; it is an entry in the table of parts. */
export type Operation<Parts, Names extends readonly string[], Renamed, Optional, Input, Answer> = {
  readonly permission: Permission
  readonly input: Parser<Input>
  readonly parts: readonly [...Names, 'authorize']
  readonly renamed: Renamed
  readonly optional: Optional
  readonly synchronous?: true | undefined
  /** Creates the function, which first authorizes its caller and refuses with `unauthenticated` or `forbidden`. */
  readonly factory: (parts: Parts & { readonly authorize: Authorize }) => (input: Input) => Answer
}

/** The permission that an operation requires, and the names of its parts. */
export type Declaration<Names extends readonly string[], Renamed, Optional> = {
  readonly permission: Permission
  /** The names of the parts; `renamed` and `optional` are as in a `Row`. */
  readonly parts: Names
  readonly renamed?: Renamed
  readonly optional?: Optional
}

/** Refuses with `unauthenticated` or `forbidden` a caller who lacks the permission that the operation requires. */
export type AssertPermitted = (caller: Caller) => void

/** Returns the table entry for a declared operation. The function that `make` returns must authorize its caller with `assertPermitted`. */
export function operationRow<Parts, const Names extends readonly string[], Renamed, Optional, Input, Answer>(
  { permission, parts, renamed, optional }: Declaration<Names, Renamed, Optional>,
  input: Parser<Input>,
  make: (parts: Parts, assertPermitted: AssertPermitted) => (input: Input) => Answer,
): Operation<Parts, Names, Renamed, Optional, Input, Answer> {
  const [component, action] = permission
  return {
    permission,
    input,
    parts: [...parts, 'authorize'],
    renamed: renamed as Renamed,
    optional: optional ?? ([] as readonly string[] as Optional),
    factory: (allParts) => make(allParts, (caller) => void allParts.authorize(caller, component, action)),
  }
}

/**
 * Declares an operation. The operation's function runs only if the caller has its permission. For any other caller, the returned promise
 * rejects (a `synchronous` operation throws instead).
 */
export function operation<
  const Names extends readonly string[],
  Input extends object,
  Answer,
  Who extends Caller = Caller,
  const Renamed extends Readonly<Record<string, string>> | undefined = undefined,
  const Optional extends readonly string[] = readonly [],
  Parts = PartsFrom<SharedParts, Names[number] | 'authorize', Optional[number]>,
>(
  declared: Declaration<Names, Renamed, Optional> & {
    /** Parses the caller; absent if any caller is accepted. */
    readonly caller?: Parser<Who>
    readonly input: ObjectParser<Input>
    readonly synchronous?: true
    readonly run: (parts: Parts) => (input: { readonly caller: Who } & Input) => Answer
  },
): Operation<Parts, Names, Renamed, Optional, { readonly caller: Who } & Input, Answer> {
  type CallInput = { readonly caller: Who } & Input
  const { caller = anyCaller, synchronous, run } = declared
  const input = declared.input.with({ caller }) as Parser<CallInput>
  const row = operationRow(declared, input, (parts: Parts, assertPermitted) => {
    const work = run(parts)
    return (callInput) => {
      try {
        assertPermitted(callInput.caller)
      } catch (error) {
        if (synchronous) throw error
        return rejected(error) as Answer
      }
      return work(callInput)
    }
  })
  return { ...row, synchronous }
}

async function rejected(error: unknown): Promise<never> {
  throw error
}
