import { actionOf } from '../../../src/http/endpoint.js'
import { ENDPOINTS } from '../../../src/http/endpoints.js'
import { apiDescription } from '../../../src/http/description/document.js'
import type { HttpPermissions, HttpSettings } from '../../../src/http/parts.js'
import type { GrantedTo } from '../../../src/domain/access/permissions.js'
import { httpSettings } from '../../support/http/settings.js'

type Json = Record<string, unknown>

/** A schema or a reference to a schema. */
export type Schema = Json
export type Header = { description?: string; required?: boolean; schema: Schema; example?: unknown }
export type Media = { schema: Schema; example?: unknown }
type Response = {
  description: string
  headers: Record<string, Header | { $ref: string }>
  content?: Record<string, Media>
}
export type Parameter = {
  in: string
  name: string
  description?: string
  required?: boolean
  example?: unknown
  schema: Schema
}
export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  'x-granted-to'?: GrantedTo
  parameters?: Parameter[]
  security: Record<string, string[]>[]
  requestBody?: { required: boolean; content: Record<string, Media> }
  responses: Record<string, Response>
}
export type ApiDocument = {
  openapi: string
  info: Readonly<Record<string, unknown>>
  servers: readonly { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    headers: Record<string, Header>
    securitySchemes: Record<string, Json>
  }
}

const PUBLIC_KEY = {
  kty: 'OKP',
  crv: 'Ed25519',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  kid: 'kid-of-a-key',
  use: 'sig',
  alg: 'EdDSA',
} as const

/** Permits every action to these callers. */
function allTo(callers: GrantedTo): HttpPermissions {
  const actions = ENDPOINTS.flatMap((endpoint) => actionOf(endpoint) ?? [])
  return Object.fromEntries(actions.map((action) => [action, callers])) as HttpPermissions
}

/** Settings that change the description, one by one. */
export const CONFIGURATIONS = {
  'the default': {},
  stateless: { stateless: true },
  'other headers': { authorizationHeader: 'X-Token', petsApiKeyHeader: 'X-Kennel-Key' },
  'the standard header': { authorizationHeader: 'Authorization' },
  'another cookie': {
    publicUrl: 'https://pets.kennel.test',
    cookie: { name: 'my.kennel', secure: true, sameSite: 'none' },
  },
  'listed origins and https': {
    publicUrl: 'https://pets.kennel.test',
    corsOrigins: ['https://app.kennel.test', 'capacitor://localhost'],
    cookie: { name: 'sid', secure: true, sameSite: 'lax' },
  },
  'both credentials for pets': { petsSecurity: 'all' },
  'limited attempts': { limitsAttempts: true },
  'limited attempts and API keys alone': { limitsAttempts: true, petsSecurity: 'key' },
  'longer passwords': { passwordMinLength: 15 },
  'remembered logins': { rememberLogin: true },
  passkeys: { passkeyDomain: { rpId: 'kennel.example', relatedOrigins: ['https://kennel.test'] } },
  'administration over HTTP': { administration: 'on' },
  'nothing permitted': { grantedTo: allTo('nobody') },
  'everything permitted to everyone': { grantedTo: allTo('everyone') },
  'public keys': { publicKeys: [PUBLIC_KEY, { ...PUBLIC_KEY, kid: 'key-of-before' }] },
  'stateless with public keys, listed origins and https': {
    stateless: true,
    publicKeys: [PUBLIC_KEY],
    publicUrl: 'https://pets.kennel.test',
    corsOrigins: ['https://app.kennel.test'],
  },
} satisfies Record<string, Partial<HttpSettings>>

export function described(settings: Partial<HttpSettings> = {}): ApiDocument {
  return JSON.parse(JSON.stringify(apiDescription(httpSettings(settings), ENDPOINTS))) as ApiDocument
}

export function operationsOf({ paths }: ApiDocument): { where: string; operation: Operation }[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ where: `${method} ${path}`, operation })),
  )
}
