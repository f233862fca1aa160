import type { Random } from '../../random.js'

/** A request that is still taken apart. Texts are bytes: each character is one, U+0000 to U+00FF. */
export type Draft = {
  readonly method: string
  readonly target: string
  readonly version: string
  /** Whole lines without their ends, so that they may be no headers at all. */
  readonly headers: readonly string[]
  readonly body: string
  /** Whether the length is still to be said; else the headers say it in a way of their own. */
  readonly isMeasured: boolean
  /** Whether its endpoint reads a body, and nothing said before the body keeps it from that. */
  readonly takesBody: boolean
  /** What ends a line of the head. */
  readonly end: string
  /** Changes of the finished bytes. */
  readonly afterwards: readonly ((bytes: string) => string)[]
}

/**
 * What a mutation may change. With `content` and `headers` the request is as easy to read for HTTP as it was: its reply
 * is one that the description has for its endpoint.
 */
export type Level = 'content' | 'headers' | 'line' | 'framing' | 'bytes'

export type Mutation = {
  readonly name: string
  readonly level: Level
  /**
   * What follows for sure, if nothing of a later level is changed as well: `refused`, that a request cannot succeed
   * with it; `unread`, that it cannot be read either, so that its connection is closed; `refused-body`, `refused` where its
   * endpoint reads a body.
   */
  readonly verdict?: Verdict
  readonly apply: (draft: Draft, random: Random) => Draft
}

export type Verdict = 'refused' | 'unread' | 'refused-body'

/** The order in which mutations are made, whatever the order in which they were drawn. */
export const LEVELS: readonly Level[] = ['content', 'headers', 'line', 'framing', 'bytes']

export function render(draft: Draft): string {
  const { method, target, version, end, body, isMeasured } = draft
  const measured = isMeasured && body !== '' ? [`Content-Length: ${body.length}`] : []
  const line = [method, target, version].filter((part) => part !== '').join(' ')
  const head = [line, ...draft.headers, ...measured].map((one) => `${one}${end}`).join('')
  return draft.afterwards.reduce((bytes, change) => change(bytes), `${head}${end}${body}`)
}

export function withHeader(draft: Draft, ...lines: readonly string[]): Draft {
  return { ...draft, headers: [...draft.headers, ...lines] }
}

/** In the place of all headers of these names. */
export function replaceHeader(draft: Draft, name: string, ...lines: readonly string[]): Draft {
  return withHeader(withoutHeader(draft, name), ...lines)
}

export function withoutHeader(draft: Draft, name: string): Draft {
  const prefix = `${name.toLowerCase()}:`
  return { ...draft, headers: draft.headers.filter((line) => !line.toLowerCase().startsWith(prefix)) }
}

/** The bytes of a text in UTF-8. */
export function utf8(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1')
}

export function randomBytes(random: Random, length: number): string {
  return String.fromCharCode(...Array.from({ length }, () => random.below(256)))
}
