import { isUtf8 } from 'node:buffer'
import * as z from 'zod'
import { doubtfulKeys, pathText, TWICE } from '../../../domain/json-keys.js'
import type { ImportedUser } from '../../../application/accounts/import-users.js'
import { isObject, type JsonObject } from '../../../domain/identity/json-object.js'
import { CODE_ALGORITHMS, CODE_DIGITS, CODE_PERIODS } from '../../../domain/identity/second-factor.js'
import { wordsOf } from '../../../domain/messages.js'
import { OperatorError } from '../../../domain/refusal.js'
import { type RoleMapping, isPresent, textOf, type ForeignTotp, type Source } from './foreign-user.js'
import { RECORD_NOUNS, type FileFormat } from './scanners.js'
import type { RawRecord } from './split.js'

/**
 * The options are passed to each schema, because passing them to each parse call would make a large import use 50 % more memory.
 */
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
const UTF8 = new TextDecoder()

/** The account in one record of an import, or the reason why there is none. */
export type ReadRecord =
  /** `id` is the ID in the other system. */
  | { readonly kind: 'user'; readonly user: ImportedUser; readonly id?: string }
  | { readonly kind: 'empty' }
  | { readonly kind: 'refused'; readonly message: string }

export type ImportOrigin = { readonly source: Source; readonly mapRoles: RoleMapping['map'] }

const EMPTY = { kind: 'empty' } as const

/**
 * Creates a function that reads the records of one file in order; without an origin, the file is in Kennel's own format. The function
 * throws an `OperatorError` if a CSV file has no column for emails.
 */
export function createRecordReader(
  origin: ImportOrigin | undefined,
  format: () => FileFormat,
): (record: RawRecord) => ReadRecord {
  let columns: readonly string[] | undefined

  function rowOf(cells: readonly string[]): JsonObject | undefined {
    if (!columns) throw new Error('the first row must contain the names of the columns')
    if (cells.length !== columns.length) return undefined
    return Object.fromEntries(columns.map((name, index) => [name, cells[index]]))
  }

  function readColumns(cells: readonly string[] | undefined): ReadRecord {
    const email = origin?.source.csv ?? 'email'
    if (!cells?.includes(email))
      throw new OperatorError([`The first row of the file has no column "${email}".`])
    const twice = cells.find((name, index) => name !== '' && cells.indexOf(name) < index)
    if (twice !== undefined)
      throw new OperatorError([`The first row of the file has the column "${twice}" twice.`])
    columns = cells
    return EMPTY
  }

  function valueOf(text: string): unknown {
    if (format() !== 'csv') return parseJson(text)
    const cells = cellsOf(text)
    return cells && rowOf(cells)
  }

  return ({ content }) => {
    const noun = RECORD_NOUNS[format()]
    if (typeof content === 'string') return refusedRecord(content)
    if (!isUtf8(content)) return refusedRecord(`the ${noun} is not UTF-8`)
    const text = UTF8.decode(content)
    if (text.trim() === '') return EMPTY
    if (format() === 'csv' && !columns) return readColumns(cellsOf(text))
    const value = valueOf(text)
    if (value === undefined)
      return refusedRecord(
        format() === 'csv'
          ? 'the row has a misplaced quote, or a different number of cells than the first row'
          : `the ${noun} is not JSON`,
      )
    const twice = format() === 'csv' ? undefined : doubtfulKeys(text).find(({ rule }) => rule === TWICE)
    if (twice) return refusedRecord(`${pathText(twice.path)}: ${TWICE}`)
    return origin && isObject(value) ? readForeign(origin, value) : readUser(value)
  }
}

function readForeign({ source, mapRoles }: ImportOrigin, value: JsonObject): ReadRecord {
  const foreign = source.user(value)
  if (!foreign) return EMPTY
  if (foreign.problem !== undefined) return refusedRecord(foreign.problem)
  const read = readUser({
    ...present({ email: foreign.email, passwordHash: foreign.passwordHash }),
    roles: mapRoles(foreign.roles),
    ...((foreign.disabled ?? false) !== false && { disabled: foreign.disabled }),
    ...(foreign.totp && { totp: plainTotp(foreign.totp) }),
  })
  const id = textOf(foreign.id)
  return read.kind === 'user' && id !== '' ? { ...read, id } : read
}

function readUser(value: unknown): ReadRecord {
  const { success, data: user, error } = RECORD.safeParse(value)
  return success ? { kind: 'user', user } : refusedRecord(error.issues.map(sentenceOf).join('; '))
}

function plainTotp({ secret, algorithm, digits, period }: ForeignTotp) {
  return {
    ...present({ secret, algorithm }),
    ...(isPresent(digits) && { digits: Number(textOf(digits)) }),
    ...(isPresent(period) && { period: Number(textOf(period)) }),
  }
}

function present(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => isPresent(value)))
}

function refusedRecord(message: string): ReadRecord {
  return { kind: 'refused', message: message.slice(0, MESSAGE_MAX) }
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

const CELL = /(?:"(?<quoted>[^"]*(?:""[^"]*)*)"|(?<plain>[^",]*))(?:,|(?<end>$))/gy

/** Returns the cells of one CSV record (RFC 4180), or `undefined` if a quote is misplaced. */
export function cellsOf(text: string): readonly string[] | undefined {
  const cells: string[] = []
  for (const { groups = {} } of text.replace(/\r?$/, '').matchAll(CELL)) {
    const { quoted, plain, end } = groups
    cells.push(plain ?? quoted?.replaceAll('""', '"') ?? '')
    if (end !== undefined) return cells
  }
  return undefined
}
