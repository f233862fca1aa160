import type { Pet, PetChange, PetDraft, PetQuery } from './described.js'
import { pageOf, pagesOf, withQuery, bodyOf, member, successOf, unreadable } from './reply.js'
import type { OwnHeaders, Send } from './transport.js'

/** Credentials for the pet routes, which do not accept a login. */
export type PetOptions = {
  readonly apiKey?: string
  /** Name of the header that carries the API key (`PETS_API_KEY_HEADER`); `X-API-Key` by default. */
  readonly apiKeyHeader?: string
  /** HTTP Basic. */
  readonly basic?: { readonly email: string; readonly password: string }
}

/** One page of the catalog; `next` is the cursor for the next page, and is absent on the last page. */
export type PetPage = { readonly pets: readonly Pet[]; readonly next?: string }
/** A pet, and its entity tag, to be passed as `ifMatch` with the next change. */
export type TaggedPet = { readonly pet: Pet; readonly etag: string | undefined }

/** The pet catalog. A failed call rejects with a KennelError. */
export type PetClient = {
  /** One page. `limit` is 1 to 100, 20 by default. */
  readonly list: (query?: PetQuery) => Promise<PetPage>
  /** This page and all later pages, each fetched on demand. */
  readonly pages: (query?: PetQuery) => AsyncGenerator<PetPage, void, undefined>
  /** Returns the pets that exist among the given ids (at most 100), in ascending order of id, without duplicates. */
  readonly readMany: (ids: readonly number[]) => Promise<readonly Pet[]>
  /** Creates a pet and returns its id. Requests with the same `idempotencyKey` and draft create only one pet. */
  readonly create: (draft: PetDraft, options?: { readonly idempotencyKey?: string }) => Promise<number>
  /** Returns the pet with this id. */
  readonly read: (id: number) => Promise<TaggedPet>
  /** Changes a pet; `null` removes a trait. Fails with status 412 and code `Conflict` if the pet no longer has the tag `ifMatch`. */
  readonly patch: (id: number, change: PetChange, options?: IfMatch) => Promise<TaggedPet>
  /** Removes a pet permanently; `ifMatch` works as in `patch`. */
  readonly remove: (id: number, options?: IfMatch) => Promise<void>
}

/** The entity tag that the pet must still have. */
export type IfMatch = { readonly ifMatch?: string | undefined }

const PETS = '/v1/pets'

export function createPetClient(send: Send, options: PetOptions): PetClient {
  const credentials = credentialHeaders(options)

  // The pet routes ignore cookies. Without cookies, a browser does not show its password dialog after a 401.
  function request(path: string, init: RequestInit, headers: OwnHeaders = {}): Promise<Response> {
    return send(path, { ...init, credentials: 'omit' }, { ...credentials, ...headers })
  }

  async function list({ limit, cursor }: PetQuery = {}): Promise<PetPage> {
    const response = await request(withQuery(PETS, { limit, cursor }), {})
    return { pets: await bodyOf(response, isPets), ...pageOf(response) }
  }

  return {
    list,
    pages: (query = {}) => pagesOf(list, query),
    readMany: async (ids) =>
      ids.length === 0 ? [] : await bodyOf(await request(`${PETS}?ids=${ids.join(',')}`, {}), isPets),
    create: async (draft, { idempotencyKey } = {}) => {
      const headers = { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey }
      const response = await request(PETS, { method: 'POST', body: JSON.stringify(draft) }, headers)
      await successOf(response)
      const id = /\/(\d+)$/.exec(response.headers.get('Location') ?? '')?.[1]
      if (id === undefined) throw unreadable(response)
      return Number(id)
    },
    read: async (id) => await tagged(await request(pathOf(id), {})),
    patch: async (id, change, { ifMatch } = {}) => {
      const headers = { 'Content-Type': 'application/merge-patch+json', 'If-Match': ifMatch }
      return await tagged(
        await request(pathOf(id), { method: 'PATCH', body: JSON.stringify(change) }, headers),
      )
    },
    remove: async (id, { ifMatch } = {}) => {
      await successOf(await request(pathOf(id), { method: 'DELETE' }, { 'If-Match': ifMatch }))
    },
  }
}

function credentialHeaders({ apiKey, apiKeyHeader = 'X-API-Key', basic }: PetOptions): OwnHeaders {
  return {
    [apiKeyHeader]: apiKey,
    ...(basic && { Authorization: `Basic ${base64(`${basic.email}:${basic.password}`)}` }),
  }
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}

function pathOf(id: number): string {
  return `${PETS}/${encodeURIComponent(id)}`
}

async function tagged(response: Response): Promise<TaggedPet> {
  const pet = await bodyOf(response, isPet)
  return { pet, etag: response.headers.get('ETag') ?? undefined }
}

function isPet(json: unknown): json is Pet {
  return typeof member(json, 'id') === 'number' && typeof member(json, 'name') === 'string'
}

function isPets(json: unknown): json is Pet[] {
  return Array.isArray(json) && json.every(isPet)
}
