import { OperatorError } from '../../../domain/refusal.js'

export const BYTE = {
  newline: 0x0a,
  return: 0x0d,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
}

/**
 * The possible positions of a byte: between records, inside a record, directly after a record, or at the beginning of a record that follows
 * an incomplete record.
 */
export const OUTSIDE = 0
export const INSIDE = 1
const END = 2
export const NEXT = 3
type Place = typeof OUTSIDE | typeof INSIDE | typeof END | typeof NEXT

/** The formats of a file: one JSON object per line, a JSON array of objects, or comma-separated values. */
export type FileFormat = keyof typeof RECORD_NOUNS

/** The noun that messages use for a record, by file format. */
export const RECORD_NOUNS = { lines: 'line', array: 'object', csv: 'row' } as const

export type Scanner = {
  readonly next: (byte: number) => Place
  /** If the file ends inside a record, returns the reason. Throws an `OperatorError` if the file has no array of records. */
  readonly end: () => string | undefined
  readonly format: () => FileFormat
}

type FormatScanner = Omit<Scanner, 'format'>

export type SourceFormats = {
  /** The key of the array of records, if the file is one JSON object. */
  readonly key?: string
  /** The name of the email column, if the file may be a CSV file; the first row contains the column names. */
  readonly csv?: string
}

const UTF_16 = 'The file is UTF-16. Convert it first: iconv -f UTF-16 -t UTF-8 FILE.'
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** Creates a scanner that detects the format at the first byte that is neither white space nor part of a byte order mark. */
export function createScanner({ key, csv }: SourceFormats): Scanner {
  let read = 0
  let format: FileFormat = 'lines'
  let scanner: FormatScanner | undefined

  function detect(byte: number): FormatScanner {
    if (byte === BYTE.openBracket || (byte === BYTE.openBrace && key !== undefined)) format = 'array'
    else if (csv !== undefined && byte !== BYTE.openBrace) format = 'csv'
    if (format === 'array') return createArrayScanner(key)
    return format === 'csv' ? createCsvScanner() : LINES
  }

  return {
    next(byte) {
      // UTF-16 begins with a byte order mark, or has a zero in the first or second byte of its first character.
      if (read < 2 && (byte === 0 || byte === 0xfe || byte === 0xff)) throw new OperatorError([UTF_16])
      const mark = BYTE_ORDER_MARK[read++]
      if (!scanner && (byte === mark || isSpace(byte))) return OUTSIDE
      scanner ??= detect(byte)
      return scanner.next(byte)
    },
    end: () => scanner?.end(),
    format: () => format,
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === BYTE.newline || byte === BYTE.return
}

const LINES: FormatScanner = {
  next: (byte) => (byte === BYTE.newline ? END : INSIDE),
  end: () => undefined,
}

/** RFC 4180: a quoted cell may contain line breaks and doubled quotes. */
function createCsvScanner(): FormatScanner {
  let isQuoted = false
  let previous: number = BYTE.comma
  return {
    next(byte) {
      const before = previous
      previous = byte
      if (isQuoted) isQuoted = byte !== BYTE.quote
      else if (byte === BYTE.newline) return END
      // The second of two quotes opens the cell again.
      else if (byte === BYTE.quote)
        isQuoted = before === BYTE.comma || before === BYTE.newline || before === BYTE.quote
      return INSIDE
    },
    end: () => (isQuoted ? 'the file ends inside a quoted cell' : undefined),
  }
}

const opens = (byte: number) => byte === BYTE.openBrace || byte === BYTE.openBracket
const closes = (byte: number) => byte === BYTE.closeBrace || byte === BYTE.closeBracket
const endsElement = (byte: number) => byte === BYTE.comma || byte === BYTE.closeBracket

/** Directly inside an object, a brace can only follow a colon; any other brace begins the next element. */
const isMisplacedBrace = (byte: number, previous: number) =>
  byte === BYTE.openBrace && previous !== BYTE.colon

const NAME_MAX = 64

/**
 * Finds the elements of an array that is at the top level of a file or at a key of its top-level object. A file may contain several such
 * arrays or objects, one after another. A missing bracket or quote damages only the element that contains it, if that element is an object;
 * a missing quote also damages the following elements of the same line.
 */
function createArrayScanner(key: string | undefined): FormatScanner {
  let depth = 0
  /** The nesting depth of the array's elements; 0 outside the array. */
  let elements = 0
  let isFound = false
  /** The first byte of the current element, or 0 between two elements. */
  let first = 0
  let isStray = false
  /** At most `NAME_MAX` characters of the last string outside the array, including a closing quote. */
  let name = ''
  let isString = false
  let isEscaped = false
  let previous = 0

  function nextInString(byte: number): void {
    if (elements === 0 && name.length < NAME_MAX) name += String.fromCharCode(byte)
    // A string in JSON contains no line break, so here the closing quote is missing.
    if (byte === BYTE.newline && elements > 0) isString = isEscaped = false
    else if (isEscaped) isEscaped = false
    else if (byte === BYTE.backslash) isEscaped = true
    else isString = byte !== BYTE.quote
  }

  function open(byte: number): void {
    const isValue = depth === 0 || previous === BYTE.colon
    if (depth < 2 && elements === 0 && !isValue) isStray = true
    depth += 1
    const isArray = depth === 1 || (depth === 2 && isValue && name === `${key}"`)
    if (elements > 0 || byte !== BYTE.openBracket || !isArray) return
    elements = depth
    isFound = true
  }

  function outside(byte: number): Place {
    if (byte === BYTE.quote) {
      isString = true
      name = ''
    } else if (opens(byte)) open(byte)
    else if (closes(byte)) depth = Math.max(0, depth - 1)
    else if (depth === 0) isStray = true
    previous = byte
    return OUTSIDE
  }

  function inArray(byte: number): Place {
    if (depth === elements && endsElement(byte)) {
      if (byte === BYTE.closeBracket) {
        depth -= 1
        elements = 0
      }
      first = 0
      return END
    }
    const isNext = first === BYTE.openBrace && depth === elements + 1 && isMisplacedBrace(byte, previous)
    if (isNext) return NEXT
    first ||= byte
    previous = byte
    if (byte === BYTE.quote) isString = true
    else if (opens(byte)) depth += 1
    // A surplus bracket belongs to its element, which is then not JSON.
    else if (closes(byte) && depth > elements) depth -= 1
    return INSIDE
  }

  return {
    next(byte) {
      if (isString) {
        nextInString(byte)
        return elements > 0 ? INSIDE : OUTSIDE
      }
      if (isSpace(byte)) return first === 0 ? OUTSIDE : INSIDE
      return elements > 0 ? inArray(byte) : outside(byte)
    },
    end() {
      if (!isFound) throw new OperatorError([`The file has no array "${key}".`])
      if (first !== 0) return 'the file ends inside this object'
      if (depth > 0) return 'the file ends before the end of its JSON'
      return isStray ? 'the JSON is damaged: it has text outside its array' : undefined
    },
  }
}
