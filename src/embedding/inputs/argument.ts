import type * as z from 'zod'
import type { ByCaller } from '../../application/access/for-callers.js'

/** What an argument has to be. `field` is what a refusal calls it, empty where its members have names. */
export type Argument<T> = { readonly field: string; readonly schema: z.ZodType<T> }

type Arguments<Args extends readonly unknown[]> = { readonly [Index in keyof Args]-?: Argument<Args[Index]> }

/** Every method with what each of its arguments has to be; a proof is looked at by itself, see `readInput`. */
export type InputSchemas<Methods> = {
  readonly [Name in keyof Methods]: ByCaller<Methods[Name]> extends (...args: infer Args) => unknown
    ? Arguments<Args>
    : never
}

/** What a method with one argument is asked. */
export type InputOf<Method> = ByCaller<Method> extends (input: infer Input) => unknown ? Input : never
