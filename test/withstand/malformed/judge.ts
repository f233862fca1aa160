import { gunzipSync } from 'node:zlib'
import type { ReplyCheck } from '../../support/http/reply-check.js'
import type { Secrets } from '../../support/secrets.js'
import { isReadable, verdictOf, type Conversation, type Drawn } from './conversation.js'
import type { Outcome } from './exchange.js'
import type { StrictReply } from './strict-replies.js'

/** Told of a reply that has a beginning and no end. */
export const CUT_OFF = 'a reply was cut off'

/** What is told of a connection that went wrong; none where all is well. */
export type Judge = (conversation: Conversation, outcome: Outcome) => readonly string[]

/** Every status that the service says; of 5xx only that it is unavailable for now. */
const REFUSED = [400, 401, 403, 404, 405, 406, 408, 409, 412, 413, 415, 422, 429, 431, 503]
const SUCCEEDED = [200, 201, 204, 301, 304]
/** What tells of the program: frames of a stack, files, drivers. */
const INTERNAL =
  /\bat .{0,200}:\d+:\d+|node:internal|node_modules|\/dist\/|\.js:\d|SQLITE_|MongoServer|Error:/

export function createJudge(check: ReplyCheck, secrets: Secrets): Judge {
  return (conversation, outcome) => [
    ...ofConnection(conversation, outcome),
    ...outcome.replies.flatMap((reply) => ofReply(reply, secrets)),
    ...ofEnd(outcome),
    ...(conversation.bytes === undefined ? ofRequests(conversation, outcome, check) : []),
  ]
}

function ofConnection({ isHalfClosed }: Conversation, { isHanging, error, broken, rest }: Outcome): string[] {
  const problems: string[] = []
  if (isHanging) problems.push('neither an answer nor an end of the connection came')
  if (error !== undefined) problems.push(`the reply is no HTTP: ${error}`)
  if (broken === 'ECONNRESET') problems.push('the connection was reset')
  // Whose client half-closes its connection is owed nothing more: Node closes the other half then.
  const isCut = error === undefined && !isHalfClosed && rest !== '' && !isHeadOf(rest)
  if (isCut && !isHanging) problems.push(CUT_OFF)
  return problems
}

/** What HEAD is answered with ends where a body would begin, and nothing need come after it. */
function isHeadOf(rest: string): boolean {
  return rest.endsWith('\r\n\r\n')
}

function ofReply(reply: StrictReply, secrets: Secrets): string[] {
  const { status, body, headers } = reply
  const problems: string[] = []
  if (![...REFUSED, ...SUCCEEDED].includes(status)) problems.push(`it answers ${status}`)
  if (status < 400) return problems
  const text = `${headers.map((pair) => pair.join(': ')).join('\n')}\n${body}`
  const kind = secrets.foundIn(text)
  if (kind !== undefined) problems.push(`the reply holds a secret: ${kind}`)
  if (INTERNAL.test(text)) problems.push('the reply tells of the program')
  return [...problems, ...ofRefusal(reply)]
}

/** The form that every refusal has, whatever it is for. */
function ofRefusal({ status, headers, body }: StrictReply): string[] {
  const problems: string[] = []
  const one = (name: string) => headers.find(([known]) => known === name)?.[1]
  if (one('x-content-type-options') !== 'nosniff') problems.push(`a ${status} without its headers`)
  if (!/^[0-9a-f-]{36}$/.test(one('x-request-id') ?? '')) problems.push(`a ${status} without an id`)
  // To HEAD there is none.
  if (body === '') return problems
  if (one('content-type') !== 'application/json; charset=utf-8') problems.push(`a ${status} of another type`)
  if (!hasForm(body, status)) problems.push(`a ${status} of another form: ${body.slice(0, 200)}`)
  return problems
}

const FORMS = ['code,message', 'code,response,view', 'status']

function hasForm(body: string, status: number): boolean {
  try {
    const json = JSON.parse(body) as { code?: number }
    const isReadiness = status === 503 && json.code === undefined
    return FORMS.includes(Object.keys(json).sort().join()) && (json.code === status || isReadiness)
  } catch {
    return false
  }
}

/** After a reply that says so nothing comes. */
function ofEnd({ replies }: Outcome): string[] {
  const last = replies.findIndex(({ headers }) =>
    headers.some(([name, value]) => name === 'connection' && value === 'close'),
  )
  return last >= 0 && last < replies.length - 1 ? ['a reply came after the one that was to be the last'] : []
}

/** What is known of each request, until one may have been read in another way. */
function ofRequests({ requests }: Conversation, { replies }: Outcome, check: ReplyCheck): string[] {
  for (const [index, drawn] of requests.entries()) {
    const reply = replies[index]
    if (!reply) return []
    const problem = ofRequest(drawn, reply, check) ?? ofUnread(drawn, replies.length - index - 1)
    if (problem !== undefined) return [problem]
    if (!isReadable(drawn)) return []
  }
  return replies.length > requests.length ? ['there are more replies than requests'] : []
}

function ofRequest(drawn: Drawn, reply: StrictReply, check: ReplyCheck): string | undefined {
  const verdict = verdictOf(drawn)
  if (verdict !== undefined && reply.status < 400) return `it answers ${reply.status} where it has to refuse`
  // Late, where the machine is busy.
  if (verdict === 'unread' && ![400, 408, 431].includes(reply.status))
    return `it answers ${reply.status} to what cannot be read`
  // The server below the interface tells of what is late, whatever is described.
  if (reply.status === 408) return undefined
  return isReadable(drawn) ? undescribed(drawn, reply, check) : undefined
}

function ofUnread(drawn: Drawn, more: number): string | undefined {
  return verdictOf(drawn) === 'unread' && more > 0
    ? 'it answers what came after a request that cannot be read'
    : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function undescribed({ valid }: Drawn, reply: StrictReply, check: ReplyCheck): string | undefined {
  const { status, body } = reply
  const headers: Record<string, string | string[]> = {}
  for (const [name, value] of reply.headers) headers[name] = name === 'set-cookie' ? [value] : value
  const bytes = Buffer.from(body, 'latin1')
  const text = (headers['content-encoding'] === 'gzip' && body !== '' ? gunzipSync(bytes) : bytes).toString(
    'utf8',
  )
  try {
    check(valid.method, valid.target, { status, headers, rawHeaders: [], text, json: parsed(text) })
    return undefined
  } catch (error) {
    return `the reply is not as described: ${error instanceof Error ? error.message.slice(0, 300) : String(error)}`
  }
}
