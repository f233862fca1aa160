import * as z from 'zod'
import type { oas31 } from 'zod-openapi'
import {
  PAGE_LIMIT_DEFAULT,
  PAGE_LIMIT_MAX,
  pageLimit,
  type PageLimit,
  type PetPage,
} from '../../domain/catalogue/page.js'
import { petIdsIn, type PetIds } from '../../domain/catalogue/pet-ids.js'
import type { PetId } from '../../domain/catalogue/pet.js'
import { integerFrom } from '../../domain/messages.js'
import { Refusal } from '../../domain/refusal.js'
import type { Header, Headers } from '../description/headers.js'
import { credentialParameters, KEPT, KEPT_HEADERS, petEndpoint, REX } from '../description/pets.js'
import * as refused from '../description/refusals.js'
import type { Endpoint } from '../endpoint.js'
import type { HttpReply, HttpRequest } from '../message.js'
import { remembered } from '../reply/remembered.js'
import { decodeCursor, encodeCursor } from '../request/cursor.js'
import { negotiate } from '../request/negotiate.js'
import { listQuerySchema, petsSchema, presentPet } from '../schemas/pet.js'
import { validate } from '../schemas/validate.js'
import { permitted, petClient } from '../stages.js'

const PATH = '/v1/pets'

/** Written out: to a parameter whose schema is a component zod-openapi adds no style. */
const IDS: oas31.ParameterObject = {
  in: 'query',
  name: 'ids',
  description:
    'These pets in the place of a page, those that are there. Not together with `limit` or `cursor`.',
  style: 'form',
  explode: false,
  schema: { $ref: '#/components/schemas/PetsIds', examples: [[1, 2]] },
}

export const listPets: Endpoint = {
  method: 'GET',
  path: PATH,
  action: 'pets:list',
  needs: ['authenticatePetClient', 'listPets', 'readPets'],
  describe: (settings) => {
    const shared = petEndpoint(settings)
    return {
      ...shared,
      id: 'listPets',
      summary: 'List pets',
      description: 'One page, or with `ids` those pets alone, each once; in ascending order of id.',
      parameters: {
        query: listQuerySchema.omit({ ids: true }),
        header: z.object(credentialParameters(settings)),
      },
      writtenParameters: [IDS],
      replies: {
        200: {
          description: 'The pets, in ascending order of id',
          schema: petsSchema,
          example: [REX, { id: 2, name: 'Tom', age: 3, hunts: true }],
          headers: { ...KEPT_HEADERS, ...nextPage(settings.publicUrl) },
        },
      },
      refusals: { ...shared.refusals, 400: refused.BAD_LIMIT },
    }
  },
  stages: (parts) => [petClient(parts), negotiate],
  work: (parts) => {
    const { useCases, base } = parts
    const replyOf = pageReplies(base)
    return permitted(parts, 'list', async ({ request }, authorized) => {
      const asked = parseQuery(request)
      if ('ids' in asked) {
        const pets = await useCases.readPets({ authorized, ids: asked.ids })
        return { status: 200, headers: { 'Cache-Control': KEPT }, body: JSON.stringify(pets.map(presentPet)) }
      }
      return replyOf(asked.limit, await useCases.listPets({ authorized, ...asked }))
    })
  },
}

/** By its limit, which the address of the next page has in it; there are at most 100 of them. */
function pageReplies(base: string): (limit: PageLimit, page: PetPage) => HttpReply {
  const byLimit = new Map<PageLimit, (page: PetPage) => HttpReply>()
  return (limit, page) => {
    const known = byLimit.get(limit)
    if (known) return known(page)
    const replyOf = remembered((one: PetPage) => pageReply(one, one.next && addressOf(base, limit, one.next)))
    byLimit.set(limit, replyOf)
    return replyOf(page)
  }
}

function pageReply(page: PetPage, next: string | undefined): HttpReply {
  return {
    status: 200,
    headers: { 'Cache-Control': KEPT, ...(next && { 'x-next': next, Link: `<${next}>; rel="next"` }) },
    body: JSON.stringify(page.pets.map(presentPet)),
  }
}

function addressOf(base: string, limit: number, after: PetId): string {
  return `${base}${PATH}?limit=${String(limit)}&cursor=${encodeCursor(after)}`
}

/** Optional: the last page has neither. */
function nextPage(publicUrl: string): Headers {
  const next = addressOf(publicUrl, 20, 20 as PetId)
  const header = (description: string, example: string): Header => ({
    description,
    required: false,
    schema: { type: 'string' },
    example,
  })
  return {
    'x-next': header('Address of the next page; absent on the last.', next),
    Link: header('The same as rel="next" (RFC 8288).', `<${next}>; rel="next"`),
  }
}

type PageQuery = { readonly limit: PageLimit; readonly after?: PetId }

const FIRST_PAGE: PageQuery = { limit: PAGE_LIMIT_DEFAULT }

/** One page, or several pets by their ids. */
function parseQuery({ search }: HttpRequest): PageQuery | { readonly ids: PetIds } {
  if (search === '') return FIRST_PAGE
  const { limit, cursor, ids } = validate(listQuerySchema, queryOf(search))
  if (ids === undefined) return parsePage(limit, cursor)
  if (limit !== undefined || cursor !== undefined)
    throw badQuery('ids', 'cannot be combined with limit or cursor')
  const parsed = petIdsIn(ids)
  if (!parsed.ok) throw badQuery('ids', parsed.rule)
  return { ids: parsed.value }
}

/** A parameter that is there twice has both values, which no rule takes. */
function queryOf(search: string): Record<string, unknown> {
  const query = new URLSearchParams(search)
  const one = (name: string) => {
    const [value, ...others] = query.getAll(name)
    return others.length > 0 ? [value, ...others] : value
  }
  return { limit: one('limit'), cursor: one('cursor'), ids: one('ids') }
}

function parsePage(size: string | undefined, cursor: string | undefined): PageQuery {
  const limit = size === undefined ? PAGE_LIMIT_DEFAULT : pageLimit(size)
  if (limit === undefined) throw badQuery('limit', integerFrom(1, PAGE_LIMIT_MAX))
  if (cursor === undefined) return { limit }
  const after = decodeCursor(cursor)
  if (after === undefined) throw badQuery('cursor', 'is not one that this service gave out')
  return { limit, after }
}

function badQuery(field: string, message: string): Refusal {
  return new Refusal('malformed', [{ field, type: 'NotValid', message }])
}
