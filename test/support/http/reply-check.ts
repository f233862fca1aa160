import { expect } from 'chai'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import type { Reply } from './client.js'

type Header = { required?: boolean; schema: object }
type Described = {
  content?: Record<string, { schema: object }>
  headers?: Record<string, Header | { $ref: string }>
}
type CommandContext = { responses: Record<string, Described> }
export type ApiDocument = {
  paths: Record<string, Record<string, CommandContext>>
  components: { headers?: Record<string, Header> }
}

/**
 * Checks a reply against the service's API description: status, body and headers must be described, and nothing
 * required may be missing.
 */
export type ReplyCheck = (method: string, path: string, reply: Reply) => void

/** Headers that need no description, because they belong to the connection or the body. Content-Type is checked separately. */
const TRANSPORT = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'content-type']
/** The statuses of the router's replies to OPTIONS and preflight requests; they are the same for all routes. */
const OPTIONS_STATUSES = [200, 204]
/** HTML pages are not part of the described interface. */
const PAGES = /^\/(?:(?:docs|admin|pages|login|sign-up|reset-password|confirm|account)(?:\/.*)?)?$/

/** Proxies send absolute URLs. */
const ABSOLUTE = /^https?:\/\/[^/]+/

/** The test service's address, which a description contains only in examples and `servers`. */
const ADDRESS = /http:\/\/127\.0\.0\.1:\d+/g

const known = new Map<string, ReplyCheck>()

/** Removes the test service's port, which differs in each run, from a string. */
export function withoutPort(text: string): string {
  return text.replaceAll(ADDRESS, 'http://kennel.test')
}

/** Returns the check for the text of a description; the check is cached for all services with the same description. */
export function replyCheckBy(description: string): ReplyCheck {
  const text = withoutPort(description)
  const check = known.get(text) ?? createReplyCheck(JSON.parse(text) as ApiDocument)
  known.set(text, check)
  return check
}

const addFormats = formatsPlugin as unknown as (ajv: Ajv2020) => void

function createReplyCheck(document: ApiDocument): ReplyCheck {
  const validator = createValidator(document)
  return (method, path, reply) => {
    const [plain = ''] = path.replace(ABSOLUTE, '').split('?')
    const template = templateOf(document, plain)
    const where = `${method} ${path}`
    if (template === undefined) checkUndescribed(where, plain, reply)
    else if (method === 'OPTIONS') expect(reply.status, where).to.be.oneOf(OPTIONS_STATUSES)
    else {
      const described = describedReply(document, { template, method, where }, reply.status)
      checkHeaders(document, described.reply, reply, where)
      if (method === 'HEAD') expect(reply.text, where).to.equal('')
      else checkBody(validator, described, reply, where)
    }
  }
}

function checkUndescribed(where: string, path: string, { status }: Reply): void {
  // Headers that are too large are reported before the path is read.
  if (!PAGES.test(path)) expect(status, `${where} is not described`).to.be.oneOf([404, 431])
}

type Inputs = { readonly template: string; readonly method: string; readonly where: string }
type Found = { readonly reply: Described; readonly pointer: readonly string[] }

/** The 405 for an unsupported method is described under another method of the same path. */
function describedReply(document: ApiDocument, { template, method, where }: Inputs, status: number): Found {
  const operations = document.paths[template] ?? {}
  const key = method === 'HEAD' ? 'get' : method.toLowerCase()
  const known = operations[key] !== undefined
  if (!known) expect(status, `${where} is not described`).to.be.oneOf([405, 431])
  const shown = known ? key : (Object.keys(operations)[0] ?? '')
  const reply = operations[shown]?.responses[String(status)]
  if (!reply) throw new Error(`${where} answers an undescribed ${String(status)}`)
  return { reply, pointer: ['paths', template, shown, 'responses', String(status)] }
}

function checkBody(validator: Validator, { reply, pointer }: Found, given: Reply, where: string): void {
  const type = given.headers['content-type']
  if (!reply.content) {
    expect(given.text, `${where} has a body that is not described`).to.equal('')
    expect(type, `${where} has a type and no body`).to.equal(undefined)
    return
  }
  expect(type, where).to.equal('application/json; charset=utf-8')
  expect(reply.content, where).to.have.property('application/json')
  const validate = validator([...pointer, 'content', 'application/json', 'schema'])
  expect(validate(given.json), `${where} ${given.text}: ${JSON.stringify(validate.errors)}`).to.equal(true)
}

type Validator = (pointer: readonly string[]) => ValidateFunction

function createValidator(document: ApiDocument): Validator {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats(ajv)
  ajv.addSchema(document, 'api')
  const compiled = new Map<string, ValidateFunction>()
  return (parts) => {
    const pointer = parts
      .map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
      .join('')
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` })
    compiled.set(pointer, known)
    return known
  }
}

/** Returns the described path, which may have parameters. */
export function templateOf({ paths }: ApiDocument, path: string): string | undefined {
  if (paths[path]) return path
  return Object.keys(paths).find((template) => {
    const parts = template.split('/')
    const given = path.split('/')
    return (
      parts.length === given.length &&
      parts.every((part, at) => (part.startsWith('{') ? given[at] !== '' : part === given[at]))
    )
  })
}

const headerAjv = new Ajv2020({ strict: false, coerceTypes: true })
const headerSchemas = new Map<string, ValidateFunction>()

function checkHeaders(document: ApiDocument, { headers = {} }: Described, reply: Reply, where: string): void {
  const given = new Map(Object.entries(reply.headers).filter(([name]) => !TRANSPORT.includes(name)))
  for (const [name, header] of Object.entries(headers)) {
    const { required = false, schema } = resolved(document, header)
    const values = given.get(name.toLowerCase())
    given.delete(name.toLowerCase())
    if (values === undefined) expect(required, `${where} lacks ${name}`).to.equal(false)
    else for (const value of [values].flat()) checkHeader(schema, value, `${where}: ${name}`)
  }
  expect([...given.keys()], `${where} ${String(reply.status)} has headers that are not described`).to.be.empty
}

function checkHeader(schema: object, value: string, where: string): void {
  const key = JSON.stringify(schema)
  const validate = headerSchemas.get(key) ?? headerAjv.compile({ properties: { value: schema } })
  headerSchemas.set(key, validate)
  expect(validate({ value }), `${where}: ${value} is not ${key}`).to.equal(true)
}

function resolved({ components }: ApiDocument, header: Header | { $ref: string }): Header {
  if (!('$ref' in header)) return header
  const found = components.headers?.[header.$ref.replace('#/components/headers/', '')]
  if (!found) throw new Error(`${header.$ref} leads nowhere`)
  return found
}
