import * as z from 'zod'
import { PAGE_LIMIT_MAX, type PageLimit } from '../../domain/page-limit.js'
import type { SessionId } from '../../domain/identity/session.js'
import { integerFrom, MUST_BE, REQUIRED } from '../../domain/messages.js'
import { accepted, broken, type Parsed } from '../../domain/parsed.js'
import { isPositiveInteger } from '../../domain/positive-integer.js'
import { Refusal } from '../../domain/refusal.js'
import { isPlainText } from '../../domain/text.js'
import type { SessionPosition } from '../../ports/sessions.js'

/** Longer ones are not looked at: an array can claim to have four thousand million elements. */
const LIST_MAX = 1_000
/** Of what is kept beside a record: an address, the name of a request. */
const NOTE_MAX = 1_000
/** What every driver takes as a limit. */
const COUNT_MAX = 2 ** 31 - 1
/** The range of `Date`. */
const INSTANT_MAX = 8.64e15

/** A rule of a schema in our words; what is missing is told as such. */
export function said(rule: string): { readonly error: (issue: { readonly input?: unknown }) => string } {
  return { error: ({ input }) => (input === undefined ? REQUIRED : rule) }
}

export const text = z.string()
export const flag = z.boolean()
export const number = z.custom<number>((value) => typeof value === 'number', said(MUST_BE.number))

/** Text that a store keeps as it is and that no rule of the domain looks at. */
export const note = text
  .max(NOTE_MAX, `must have at most ${NOTE_MAX} characters`)
  .refine(isPlainText, 'must not contain control characters')

/** An id that a store has given. */
export function id<Id extends number>(): z.ZodType<Id> {
  return z.custom<Id>(isPositiveInteger, said(MUST_BE.id))
}

/** How many a page may hold. */
export const count = z.custom<number>(
  (value) => isPositiveInteger(value) && value <= COUNT_MAX,
  said(integerFrom(1, COUNT_MAX)),
)

export const instant = z.custom<number>(
  (value) => typeof value === 'number' && Math.abs(value) <= INSTANT_MAX,
  said('must be a moment in milliseconds since 1970'),
)

export function listOf<T>(element: z.ZodType<T>): z.ZodType<T[]> {
  const short = z.custom<unknown[]>(
    (value) => Array.isArray(value) && value.length <= LIST_MAX,
    said(`must be an array of at most ${LIST_MAX}`),
  )
  return short.pipe(z.array(element))
}

/** How many entries a page over HTTP may hold. */
export const pageSize = number.transform(
  rule((value: number): Parsed<PageLimit> =>
    Number.isInteger(value) && value >= 1 && value <= PAGE_LIMIT_MAX
      ? accepted(value as PageLimit)
      : broken('NotValid', integerFrom(1, PAGE_LIMIT_MAX)),
  ),
)

/** Where a page of sessions ended. */
export const sessionPosition = z.strictObject({
  createdAt: instant,
  id: note.transform((one) => one as SessionId),
}) as unknown as z.ZodType<SessionPosition>

/** The members of an ask, each with what it has to be; one that the type has and this has not is an error. */
export type Members<T> = {
  readonly [Name in keyof T]-?: z.ZodType<object extends Pick<T, Name> ? T[Name] | undefined : T[Name]>
}

/**
 * A copy with these members; any other is named, since it is a known one misspelt or an unknown wish.
 * Each is read once, so that what was looked at is what the use case gets, whatever a
 * getter or a proxy answers the next time.
 */
export function members<T extends object>(shape: Members<T>): z.ZodType<T> {
  return z.strictObject(shape) as unknown as z.ZodType<T>
}

/** The same without the members that are `undefined`, for asks in which that means something. */
export function present<T extends object>(shape: Members<T>): z.ZodType<T> {
  return withoutUndefined(members(shape))
}

export function withoutUndefined<T extends object>(schema: z.ZodType<T>): z.ZodType<T> {
  return schema.transform(
    (value) => Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T,
  )
}

/** The type of a message about a rule of the domain, which makes the refusal `invalid`. */
export const RULE = 'rule'

/** A rule of the domain as the last step of a schema. */
export function rule<I, T>(parse: (value: I) => Parsed<T>): (value: I, context: z.core.$RefinementCtx) => T {
  return (value, context) => {
    const parsed = parse(value)
    if (parsed.ok) return parsed.value
    const { type, rule: message } = parsed
    context.issues.push({ code: 'custom', message, input: value, params: { [RULE]: type } })
    return z.NEVER
  }
}

/** What is read of the caller's own objects; whatever they throw is `malformed`. */
export function readable<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    // A getter or a proxy of the caller's: whatever it throws, the ask has no form.
    const message = { field: '', type: 'Format', message: 'cannot be read' } as const
    throw new Refusal('malformed', [message], 'a member of the ask threw when it was read', error)
  }
}

/** The refusal of a member that has another form. */
export function malformed(field: string, message: string, cause?: unknown): Refusal {
  return new Refusal('malformed', [{ field, type: 'Format', message }], undefined, cause)
}
