import { actionOf } from '../../src/http/endpoint.js'
import { ENDPOINTS } from '../../src/http/endpoints.js'
import type { HttpSettings } from '../../src/http/parts.js'
import { expectApproved } from '../support/approved.js'
import { httpSettings } from '../support/http/settings.js'
import {
  CONFIGURATIONS,
  described,
  type ApiDocument,
  type Media,
  type Operation,
  type Schema,
} from './description/configurations.js'

/** Parts of the interface, keyed by their titles, such as `POST /api/auth/login`. Each part is a list of lines. */
type Parts = ReadonlyMap<string, readonly string[]>

describe('the HTTP interface', () => {
  it('matches the approved snapshot in each configuration', () => {
    expectApproved('test/http/interface.txt', approvable())
  })
})

/** The lines of each part in the default configuration, then the lines that other configurations add (`+`) or remove (`-`). */
function approvable(): readonly string[] {
  const [usual = new Map<string, never>(), ...others] = Object.values(CONFIGURATIONS).map((settings) =>
    partsOf(settings),
  )
  const names = Object.keys(CONFIGURATIONS).slice(1)
  return [
    ...[...usual].flatMap(([title, lines]) => [`# ${title}`, ...lines, '']),
    ...others.flatMap((parts, index) => [
      `# In the configuration "${names[index]}"`,
      ...changesOf(usual, parts),
      '',
    ]),
  ]
}

/** Returns the changed lines, each below the titles of the parts in which it changed. */
function changesOf(before: Parts, after: Parts): readonly string[] {
  const titlesOf = new Map<string, string[]>()
  const linesOf = new Map<string, string[]>()
  for (const title of new Set([...before.keys(), ...after.keys()])) {
    const [old, current] = [before.get(title) ?? [], after.get(title) ?? []]
    const removed = old.filter((line) => !current.includes(line)).map((line) => `  - ${line}`)
    const added = current.filter((line) => !old.includes(line)).map((line) => `  + ${line}`)
    for (const line of [...removed, ...added]) titlesOf.set(line, [...(titlesOf.get(line) ?? []), title])
  }
  for (const [line, titles] of titlesOf) {
    const heading = titles.join(', ')
    linesOf.set(heading, [...(linesOf.get(heading) ?? []), line])
  }
  return [...linesOf].flatMap(([heading, lines]) => [heading, ...lines])
}

function partsOf(settings: Partial<HttpSettings>): Parts {
  const document = described(settings)
  const { components, openapi, tags, info, servers } = document
  const usual = usualFailures(document)
  const offered = ENDPOINTS.filter(({ isOffered }) => isOffered?.(httpSettings(settings)) ?? true)
  const endpoints = offered.map((endpoint) => {
    const { method, path } = endpoint
    const operation = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    const shown = operation ? operationLines(operation, components.headers, usual) : ['not described']
    const permission = `permission: ${actionOf(endpoint) ?? 'none'}, permitted to ${operation?.['x-granted-to'] ?? 'all'}`
    return [
      `${method} ${path}`,
      [permission, `operation: ${endpoint.operation ?? 'none'}`, ...shown],
    ] as const
  })
  return new Map<string, readonly string[]>([
    ['The document', [openapi, { ...info, version: '(of the package)' }, servers, ...tags].map(text)],
    ['Failures that several endpoints share', [...usual].map(([status, said]) => `${status} ${said}`)],
    ['Headers of every reply', membersOf(components.headers)],
    ['Credentials', membersOf(components.securitySchemes)],
    ...endpoints,
    ...Object.entries(components.schemas).map(
      ([id, schema]) => [`Schema ${id}`, schemaLines(schema)] as const,
    ),
  ])
}

function operationLines(
  {
    operationId,
    summary,
    description = '',
    tags,
    security,
    parameters = [],
    requestBody,
    responses,
  }: Operation,
  usualHeaders: object,
  usual: ReadonlyMap<string, string>,
): readonly string[] {
  const credentials = security.map((one) => Object.keys(one).join(' and ') || 'none').join(', or ')
  const failures = Object.entries(responses).filter(([status]) => Number(status) >= 400)
  const shared = failures.filter(([status, { content }]) => usual.get(status) === messageIn(content))
  return [
    `${operationId} (${tags.join()}): ${summary}. ${description}`.trim(),
    `credentials: ${credentials}`,
    ...parameters.map(
      (one) =>
        `${one.in} ${one.name}${one.required ? '' : '?'}: ${text(one.schema)}${'description' in one.schema ? '' : ` ${one.description}`}`,
    ),
    ...bodyLines(`body${requestBody?.required ? '' : '?'}`, requestBody?.content),
    ...Object.entries(responses).flatMap(([status, { description: meaning, headers, content }]) => {
      const own = Object.entries(headers).filter(([name]) => !(name in usualHeaders))
      const shownHeaders = own.map(([name, header]) => `${status} header ${name}: ${text(header)}`)
      if (Number(status) >= 400)
        return shared.some(([one]) => one === status)
          ? []
          : [`${status} ${messageIn(content)}`, ...shownHeaders]
      return [`${status} ${meaning}`, ...bodyLines(status, content), ...shownHeaders]
    }),
    `failures: ${[...new Set(failures.map(([, { content }]) => schemaOf(content)))].join(' or ')}`,
    `shared failures: ${shared.map(([status]) => status).join(', ')}`,
  ]
}

/** The most frequent error message of each status. */
function usualFailures({ paths }: ApiDocument): ReadonlyMap<string, string> {
  const counts = new Map<string, number>()
  for (const { responses } of Object.values(paths).flatMap((methods) => Object.values(methods)))
    for (const [status, { content }] of Object.entries(responses)) {
      const said = `${status} ${messageIn(content)}`
      if (Number(status) >= 400) counts.set(said, (counts.get(said) ?? 0) + 1)
    }
  // The most frequent message of a status comes last, so it remains in the map.
  const common = [...counts].filter(([, count]) => count > 2).sort(([, one], [, other]) => one - other)
  return new Map([...new Map(common.map(([said]) => [said.slice(0, 3), said.slice(4)]))].sort())
}

/** Returns the messages in the example of an error response. */
function messageIn(content: Record<string, Media> = {}): string {
  type Failure = {
    message?: string
    view?: { messages: readonly Record<'field' | 'message' | 'type', string>[] }
  }
  const { message, view } = (content['application/json']?.example ?? {}) as Failure
  return view ? view.messages.map((one) => `${one.field} ${one.message}`.trim()).join('; ') : String(message)
}

function schemaOf(content: Record<string, Media> = {}): string {
  return text(content['application/json']?.schema)
}

function bodyLines(what: string, content: Record<string, Media> = {}): readonly string[] {
  return Object.entries(content).map(([type, { schema }]) => `${what} ${type}: ${text(schema)}`)
}

function schemaLines({ properties = {}, ...rest }: Schema): readonly string[] {
  return [text(rest), ...membersOf(properties as object)]
}

const membersOf = (members: object) =>
  Object.entries(members).map(([name, value]) => `${name}: ${text(value)}`)

/** Formats as compact JSON, without the service's address, and with references shortened to their names. */
function text(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(/\{"\$ref":"#\/components\/\w+\/([^"]+)"\}/g, '$1')
    .replaceAll(/https?:\/\/(?:127\.0\.0\.1:3000|pets\.kennel\.test)/g, 'PUBLIC_URL')
}
