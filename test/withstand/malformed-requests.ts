import { ENDPOINTS } from '../../src/http/endpoints.js'
import type { Held } from '../support/http/browser.js'
import type { Random } from './random.js'

/** The parts of a request. Each character is one byte. */
type Draft = {
  readonly method: string
  readonly target: string
  readonly headers: readonly string[]
  readonly body: string
}

type Mutation = (draft: Draft, random: Random) => Draft

export type Attacker = {
  readonly held: Held
  readonly apiKey: string
  readonly email: string
  readonly password: string
}

const words = (text: string) => text.trim().split(/ |\n */)
const lines = (text: string) => text.trim().split(/\n */)

/** Bodies that no endpoint expects; some are not JSON. */
const VALUES: readonly string[] = [
  ...words(String.raw`
    null true -0 1e309 9007199254740993 0x10 NaN {} [] [[]] "" " "<script>" "../../etc/passwd" {"$gt":""}
    "\u0000" "\ud800" "\u202e" {"__proto__":{"roles":["admin"]}} "'--"`),
  ...['"\xf0\x9f\x90\xb6"', '"\xff\xfe"', '" "', `"${'a'.repeat(5_000)}"`, '['.repeat(5_000)],
]
const TARGETS: readonly string[] = [
  ...words(`
    * / // /../.. /%00 /% /%zz /v1/pets/%2e%2e /v1/pets/0 /v1/pets/-1 /v1/pets/1e3 http:// /openapi.json?x
    http://evil.example/v1/pets /v1/pets?limit=7 /v1/pets?limit=7&limit=8 /v1/pets?limit=%00 /\xff
    /v1/pets?cursor=AAAA /v1/pets?ids=1,2,,x /v1/pets/99999999999999999999 /docs/..%2f..%2fpackage.json
    /.well-known/jwks.json/ /api/auth/login#x`),
  ...['/api/auth/get-identity?\t', `/${'a'.repeat(9_000)}`],
]
const HEADERS: readonly string[] = [
  ...lines(`
    Accept: */*;q=2
    Accept: text/html
    Content-Type: text/plain
    Content-Type: application/json; charset=utf-7
    Content-Type: ;;;
    Content-Encoding: gzip
    Expect: 100-continue
    Expect: tea
    Origin: null
    If-Match: *
    If-Match: W/"1-1"
    If-Match: "
    If-None-Match: ,,,
    Cookie: sid
    Cookie: sid=%
    X-Authorization: Bearer
    X-Authorization: Bearer a.b.c
    Authorization: Basic %%%
    Authorization: Basic Og==
    X-API-Key: \xff
    X-Forwarded-For: 1.2.3.4, , ::
    X: \x01
    : empty
    No colon
    Transfer-Encoding: chunked
    Transfer-Encoding: gzip, chunked
    Content-Length: 5
    Content-Length: -1
    Content-Length: 1, 2
    Content-Length: 99999999999
    Range: bytes=0-
    TE: trailers
    Date: never`),
  ...['Accept: ', 'Host: ', 'Idempotency-Key: ', ' folded: yes'],
  ...['Upgrade: h2c\r\nConnection: Upgrade', 'Host: a\r\nHost: b'],
  `Accept: ${'a/b,'.repeat(2_000)}`,
  `Cookie: ${'a=b; '.repeat(1_500)}`,
  `Idempotency-Key: ${'k'.repeat(300)}`,
]
const METHODS = [...words('GET POST PATCH DELETE PUT HEAD OPTIONS TRACE CONNECT get PROPFIND'), 'G\xc3T', '']

const MUTATIONS: readonly Mutation[] = [
  (draft, random) => ({ ...draft, body: withValue(draft.body, random) }),
  (draft, random) => ({ ...draft, body: withValue(draft.body, random) }),
  (draft, random) => ({ ...draft, body: random.pick(VALUES) }),
  (draft, random) => ({ ...draft, target: random.pick(TARGETS) }),
  (draft, random) => ({ ...draft, headers: [...draft.headers, random.pick(HEADERS)] }),
  (draft, random) => ({ ...draft, headers: [...draft.headers, random.pick(HEADERS)] }),
  (draft, random) => ({ ...draft, headers: draft.headers.filter(() => random.below(2) === 0) }),
  (draft, random) => ({ ...draft, method: random.pick(METHODS) }),
]

/** Returns the bytes of a request with one to three faults. */
export function malformedRequest(attacker: Attacker, random: Random): Buffer {
  let draft = validRequest(attacker, random)
  for (let count = 1 + random.below(3); count > 0; count -= 1) draft = random.pick(MUTATIONS)(draft, random)
  const text = rendered(draft, random)
  return Buffer.from(random.below(4) === 0 ? damaged(text, random) : text, 'latin1')
}

function validRequest({ held, apiKey, email, password }: Attacker, random: Random): Draft {
  const { method, path, body } = random.pick(ENDPOINTS)
  const [type, content] = Object.entries(body?.content ?? {})[0] ?? []
  const credentials = path.startsWith('/v1/')
    ? [`X-API-Key: ${apiKey}`]
    : [`Cookie: ${String(held.cookie)}`, `X-Authorization: Bearer ${String(held.accessToken)}`]
  const json = path.endsWith('/login') ? { email, password } : (content?.example ?? {})
  return {
    method,
    target: path.replace(/:\w+/, String(9_000_000 + random.below(20))),
    headers: ['Host: kennel.test', ...(type === undefined ? [] : [`Content-Type: ${type}`]), ...credentials],
    body: type === undefined ? '' : JSON.stringify(json),
  }
}

/** Replaces, removes or adds a member in a JSON object given as text. */
function withValue(body: string, random: Random): string {
  const members = body.slice(1, -1).split(',')
  const at = random.below(members.length)
  const name = /^"\w+"/.exec(members[at] ?? '')?.[0] ?? '"name"'
  const member = `${name}: ${random.pick(VALUES)}`
  const changed = [
    [member],
    [],
    [member, members[at] ?? ''],
    [`"__proto__": ${random.pick(VALUES)}`, members[at] ?? ''],
  ]
  return `{${[...members.slice(0, at), ...random.pick(changed), ...members.slice(at + 1)].join(',')}}`
}

function rendered({ method, target, headers, body }: Draft, random: Random): string {
  const framing = [
    `Content-Length: ${String(body.length)}`,
    `Content-Length: ${String(body.length + random.below(20))}`,
    'Transfer-Encoding: chunked',
  ]
  const length = body === '' ? [] : [framing[Math.max(0, random.below(12) - 9)] ?? '']
  return [`${method} ${target} HTTP/1.1`, ...headers, ...length, '', body].join('\r\n')
}

/** Changes, removes, adds or repeats bytes, or cuts the request off. */
function damaged(text: string, random: Random): string {
  const at = random.below(text.length)
  const byte = String.fromCharCode(random.below(256))
  const [before, after] = [text.slice(0, at), text.slice(at)]
  return random.pick([
    before,
    before + byte + after,
    before + byte + after.slice(1),
    before + after.slice(1),
    text + after,
  ])
}
