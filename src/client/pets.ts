import type { Pet, PetChange, PetDraft, PetQuery } from './described.js'
import { asking, pageOf, pagesOf } from './pages.js'
import { bodyOf, member, successOf, unreadable } from './reply.js'
import type { OwnHeaders, Send } from './transport.js'

/** Credentials of the pet routes; a login is none there. */
export type PetOptions = {
  readonly apiKey?: string
  /** Header of the API key (`PETS_API_KEY_HEADER`); `X-API-Key`. */
  readonly apiKeyHeader?: string
  /** HTTP Basic. */
  readonly basic?: { readonly email: string; readonly password: string }
}

/** One page of the catalogue; `next` is the cursor of the one after it, absent on the last. */
export type PetPage = { readonly pets: readonly Pet[]; readonly next?: string }
/** A pet, and the tag that its next change may ask for. */
export type TaggedPet = { readonly pet: Pet; readonly etag: string | undefined }

/** The pet catalogue. Each call rejects with a KennelError. */
export type PetClient = {
  /** One page; 20 pets where no `limit` (1 to 100) is given. */
  readonly list: (query?: PetQuery) => Promise<PetPage>
  /** This page and all after it, each fetched when it is asked for. */
  readonly pages: (query?: PetQuery) => AsyncGenerator<PetPage, void, undefined>
  /** Those of at most 100 pets that are there, in ascending order of id, each once. */
  readonly readMany: (ids: readonly number[]) => Promise<readonly Pet[]>
  /** Creates a pet and gives its id. The same `idempotencyKey` and draft make one pet, however often they are sent. */
  readonly create: (draft: PetDraft, options?: { readonly idempotencyKey?: string }) => Promise<number>
  /** The pet of this id. */
  readonly read: (id: number) => Promise<TaggedPet>
  /** Changes a pet, and takes away what is null; with `ifMatch` only while it still has this tag: else status 412, code `Conflict`. */
  readonly patch: (id: number, change: PetChange, options?: IfMatch) => Promise<TaggedPet>
  /** Removes a pet for good, where this is permitted; `ifMatch` as above. */
  readonly remove: (id: number, options?: IfMatch) => Promise<void>
}

/** The tag that a pet must still have. */
export type IfMatch = { readonly ifMatch?: string | undefined }

const PETS = '/v1/pets'

export function createPetClient(send: Send, options: PetOptions): PetClient {
  const credentials = credentialHeaders(options)

  // Cookies are no credential here; and where they are left out no browser asks for a password by itself.
  function request(path: string, init: RequestInit, headers: OwnHeaders = {}): Promise<Response> {
    return send(path, { ...init, credentials: 'omit' }, { ...credentials, ...headers })
  }

  async function list({ limit, cursor }: PetQuery = {}): Promise<PetPage> {
    const response = await request(asking(PETS, { limit, cursor }), {})
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
