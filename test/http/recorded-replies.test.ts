import { createHash } from 'node:crypto'
import { expect } from 'chai'
import { expectApproved } from '../support/approved.js'
import { templateOf } from '../support/http/reply-check.js'
import type { ApiDocument } from './description/configurations.js'
import { record, RECORDINGS, type Recording } from './recording.js'

const TESTED_ELSEWHERE = [
  // Not recorded, because it needs dozens of roles: see test/application/identity/renew-login.test.ts.
  'post /api/auth/refresh 403',
  // Not recorded, because it needs thousands of records: see test/http/administration/routes.test.ts.
  'post /api/auth/export-account 409',
  // Not recorded, because it needs an account without a password: see test/application/identity/passkeys/own-passkeys.test.ts.
  'post /api/auth/passkeys/remove 409',
]

/** Statuses that do not depend on the operation, or that other tests provoke. */
const GENERAL = ['405', '408', '413', '415', '429', '431', '500', '503']

for (const [name, services] of Object.entries(RECORDINGS))
  describe(`the responses of the HTTP interface in the recording ${name}`, () => {
    const recorded: Record<string, readonly Recording[]> = {}
    before(async () => {
      for (const [service, options] of Object.entries(services)) recorded[service] = await record(options)
    })

    it('match the recording', () => {
      expectApproved(`test/http/recorded-replies/${name}.txt`, shown(recorded))
    })

    if (name === 'odd-requests')
      it('leave every prototype unchanged', () => {
        expect(Object.prototype).to.not.have.property('polluted')
      })

    for (const [service, { isWhole }] of Object.entries(services))
      if (isWhole)
        it(`include every response in the API description and every failure example: ${service}`, () => {
          expect(missingReplies(recorded[service] ?? [])).to.deep.equal([])
        })
  })

function missingReplies(recordings: readonly Recording[]): readonly string[] {
  const document = recordings.find(({ path }) => path === '/openapi.json')?.reply.json as ApiDocument
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, { responses }]) =>
      Object.entries(responses).flatMap(([status, { content }]) => {
        const wanted = Number(status) < 400 ? '' : JSON.stringify(content?.['application/json']?.example)
        const isThere = recordings.some(
          (one) =>
            one.method.toLowerCase() === method &&
            String(one.reply.status) === status &&
            templateOf(document, one.path.split('?')[0] ?? '') === template &&
            (wanted === '' || one.reply.text === wanted),
        )
        const name = `${method} ${template} ${status}`
        return isThere || GENERAL.includes(status) || TESTED_ELSEWHERE.includes(name)
          ? []
          : [`${name} ${wanted}`]
      }),
    ),
  )
}

const EXPLANATION = [
  'Each reply is followed by the requests that get it; #2 is the second request with the same text.',
  'A body has its Content-Length, and each reply these headers, except where - and + show a difference:',
]

/**
 * Returns each distinct reply with the requests that get it, and with the services that send it, unless all services do.
 */
function shown(recorded: Readonly<Record<string, readonly Recording[]>>): readonly string[] {
  const headers = Object.values(recorded).flat().map(headersOf)
  const isUsual = (line: string) =>
    headers.filter((lines) => lines.includes(line)).length > headers.length / 2
  const usual = [...new Set(headers.flat())].filter(isUsual).sort()
  const replies = new Map<string, Map<string, string[]>>()
  for (const [service, recordings] of Object.entries(recorded)) {
    const earlier: string[] = []
    for (const one of recordings) {
      const line = requestLine(one)
      const count = earlier.filter((other) => other === line).length
      earlier.push(line)
      const reply = replyLines(one, usual).join('\n')
      const request = count === 0 ? line : `${line} #${count + 1}`
      const requests = replies.get(reply) ?? new Map<string, string[]>()
      replies.set(reply, requests.set(request, [...(requests.get(request) ?? []), service]))
    }
  }
  const all = Object.keys(recorded).length
  const blocks = [...replies].flatMap(([reply, requests]) => [
    reply,
    ...[...requests].map(([one, names]) => `  ${names.length === all ? '' : `[${names.join(', ')}] `}${one}`),
  ])
  return [...EXPLANATION, ...usual.map((line) => `  ${line}`), ...blocks]
}

/** Returns the status and the body, each usual header that is missing (`-`), and each unusual header (`+`). */
function replyLines(one: Recording, usual: readonly string[]): readonly string[] {
  const { path, reply } = one
  // `interface.txt` already covers the content of the description.
  const body = path === '/openapi.json' && reply.text !== '' ? '(the description)' : decoded(reply.text)
  const length = body === '' ? '' : `content-length: ${Buffer.byteLength(body)}`
  const headers = headersOf(one).filter((line) => line !== length)
  return [
    `${reply.status} ${body}`.trimEnd(),
    ...usual.filter((line) => !headers.includes(line)).map((line) => `- ${line}`),
    ...headers.filter((line) => !usual.includes(line)).map((line) => `+ ${line}`),
  ]
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

/** Shows tokens as header and claims, API keys and challenges as their length, and pictures as their digest; hides mailed tokens. */
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
    .replaceAll(/("(?:resetToken|token|code)":")[\w-]{8,}"/g, '$1(mailed)"')
    .replaceAll(/("requestId":")[\w-]{36}"/g, '$1(a UUID)"')
    .replaceAll(
      /("challenge":")([\w-]+)"/g,
      (_all, name: string, one: string) => `${name}(${one.length} characters)"`,
    )
    .replaceAll(/(sid-(?:proof|passkey)=)[\w-]{43}/g, '$1(43 characters)')
    .replaceAll(/<svg .*?<\/svg>/g, (picture) => `(picture of SHA-256 ${digestOf(picture)})`)
}

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url')
