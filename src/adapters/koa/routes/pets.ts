import type Router from '@koa/router'
import { ANONYMOUS } from '../../../domain/access/caller.js'
import type { Authorized } from '../../../application/access/authorize.js'
import type { Action } from '../../../domain/access/permissions.js'
import { idempotencyKey } from '../../../domain/catalogue/idempotency-key.js'
import {
  PAGE_LIMIT_DEFAULT,
  PAGE_LIMIT_MAX,
  pageLimit,
  type PageLimit,
  type PetPage,
} from '../../../domain/catalogue/page.js'
import { petIdsIn, type PetIds } from '../../../domain/catalogue/pet-ids.js'
import { petId, type PetId } from '../../../domain/catalogue/pet.js'
import { parseFields } from '../../../application/fields.js'
import { integerFrom } from '../../../domain/messages.js'
import { Refusal } from '../../../domain/refusal.js'
import { inOrder, pathParameter, type Context, type RequestState, type Stage } from '../context.js'
import { decodeCursor, encodeCursor } from '../request/cursor.js'
import { entityTag, expectedRevisions } from '../request/entity-tag.js'
import { jsonBody } from '../request/json-body.js'
import { negotiate } from '../request/negotiate.js'
import { originOf } from '../request/client-address.js'
import { readPetCredentials } from '../request/pet-credentials.js'
import { listQuerySchema, parsePetChange, parsePetDraft, presentPet } from '../schemas/pet.js'
import { validate } from '../schemas/validate.js'
import type { HttpSettings } from '../settings.js'
import type { HttpUseCases } from '../use-cases.js'

const JSON_TYPE = 'application/json'
const MERGE_PATCH = 'application/merge-patch+json'

/** The last stage of a route: it gets the proof that it may do its work. */
type AuthorizedStage<A extends Action<'pets'>> = (
  ctx: Context,
  authorized: Authorized<'pets', A>,
) => Promise<void>

/** The pet catalogue below /v1, in the order of checks: credentials, body, permission, fields, work. */
export function petRoutes(
  router: Router<RequestState>,
  useCases: HttpUseCases,
  settings: HttpSettings,
): void {
  const client = authenticateClient(useCases, settings)
  const body = (types: readonly string[]) => jsonBody({ limit: settings.bodyLimit, types, required: true })
  const permitted = <A extends Action<'pets'>>(action: A, work: AuthorizedStage<A>): Stage => {
    return (ctx) => work(ctx, useCases.authorize(ctx.state.caller ?? ANONYMOUS, 'pets', action))
  }
  const base = `${settings.publicUrl}/v1/pets`
  router.get('/v1/pets', inOrder(client, negotiate, permitted('list', listPets(useCases, base))))
  router.post(
    '/v1/pets',
    inOrder(client, negotiate, body([JSON_TYPE]), permitted('create', createPet(useCases, base))),
  )
  router.get('/v1/pets/:petId', inOrder(client, negotiate, permitted('read', readPet(useCases))))
  router.patch(
    '/v1/pets/:petId',
    inOrder(client, negotiate, body([JSON_TYPE, MERGE_PATCH]), permitted('update', patchPet(useCases))),
  )
}

function authenticateClient(useCases: HttpUseCases, settings: HttpSettings): Stage {
  const schemes = {
    apiKeyHeader: settings.apiKeyHeader.toLowerCase(),
    basic: settings.petSecurity !== 'key',
  }
  return async (ctx) => {
    const presented = readPetCredentials(ctx.req, schemes)
    // Only Basic is counted and audited by where it comes from; most requests have a key.
    const client = presented.basic && originOf(ctx)
    ctx.state.caller = await useCases.authenticatePetClient(client ? { ...presented, client } : presented)
  }
}

function listPets(useCases: HttpUseCases, base: string): AuthorizedStage<'list'> {
  return async (ctx, authorized) => {
    const asked = parseListQuery(ctx)
    ctx.body = 'ids' in asked ? await severalPets(asked.ids, authorized) : await page(ctx, asked, authorized)
    ctx.set('Cache-Control', 'private, no-cache')
    ctx.type = 'application/json'
  }

  async function page(
    ctx: Context,
    query: PageQuery,
    authorized: Authorized<'pets', 'list'>,
  ): Promise<string> {
    const found = await useCases.listPets({ authorized, ...query })
    if (found.next !== undefined) {
      const next = `${base}?limit=${String(query.limit)}&cursor=${encodeCursor(found.next)}`
      ctx.set('x-next', next)
      ctx.set('Link', `<${next}>; rel="next"`)
    }
    return textOf(found)
  }

  async function severalPets(ids: PetIds, authorized: Authorized<'pets', 'list'>): Promise<string> {
    const pets = await useCases.readPets({ authorized, ids })
    return JSON.stringify(pets.map(presentPet))
  }
}

const texts = new WeakMap<PetPage, string>()

/** A store may hand out one frozen page many times; then it is written once. */
function textOf(page: PetPage): string {
  const known = texts.get(page)
  if (known !== undefined) return known
  const text = JSON.stringify(page.pets.map(presentPet))
  if (Object.isFrozen(page)) texts.set(page, text)
  return text
}

type PageQuery = { readonly limit: PageLimit; readonly after?: PetId }

/** One page, or several pets by their ids. */
function parseListQuery(ctx: Context): PageQuery | { readonly ids: PetIds } {
  const { limit, cursor, ids } = validate(listQuerySchema, ctx.query)
  if (ids === undefined) return parsePage(limit, cursor)
  if (limit !== undefined || cursor !== undefined)
    throw badQuery('ids', 'cannot be combined with limit or cursor')
  const parsed = petIdsIn(ids)
  if (!parsed.ok) throw badQuery('ids', parsed.rule)
  return { ids: parsed.value }
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

function createPet(useCases: HttpUseCases, base: string): AuthorizedStage<'create'> {
  return async (ctx, authorized) => {
    const draft = parsePetDraft(ctx.state.json)
    const given = ctx.req.headers['idempotency-key']
    const key =
      given === undefined ? undefined : parseFields({ 'Idempotency-Key': idempotencyKey(String(given)) })
    const id = await useCases.createPet({
      authorized,
      draft,
      ...(key && { idempotencyKey: key['Idempotency-Key'] }),
    })
    ctx.status = 201
    ctx.set('Location', `${base}/${String(id)}`)
    ctx.body = ''
  }
}

function readPet(useCases: HttpUseCases): AuthorizedStage<'read'> {
  return async (ctx, authorized) => {
    const pet = await useCases.readPet({ authorized, id: petId(pathParameter(ctx, 'petId')) })
    ctx.set('Cache-Control', 'private, no-cache')
    ctx.set('ETag', entityTag(pet))
    ctx.status = 200
    if (ctx.fresh) ctx.status = 304
    else ctx.body = presentPet(pet)
  }
}

function patchPet(useCases: HttpUseCases): AuthorizedStage<'update'> {
  return async (ctx, authorized) => {
    const id = petId(pathParameter(ctx, 'petId'))
    const change = parsePetChange(ctx.state.json ?? {}, { mergePatch: ctx.is(MERGE_PATCH) !== false })
    const expected = id === undefined ? undefined : expectedRevisions(ctx.req.headers['if-match'], id)
    const pet = await useCases.patchPet({ authorized, id, change, ...(expected && { expected }) })
    ctx.set('ETag', entityTag(pet))
    ctx.body = presentPet(pet)
  }
}
