import * as z from 'zod'
import type { ImportedUser } from '../../../application/accounts/create-users.js'
import { CODE_ALGORITHMS, CODE_DIGITS, CODE_PERIODS } from '../../../domain/identity/second-factor.js'
import { wordsOf } from '../../../domain/messages.js'
import { LINE_MAX_BYTES, type Line } from './lines.js'

/** The options are passed to each schema, because passing them to each parse call would increase the memory of a large import by half. */
const PARSE_OPTIONS = { error: wordsOf }

/** An unknown property is an error, because otherwise `password`, for example, would be silently ignored. */
const TOTP = z.strictObject(
  {
    secret: z.string(PARSE_OPTIONS),
    algorithm: z.literal(CODE_ALGORITHMS, PARSE_OPTIONS).optional(),
    digits: z.literal(CODE_DIGITS, PARSE_OPTIONS).optional(),
    period: z.literal(CODE_PERIODS, PARSE_OPTIONS).optional(),
  },
  PARSE_OPTIONS,
)

const RECORD = z.strictObject(
  {
    email: z.string(PARSE_OPTIONS),
    passwordHash: z.string(PARSE_OPTIONS).optional(),
    roles: z.array(z.string(PARSE_OPTIONS), PARSE_OPTIONS).optional(),
    disabled: z.boolean(PARSE_OPTIONS).optional(),
    totp: TOTP.optional(),
  },
  PARSE_OPTIONS,
)

const MESSAGE_MAX = 300
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** The account in one line of an import, or the reason why there is none. */
export type ReadRecord =
  | { readonly kind: 'user'; readonly user: ImportedUser }
  /** A line that contains only white space. */
  | { readonly kind: 'empty' }
  /** The error of the line, without its values. */
  | { readonly kind: 'refused'; readonly message: string }

export function readRecord({ bytes }: Line): ReadRecord {
  if (bytes === undefined) return refusedRecord(`the line is longer than ${LINE_MAX_BYTES} bytes`)
  const text = decode(bytes)
  if (text === undefined) return refusedRecord('the line is not UTF-8')
  if (text.trim() === '') return { kind: 'empty' }
  const value = parseJson(text)
  if (value === undefined) return refusedRecord('the line is not JSON')
  const { success, data: user, error } = RECORD.safeParse(value)
  return success ? { kind: 'user', user } : refusedRecord(error.issues.map(sentenceOf).join('; '))
}

function refusedRecord(message: string): ReadRecord {
  return { kind: 'refused', message: message.slice(0, MESSAGE_MAX) }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return UTF8.decode(bytes)
  } catch {
    return undefined
  }
}

/** The parser's error message is not used, because it would repeat the input, which may be a hash. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function sentenceOf({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? message : `${path.join('.')}: ${message}`
}
