import { expect } from 'chai'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formatsPlugin from 'ajv-formats'
import type { Reply } from './client.js'

type Header = { required?: boolean }
type Described = { content?: Record<string, { schema: object }>; headers?: Record<string, Header> }
type Operation = { responses: Record<string, Described> }
export type ApiDocument = { paths: Record<string, Record<string, Operation>>; components: object }

/** Checks a live reply against the service's own description: status, headers and body. */
export type ReplyCheck = (method: string, path: string, reply: Reply) => void

const addFormats = formatsPlugin as unknown as (ajv: Ajv2020) => void

export function createReplyCheck(document: ApiDocument): ReplyCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats(ajv)
  ajv.addSchema(document, 'api')
  const compiled = new Map<string, ValidateFunction>()
  const validator = (pointer: string) => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `api#${pointer}` })
    compiled.set(pointer, known)
    return known
  }
  return (method, path, reply) => {
    const template = templateOf(document, path)
    const key = method === 'HEAD' ? 'get' : method.toLowerCase()
    const operation = template === undefined ? undefined : document.paths[template]?.[key]
    if (template === undefined || !operation) {
      expect([404, 405, 431, 400, 204, 200], `${method} ${path} is not described`).to.include(reply.status)
      return
    }
    const described = operation.responses[String(reply.status)]
    expect(described, `${method} ${template} answers an undescribed ${String(reply.status)}`).to.not.equal(
      undefined,
    )
    checkHeaders(described?.headers ?? {}, reply, `${method} ${path}`)
    if (method === 'HEAD') return
    if (!described?.content) {
      expect(reply.text, `${method} ${path} has a body that is not described`).to.equal('')
      return
    }
    const pointer = [
      'paths',
      template,
      key,
      'responses',
      String(reply.status),
      'content',
      'application/json',
      'schema',
    ]
    const validate = validator(
      pointer
        .map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
        .join(''),
    )
    expect(
      validate(reply.json),
      `${method} ${path} ${reply.text}: ${JSON.stringify(validate.errors)}`,
    ).to.equal(true)
  }
}

function templateOf(document: ApiDocument, path: string): string | undefined {
  const [plain = ''] = path.split('?')
  if (document.paths[plain]) return plain
  return /^\/v1\/pets\/[^/]+$/.test(plain) ? '/v1/pets/{petId}' : undefined
}

function checkHeaders(headers: Record<string, Header>, reply: Reply, where: string): void {
  for (const [name, { required }] of Object.entries(headers)) {
    if (required === true)
      expect(reply.headers[name.toLowerCase()], `${where} lacks ${name}`).to.not.equal(undefined)
  }
}
