// The parsers of input members that several operations share.
import type { Caller, Identity } from '../domain/access/caller.js'
import type { RoleKey } from '../domain/access/role.js'
import type { AccountId, Epoch } from '../domain/identity/account.js'
import type { Email } from '../domain/identity/email.js'
import type { SessionId } from '../domain/identity/session.js'
import { integerFrom, MUST_BE } from '../domain/messages.js'
import { PAGE_LIMIT_MAX, type PageLimit, type PageOrder } from '../domain/page-limit.js'
import { accepted, broken, type Parsed, isPlainText, isPositiveInteger } from '../domain/parsed.js'
import type { SessionPosition } from '../ports/sessions.js'
import { HostClient, type ClientContext } from './client-context.js'
import {
  byKind,
  choice,
  fields,
  id,
  listOf,
  number,
  optional,
  withRule,
  text,
  that,
  type Parser,
} from './fields.js'

/** The maximum length of a string in a record, such as an address or a request ID. */
const NOTE_MAX = 1_000
/** The largest limit that every driver accepts. */
const COUNT_MAX = 2 ** 31 - 1
/** The largest absolute value of a `Date` in milliseconds. */
const INSTANT_MAX = 8.64e15

/** Returns a parser for strings of the branded type `T`; it applies no domain rule. */
export function textAs<T extends string>(parser: Parser<string> = text): Parser<T> {
  return parser as Parser<T>
}

/** Parses a string that every store keeps unchanged and to which no domain rule applies. */
export const note: Parser<string> = (value, field, errors) => {
  const before = errors.length
  const read = text(value, field, errors)
  if (errors.length > before) return read
  const wrong = (message: string) => errors.push({ field, type: 'Format', message })
  if (read.length > NOTE_MAX) wrong(`must have at most ${NOTE_MAX} characters`)
  if (!isPlainText(read)) wrong('must not contain control characters')
  return read
}

export const count = that<number>(
  integerFrom(1, COUNT_MAX),
  (value) => isPositiveInteger(value) && value <= COUNT_MAX,
)

export const pageSize = withRule(number, (value): Parsed<PageLimit> =>
  Number.isInteger(value) && value >= 1 && value <= PAGE_LIMIT_MAX
    ? accepted(value as PageLimit)
    : broken('NotValid', integerFrom(1, PAGE_LIMIT_MAX)),
)

export const instant = that<number>(
  'must be a time in milliseconds since 1970',
  (value) => typeof value === 'number' && Math.abs(value) <= INSTANT_MAX,
)

export const order = choice<PageOrder>(['oldest-first', 'newest-first'])

export const sessionPosition: Parser<SessionPosition> = fields({
  createdAt: instant,
  id: textAs<SessionId>(note),
})

/** A number that cannot be an ID becomes `undefined`, so that the operation refuses it with `not-found`. */
export function possibleId<Id extends number>(): Parser<Id | undefined> {
  const parser = optional(number)
  return (value, field, errors) => {
    const read = parser(value, field, errors)
    return isPositiveInteger(read) ? (read as Id) : undefined
  }
}

/** The `userAgent` is not validated, so that no login fails because of it. */
export const client: Parser<ClientContext> = (value, field, errors) =>
  value instanceof HostClient ? value : clientFields(value, field, errors)

const clientFields = fields({
  address: optional(note),
  requestId: optional(note),
  userAgent: optional(text),
})

const email = textAs<Email>()
const epoch = id<Epoch>()
const roles = listOf(fields({ uuid: text, key: textAs<RoleKey>(), label: text }))

const isFalse = optional(that<false>(MUST_BE.boolean, (value) => value === false))

const IDENTITY = {
  kind: choice(['account']),
  accountId: id<AccountId>(),
  email,
  roles,
  sessionId: optional(textAs<SessionId>()),
  epoch: optional(epoch),
  endsAt: optional(instant),
  factor: optional(that<true>(MUST_BE.boolean, (value) => value === true)),
  factorSince: optional(instant),
  proved: optional(fields({ at: instant, factorAt: optional(instant) })),
  hasPassword: isFalse,
  hasFactor: isFalse,
  actor: optional(fields({ accountId: id<AccountId>(), email, epoch, endsAt: instant })),
  client: optional(client),
} satisfies { [Member in keyof Required<Identity>]: Parser<unknown> }

export const identity = fields(IDENTITY) as Parser<Identity>

export const caller = byKind<Caller>('must be a caller, such as OPERATOR, ANONYMOUS or an identity', {
  anonymous: fields({ kind: choice<'anonymous'>(['anonymous']) }),
  cli: fields({ kind: choice<'cli'>(['cli']) }),
  'api-key': fields({
    kind: choice<'api-key'>(['api-key']),
    apiKeyId: id<number>(),
    roles,
    client: optional(client),
  }),
  account: identity,
})
