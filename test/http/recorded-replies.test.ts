import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { expectApproved } from '../support/approved.js'
import { templateOf } from '../support/http/reply-check.js'
import type { ApiDocument } from './description/configurations.js'
import { record, RECORDINGS, type Recording } from './recording.js'

/** It needs dozens of roles: see `identity/stateless.test.ts`. */
const TESTED_ELSEWHERE = 'post /api/auth/refresh 403'

/** Statuses that do not depend on the operation, or that other tests provoke. */
const GENERAL = ['405', '408', '413', '415', '429', '431', '500', '503']

for (const [name, recorded] of Object.entries(RECORDINGS))
  describe(`the replies of the HTTP interface in the recording ${name}`, () => {
    let recordings: readonly Recording[]
    before(async () => {
      recordings = await record(recorded)
    })

    it('match the recording', () => {
      expectApproved(`test/http/recorded-replies/${name}.txt`, shown(recordings))
    })

    if (name === 'odd-requests')
      it('leave every prototype unchanged', () => {
        expect(Object.prototype).to.not.have.property('polluted')
      })

    if (recorded.isWhole)
      it('include every reply that the description names, with the examples of failures', () => {
        const document = recordings.find(({ path }) => path === '/openapi.json')?.reply.json as ApiDocument
        const missing = Object.entries(document.paths).flatMap(([template, methods]) =>
          Object.entries(methods).flatMap(([method, { responses }]) =>
            Object.entries(responses).flatMap(([status, { content }]) => {
              const example = content?.['application/json']?.example
              const replies = recordings.filter(
                (one) =>
                  one.method.toLowerCase() === method &&
                  String(one.reply.status) === status &&
                  templateOf(document, one.path.split('?')[0] ?? '') === template,
              )
              const wanted = Number(status) < 400 ? '' : JSON.stringify(example)
              const isThere = replies.some(({ reply }) => wanted === '' || reply.text === wanted)
              const name = `${method} ${template} ${status}`
              return isThere || GENERAL.includes(status) || name === TESTED_ELSEWHERE
                ? []
                : [`${name} ${wanted}`]
            }),
          ),
        )
        expect(missing).to.deep.equal([])
      })
  })

/** First the header lines that most replies have; each reply shows the lines that it adds to them or lacks. */
function shown(recordings: readonly Recording[]): readonly string[] {
  const counts = new Map<string, number>()
  const headers = recordings.map(headersOf)
  for (const line of headers.flat()) counts.set(line, (counts.get(line) ?? 0) + 1)
  const usual = [...counts].flatMap(([line, count]) => (count > recordings.length / 2 ? [line] : [])).sort()
  const replies = recordings.map((one, index) => {
    const given = headers[index] ?? []
    const lacking = usual.filter((line) => !given.includes(line)).map((line) => `  without ${line}`)
    const added = given.filter((line) => !usual.includes(line)).map((line) => `  ${line}`)
    return ['', requestLine(one), String(one.reply.status), ...lacking, ...added, ...bodyOf(one)]
  })
  return ['Every reply has these headers, unless it says otherwise:', ...usual, ...replies.flat()]
}

function requestLine({ client, method, path, json, call: { headers = {}, body } }: Recording): string {
  const bytes = typeof body === 'object' ? '(bytes)' : (body ?? '')
  const text = json === undefined ? bytes : JSON.stringify(json)
  const sent = Object.entries(headers).map(([name, value]) => ` [${name}: ${String(value)}]`)
  const line = decoded(`${client}: ${method} ${path}${sent.join('')} ${text}`).trimEnd()
  return line.length <= 400 ? line : `${line.slice(0, 100)}… (${line.length} characters)`
}

/** Headers of the connection, not of the reply. */
const CONNECTION = ['date', 'connection', 'keep-alive', 'transfer-encoding']
/** Headers that change with the content. */
const OF_CONTENT = ['content-length', 'etag']
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

function headersOf({ path, reply: { rawHeaders } }: Recording): readonly string[] {
  const lines: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase()
    const value = rawHeaders[index + 1] ?? ''
    const stable = name === 'x-request-id' ? value.replace(UUID, '(a UUID)') : value
    if (CONNECTION.includes(name)) continue
    const isOfContent = path === '/openapi.json' && OF_CONTENT.includes(name)
    lines.push(`${name}: ${isOfContent ? '(changes with the description)' : decoded(stable)}`)
  }
  return lines.sort()
}

/** Omits the API description, because `interface.txt` approves its content. */
function bodyOf({ path, reply: { text } }: Recording): readonly string[] {
  if (text === '') return []
  return [path === '/openapi.json' ? '(the description)' : decoded(text)]
}

/** Shows the header and claims of a token, the length of an API key, no mailed token, and the digest of a picture. */
function decoded(text: string): string {
  return text
    .replaceAll(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, (token) => {
      const [header = '', claims = ''] = token
        .split('.')
        .map((part) => Buffer.from(part, 'base64url').toString())
      return `(token ${header} ${claims})`
    })
    .replaceAll(
      /(kennel_)([\w-]{42,})/gi,
      (_key, prefix: string, secret: string) => `${prefix}(${secret.length} characters)`,
    )
    .replace(/("resetToken":")[\w-]{43}"/, '$1(mailed)"')
    .replaceAll(/<svg .*?<\/svg>/g, (picture) => `(picture of SHA-256 ${digestOf(picture)})`)
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url')
