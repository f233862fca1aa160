/** One reply as it came. */
export type StrictReply = {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

/** What came on one connection, read by the letter of RFC 9112; nothing that it does not allow is read. */
export type StrictReplies = {
  /** Takes the next bytes, in latin1. */
  take(bytes: string): void
  /** Those that are complete, but for the ones that tell only that more is to come. */
  readonly replies: readonly StrictReply[]
  /** How many of those came. */
  readonly interim: number
  /** What is read of no reply yet. */
  readonly rest: string
  /** Why it is no HTTP. */
  readonly error: string | undefined
}

const STATUS_LINE = /^HTTP\/1\.1 ([1-5][0-9]{2}) [\t\x20-\x7e]*$/
const HEADER_LINE =
  /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):[\t ]*([\x21-\x7e\x80-\xff](?:[\t\x20-\x7e\x80-\xff]*[\x21-\x7e\x80-\xff])?)?[\t ]*$/
const NEXT = /^HTTP\/1\.1 /

export function createStrictReplies(): StrictReplies {
  const state = { replies: [] as StrictReply[], interim: 0, rest: '', error: undefined as string | undefined }
  return Object.assign(state, {
    take: (bytes: string) => {
      state.rest += bytes
      while (state.error === undefined && state.rest !== '') {
        const read = firstReply(state.rest)
        if (read === undefined) return
        if (typeof read === 'string') state.error = read
        else {
          state.rest = state.rest.slice(read.length)
          if (read.reply.status < 200) state.interim += 1
          else state.replies.push(read.reply)
        }
      }
    },
  })
}

type Read = { readonly reply: StrictReply; readonly length: number }

/** The first reply, `undefined` where more has to come, or what is wrong with it. */
function firstReply(text: string): Read | string | undefined {
  const headEnd = text.indexOf('\r\n\r\n')
  if (headEnd < 0) return undefined
  const [statusLine = '', ...lines] = text.slice(0, headEnd).split('\r\n')
  const status = Number(STATUS_LINE.exec(statusLine)?.[1])
  if (Number.isNaN(status)) return `no status line: ${statusLine.slice(0, 100)}`
  const headers: [string, string][] = []
  for (const line of lines) {
    const header = HEADER_LINE.exec(line)
    if (!header) return `no header: ${line.slice(0, 100)}`
    headers.push([(header[1] ?? '').toLowerCase(), header[2] ?? ''])
  }
  const rest = text.slice(headEnd + 4)
  const body = bodyOf(status, headers, rest)
  if (body === undefined || 'error' in body) return body?.error
  return { reply: { status, headers, body: body.text }, length: headEnd + 4 + body.length }
}

type Body = { readonly text: string; readonly length: number } | { readonly error: string } | undefined

const NONE: Body = { text: '', length: 0 }

/**
 * A reply to HEAD has no body whatever its length says, and which request it answers is not known for sure: no body
 * of ours begins like a reply.
 */
function bodyOf(status: number, headers: readonly (readonly [string, string])[], rest: string): Body {
  const lengths = headers.filter(([name]) => name === 'content-length')
  const codings = headers.filter(([name]) => name === 'transfer-encoding')
  if (lengths.length + codings.length > 1) return { error: 'its length is said twice' }
  if (status < 200 || status === 204 || status === 304) return NONE
  if (rest === '' || NEXT.test(rest)) return rest === '' && needsBody(lengths[0]?.[1]) ? undefined : NONE
  const [, length] = lengths[0] ?? []
  if (codings.length > 0)
    return codings[0]?.[1] === 'chunked' ? chunksOf(rest) : { error: 'an unknown coding' }
  if (length === undefined) return { error: 'its length is not said' }
  if (!/^[0-9]+$/.test(length)) return { error: `no length: ${length}` }
  return rest.length < Number(length)
    ? undefined
    : { text: rest.slice(0, Number(length)), length: Number(length) }
}

function needsBody(length: string | undefined): boolean {
  return length !== '0'
}

function chunksOf(rest: string): Body {
  let text = ''
  for (let at = 0; ;) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd < 0) return undefined
    const size = rest.slice(at, lineEnd)
    if (!/^[0-9a-f]+$/i.test(size)) return { error: `no chunk size: ${size.slice(0, 20)}` }
    const length = Number.parseInt(size, 16)
    const end = lineEnd + 2 + length
    if (rest.length < end + 2) return undefined
    if (rest.slice(end, end + 2) !== '\r\n') return { error: 'a chunk that does not end' }
    text += rest.slice(lineEnd + 2, end)
    at = end + 2
    if (length === 0) return { text, length: at }
  }
}
