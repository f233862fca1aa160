import type { Caller } from '../../domain/access/caller.js'
import type { Action, Component } from '../../domain/access/components.js'
import type { Authorize, Authorized } from './authorize.js'

/** Component and action. */
export type Permission = readonly [component: Component, action: string]

/** That of the proof which a use case takes; `never` of one that takes none. */
export type PermissionOf<UseCase> = UseCase extends (input: infer Input) => unknown
  ? Input extends { readonly authorized: { readonly component: infer C; readonly action: infer A } }
    ? readonly [C, A]
    : never
  : never

type Proven = { readonly authorized: Authorized }

/** The same input with the caller in the place of the proofs. */
export type AskedBy<Input> = Input extends { readonly authorized: { readonly caller: infer Who } }
  ? Omit<Input, 'authorized' | 'mayImport'> & { readonly caller: Who }
  : Input

/** A use case for code that has a caller and no proof; any other use case is itself. */
export type ByCaller<UseCase> = UseCase extends (...args: infer Args) => infer Answer
  ? Args extends readonly [infer Input extends { readonly authorized: Authorized }]
    ? (input: AskedBy<Input>) => Answer
    : UseCase
  : UseCase

/** A use case that takes the proof, or the caller to judge. */
export type ForCallers<UseCase> = UseCase extends (...args: infer Args) => infer Answer
  ? Args extends readonly [infer Input extends { readonly authorized: Authorized }]
    ? (input: Input | AskedBy<Input>) => Answer
    : UseCase
  : UseCase

/** Use cases for code that has a caller and no proofs. */
export type AllByCaller<UseCases> = { readonly [Name in keyof UseCases]: ByCaller<UseCases[Name]> }

/** Use cases that take the proof, or the caller to judge. */
export type AllForCallers<UseCases> = { readonly [Name in keyof UseCases]: ForCallers<UseCases[Name]> }

/** What callers say who ask for themselves; a hash of a password needs a permission of its own. */
type Asked = { readonly caller: Caller; readonly passwordHash?: string | undefined }

/** What a use case needs of its caller, and whether it answers at once. */
type Judging = { readonly permission: Permission; readonly atOnce?: true | undefined }

/**
 * The use case as `ForCallers` says: judges the caller's permission before it runs. It refuses as `Authorize` does, by
 * a rejected promise, or by throwing where it answers at once.
 */
export function forCallers(
  { permission: [component, action], atOnce }: Judging,
  useCase: (input: Proven) => unknown,
  authorize: Authorize,
): (input: Asked | Proven) => unknown {
  const judge = ({ caller, ...rest }: Asked): Proven => {
    const authorized = authorize(caller, component, action as Action<Component>)
    if (rest.passwordHash === undefined) return { ...rest, authorized }
    return { ...rest, authorized, mayImport: authorize(caller, 'user', 'import') } as Proven
  }
  const asked = atOnce ? (ask: Asked) => useCase(judge(ask)) : async (ask: Asked) => await useCase(judge(ask))
  return (input) => ('caller' in input ? asked(input) : useCase(input))
}
