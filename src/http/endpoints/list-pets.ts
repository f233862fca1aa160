import * as z from 'zod'
import type { oas31 } from 'zod-openapi'
import { ANONYMOUS } from '../../domain/access/caller.js'
import { petIdsIn, petId, type PetIds, type PetId, type PetPage } from '../../domain/catalogue/pet.js'
import { MUST_BE } from '../../domain/messages.js'
import { PAGE_LIMIT_DEFAULT } from '../../domain/page-limit.js'
import { credentialParameters, KEPT, KEPT_HEADERS, REX, petsSchema, presentPet } from '../schemas/pet.js'
import * as refused from '../description/refusals.js'
import type { Endpoint } from '../endpoint.js'
import { badQuery, keyset, queryOf, type PageQuery } from '../keyset.js'
import { type HttpRequest, remembered } from '../message.js'
import { validate } from '../schemas/validate.js'
import { forPetClients, readFor } from '../stages.js'

const PATH = '/v1/pets'

export const PET_PAGES = keyset<PetId>({
  path: PATH,
  entries: 'pets',
  version: 'p1',
  write: String,
  read: petId,
  example: 20 as PetId,
})

/** `cursor` and `ids` are validated when they are decoded. */
const listQuerySchema = PET_PAGES.query.extend({ ids: z.string(MUST_BE.single).optional() })

/** This parameter is written by hand, because zod-openapi adds no style to a parameter whose schema is a component. */
const IDS: oas31.ParameterObject = {
  in: 'query',
  name: 'ids',
  description:
    'Returns all existing pets with these ids in one reply. Cannot be combined with `limit` and `cursor`.',
  style: 'form',
  explode: false,
  schema: { $ref: '#/components/schemas/PetsIds', examples: [[1, 2]] },
}

/** The route that lists pets in pages, or the pets with given IDs. */
export const listPets: Endpoint = {
  method: 'GET',
  path: PATH,
  describe: (settings) => ({
    summary: 'List pets',
    description: 'One page, or the pets of `ids` without repetition; in ascending order of id.',
    parameters: {
      query: PET_PAGES.query,
      header: z.object(credentialParameters(settings)),
    },
    writtenParameters: [IDS],
    replies: {
      200: {
        description: 'The pets, in ascending order of id',
        schema: petsSchema,
        example: [REX, { id: 2, name: 'Tom', age: 3, hunts: true }],
        headers: { ...KEPT_HEADERS, ...PET_PAGES.described(settings.publicUrl) },
      },
    },
    refusals: { 400: refused.BAD_LIMIT },
  }),
  operation: 'listPets',
  stages: forPetClients,
  work:
    ({ useCases, base }) =>
    async ({ request, caller = ANONYMOUS }) => {
      const asked = readFor('listPets', useCases, caller, () => parseQuery(request))
      if ('ids' in asked) {
        const pets = await useCases.readPets({ caller, ids: asked.ids })
        return { status: 200, headers: { 'Cache-Control': KEPT }, body: bodyOf({ pets }) }
      }
      const page = await useCases.listPets({ caller, ...asked })
      const headers = { 'Cache-Control': KEPT, ...PET_PAGES.headers(base, asked.limit, page.next) }
      return { status: 200, headers, body: bodyOf(page) }
    },
}

const bodyOf = remembered(({ pets }: Pick<PetPage, 'pets'>) => JSON.stringify(pets.map(presentPet)))

const FIRST_PAGE: PageQuery<PetId> = { limit: PAGE_LIMIT_DEFAULT }

function parseQuery({ search }: HttpRequest): PageQuery<PetId> | { readonly ids: PetIds } {
  if (search === '') return FIRST_PAGE
  const { ids, ...page } = validate(listQuerySchema, queryOf(search, ['limit', 'cursor', 'ids']))
  if (ids === undefined) return PET_PAGES.pageOf(page)
  if (page.limit !== undefined || page.cursor !== undefined)
    throw badQuery('ids', 'cannot be combined with limit or cursor')
  const parsed = petIdsIn(ids)
  if (!parsed.ok) throw badQuery('ids', parsed.rule)
  return { ids: parsed.value }
}
