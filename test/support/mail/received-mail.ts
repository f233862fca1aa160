export type Envelope = {
  /** The envelope's sender and recipients, as the server parsed them. */
  readonly from: string
  readonly to: readonly string[]
  /** Whether the message arrived over TLS, and the user name of the client. */
  readonly secure: boolean
  readonly user: string
  readonly greeting?: string
}

export type ReceivedMail = ReturnType<typeof readMail>

type Entity = { readonly headers: readonly (readonly [name: string, value: string])[]; readonly body: string }

/** Parses a multipart message with text and HTML, such as ours. */
export function readMail(raw: string, envelope: Envelope) {
  const message = entityOf(raw)
  const parts = partsOf(message)
  return {
    ...envelope,
    subject: header(message, 'subject'),
    text: bodyOf(parts, 'text/plain'),
    html: bodyOf(parts, 'text/html'),
    /** The headers of the message without the headers of its parts, decoded, in order. */
    headers: message.headers,
    raw,
  }
}

function entityOf(raw: string): Entity {
  const text = raw.replaceAll('\r\n', '\n')
  const end = text.indexOf('\n\n')
  const lines = text
    .slice(0, end)
    .replaceAll(/\n[ \t]+/g, ' ')
    .split('\n')
  const headers = lines.map((line) => {
    const [name = '', ...value] = line.split(':')
    return [name, decodeWords(value.join(':').trim())] as const
  })
  return { headers, body: text.slice(end + 2) }
}

function header({ headers }: Entity, name: string): string {
  return headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? ''
}

function partsOf(entity: Entity): Entity[] {
  const boundary = /^multipart\/.*boundary="?([^";]+)/.exec(header(entity, 'content-type'))?.[1]
  if (boundary === undefined) return [entity]
  const parts = `\n${entity.body}`.split(`\n--${boundary}`).slice(1, -1)
  return parts.flatMap((part) => partsOf(entityOf(part.replace(/^\n/, ''))))
}

function bodyOf(parts: readonly Entity[], type: string): string {
  const part = parts.find((one) => header(one, 'content-type').startsWith(type))
  if (!part) return ''
  const encoding = header(part, 'content-transfer-encoding').toLowerCase()
  if (encoding === 'base64') return Buffer.from(part.body, 'base64').toString('utf8').replaceAll('\r\n', '\n')
  if (encoding === 'quoted-printable') return decodeQuoted(part.body.replaceAll(/[ \t]*=\n/g, ''))
  return part.body
}

function decodeQuoted(text: string): string {
  const bytes = text.split(/(=[0-9A-F]{2})/i).map((piece, index) => {
    return index % 2 === 1 ? Buffer.from(piece.slice(1), 'hex') : Buffer.from(piece)
  })
  return Buffer.concat(bytes).toString('utf8')
}

/** RFC 2047; the white space between two encoded words is not part of the text. */
function decodeWords(text: string): string {
  const joined = text.replaceAll(/(\?=)\s+(?==\?)/g, '$1')
  return joined.replaceAll(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_whole, kind: string, word: string) => {
    const isBase64 = kind.toLowerCase() === 'b'
    return isBase64 ? Buffer.from(word, 'base64').toString('utf8') : decodeQuoted(word.replaceAll('_', ' '))
  })
}
