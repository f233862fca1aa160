import * as z from 'zod'
import { noSuchAccount } from '../application/accounts/named-account.js'
import { wrongCredentials } from '../application/access/authenticate-api-key.js'
import { malformed, readArguments, type ObjectParser } from '../application/fields.js'
import { ADMINISTRATION } from '../application/operations.js'
import { ANONYMOUS, type ApiKeyIdentity, type Identity } from '../domain/access/caller.js'
import { unknownFields } from '../domain/messages.js'
import { PAGE_LIMIT_MAX, type PageLimit } from '../domain/page-limit.js'
import { positiveIntegerIn } from '../domain/parsed.js'
import { BAD_LIMIT, NO_USER } from './description/refusals.js'
import { loginRequirement, type Requirement } from './description/security.js'
import { permissionOf, type Description, type Endpoint, type EndpointParts } from './endpoint.js'
import type { Exchange, Stage, HttpReply } from './message.js'
import { keyset, queryOf, type PagedList } from './keyset.js'
import type { HttpUseCases, HttpSettings } from './parts.js'
import { readPetCredentials } from './request/credentials.js'
import { validate } from './schemas/validate.js'
import { identified, presentedSession } from './stages.js'

export const ADMINISTRATION_ROOT = '/api/admin'

type Name = keyof typeof ADMINISTRATION
type InputOf<N extends Name> = Parameters<HttpUseCases[N]>[0]
type AnswerOf<N extends Name> = Awaited<ReturnType<HttpUseCases[N]>>

/** The parts of a route that its operation does not define: the path, the description, and how the request and the reply are mapped. */
type Mapping<N extends Name> = Pick<Endpoint, 'body'> &
  Omit<Description, 'tag' | 'security'> & {
    /** Returns the operation's input, except the caller. The input is checked exactly like the input of a library call. */
    readonly input?: (exchange: Exchange) => object
    readonly reply: (
      answer: AnswerOf<N>,
      context: { readonly base: string; readonly exchange: Exchange; readonly asked: InputOf<N> },
    ) => HttpReply | Promise<HttpReply>
  }

export function isForOperators(operation: string): operation is Name {
  return Object.hasOwn(ADMINISTRATION, operation)
}

export function administratorRequirements(settings: HttpSettings): readonly Requirement[] {
  return [{ ApiKeyAuth: [] }, loginRequirement(settings)]
}

/** Declares the route of an operation. The caller may affect only what its own permissions cover (`within: 'caller'`). */
export function administration<N extends Name>(
  [method, path]: readonly [Endpoint['method'], string],
  operation: N,
  { input = () => ({}), reply, body, ...described }: Mapping<N>,
): Endpoint {
  const parser = ADMINISTRATION[operation].input as ObjectParser<object>
  return {
    ...{ method, path: `${ADMINISTRATION_ROOT}${path}`, operation, ...(body && { body }) },
    isOffered: ({ administration: isOn }) => isOn !== 'off',
    describe: () => ({ id: `admin${operation[0]?.toUpperCase()}${operation.slice(1)}`, ...described }),
    stages: (parts, json) => [administrator(parts, operation), json],
    work: ({ useCases, base }) => {
      const call = useCases[operation] as unknown as (input: InputOf<N>) => Promise<AnswerOf<N>>
      return async (exchange) => {
        const { caller = ANONYMOUS } = exchange
        if (body) refuseUnknown(exchange, body)
        const given = { ...input(exchange), caller, ...(parser.has('within') && { within: 'caller' }) }
        const [asked] = readArguments([['', parser]], [given]) as [InputOf<N>]
        return await reply(await call(asked), { base, exchange, asked })
      }
    },
  }
}

/** Rejects members that the body schema does not define, because the operation could interpret such members as other input. */
function refuseUnknown({ json = {} }: Exchange, { content }: NonNullable<Endpoint['body']>): void {
  const [{ schema } = {}] = Object.values(content)
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : []
  const unknown = Object.keys(json).filter((name) => !known.includes(name))
  if (unknown.length > 0) throw malformed('', unknownFields(unknown, known))
}

/** Identifies the caller by its API key, or otherwise by its login, and checks the permission of the operation before the body is read. */
export function administrator(parts: EndpointParts, operation?: Name): Stage {
  const { useCases, settings } = parts
  const schemes = { apiKeyHeader: settings.petsApiKeyHeader.toLowerCase(), basic: false }
  const byLogin = [presentedSession(parts, 'refused'), identified(parts)]
  return async (exchange) => {
    const { request } = exchange
    const { apiKey } = readPetCredentials(request, schemes)
    if (apiKey === undefined) for (const stage of byLogin) await stage(exchange)
    const caller = apiKey === undefined ? exchange.identity : await programOf(useCases, apiKey)
    if (caller) exchange.caller = { ...caller, client: request }
    if (operation === undefined) return
    const [component, action] = permissionOf(operation)
    useCases.authorize(exchange.caller ?? ANONYMOUS, component, action)
  }
}

/** The use case does not exist if the store has no API keys. */
async function programOf(useCases: HttpUseCases, apiKey: string): Promise<ApiKeyIdentity | Identity> {
  if (!('authenticateApiKey' in useCases)) throw wrongCredentials('the store has no API keys')
  return await useCases.authenticateApiKey(apiKey)
}

/**
 * Returns the members of the body, and the account ID from the path as `email`, which may also be an ID. If the path parameter is not a
 * positive integer, the operation refuses the call with `no such account`.
 */
export function accountIn({ request, json }: Exchange): { readonly email: string } {
  const id = positiveIntegerIn(request.parameters['id'] ?? '')
  if (id === undefined) throw noSuchAccount('id')
  return { ...json, email: String(id) }
}

export function done(description: string) {
  return { replies: { 204: { description } }, reply: (): HttpReply => ({ status: 204 }) }
}

const ACCOUNT_ID = z.string().meta({ description: 'The id of the account.', param: { example: '7' } })

/** Describes a route for one account, whose ID in the path is part of the operation's input. */
export const ofAccount = (others: Readonly<Record<string, z.ZodType>> = {}) => ({
  parameters: { path: z.object({ id: ACCOUNT_ID, ...others }) },
  refusals: { 404: NO_USER },
  input: accountIn,
})

type Filters = Readonly<Record<string, z.ZodType>>
type Query = Readonly<Record<string, string | undefined>>

type ListMapping<N extends Name, Row, Position> = Omit<PagedList<Position>, 'path'> &
  Pick<Description, 'summary' | 'description' | 'parameters' | 'refusals'> & {
    readonly row: { readonly schema: z.ZodType; readonly example: object }
    readonly filters?: Filters
    /** Returns the operation's input, except the caller, `limit` and `after`. */
    readonly input?: (query: Query, exchange: Exchange, after?: Position) => object
    readonly positionOf: (row: Row, asked: InputOf<N>) => Position
    readonly present: (row: Row) => object
  }

type RowOf<N extends Name> = AnswerOf<N> extends readonly (infer Row)[] ? Row : never

/** Declares the route of an operation that returns a list, and paginates the list. */
export function administrationList<N extends Name, Position>(
  path: string,
  operation: N,
  mapping: ListMapping<N, RowOf<N>, Position>,
): Endpoint {
  const { row, filters = {}, input = () => ({}), positionOf, present, ...listing } = mapping
  const { entries, parameters, summary, description, refusals = {} } = listing
  const pages = keyset({ ...listing, path: `${ADMINISTRATION_ROOT}${path}` })
  const query = z.strictObject({ ...pages.query.shape, ...filters })
  const endpoint = administration(['GET', path], operation, {
    ...{ summary, replies: {} },
    input: (exchange) => {
      const { search } = exchange.request
      const names = [...new URLSearchParams(search).keys()]
      const { limit, cursor, ...filter } = validate(query, queryOf(search, names)) as Query
      const page = pages.pageOf({ limit, cursor })
      return { ...input(filter, exchange, page.after), ...page, limit: page.limit + 1 }
    },
    reply: (answer, { base, exchange, asked }) => {
      const found = answer as readonly RowOf<N>[]
      const limit = ((asked as { readonly limit: number }).limit - 1) as PageLimit
      const shown = found.slice(0, limit)
      const last = found.length > limit ? shown.at(-1) : undefined
      const headers = pages.headers(base, limit, last && positionOf(last, asked), exchange.request)
      return { status: 200, headers, body: shown.map(present) }
    },
  })
  return {
    ...endpoint,
    describe: (settings) => ({
      ...endpoint.describe?.(settings),
      ...{
        summary,
        ...(description !== undefined && { description }),
        refusals: { 400: BAD_LIMIT, ...refusals },
      },
      parameters: { ...parameters, query },
      replies: {
        200: {
          description: `The ${entries}`,
          schema: z.array(row.schema).max(PAGE_LIMIT_MAX),
          example: [row.example],
          headers: pages.described(settings.publicUrl),
        },
      },
    }),
  }
}
