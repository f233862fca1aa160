import { expect } from 'chai'
import type { Call, Reply } from './client.js'
import { PASSWORD, type TestService } from './service.js'

export const PETS = '/v1/pets'
const CHALLENGE = 'Basic realm="Kennel pets", charset="UTF-8"'

type Headers = NonNullable<Call['headers']>

/** `Basic` credentials without the scheme. */
export function encoded(email: string, password = PASSWORD): string {
  return Buffer.from(`${email}:${password}`).toString('base64')
}

export function basic(email: string, password = PASSWORD): string {
  return `Basic ${encoded(email, password)}`
}

export type PetClient = Awaited<ReturnType<typeof createPetClient>>

/** A service, and calls with an API key that has all permissions on pets. */
export async function createPetClient(service: TestService) {
  const headers = { 'X-API-Key': await service.apiKey() }
  const call = (method: string, path: string, { headers: more, ...rest }: Call = {}) =>
    service.client.call(method, path, { ...rest, headers: { ...headers, ...more } })
  const create = (json: unknown, more: Headers = {}) => call('POST', PETS, { json, headers: more })
  return {
    service,
    headers,
    call,
    create,
    list: (query = '', more: Headers = {}) => call('GET', `${PETS}${query}`, { headers: more }),
    read: (id: number | string, more: Headers = {}) => call('GET', `${PETS}/${id}`, { headers: more }),
    patch: (id: number | string, json: unknown, more: Headers = {}) =>
      call('PATCH', `${PETS}/${id}`, { json, headers: more }),
    remove: (id: number | string, more: Headers = {}) => call('DELETE', `${PETS}/${id}`, { headers: more }),
    /** Creates a pet and returns its ID. */
    add: async (json: object = { name: 'Rex' }) => createdId(await create(json)),
  }
}

function createdId({ status, text, headers }: Reply): number {
  expect(status, text).to.equal(201)
  return Number(/\/v1\/pets\/([1-9][0-9]*)$/.exec(headers.location ?? '')?.[1])
}

/** Expects an error with this status and exactly this body; `message` may be omitted if another test checks it. */
export function expectError(reply: Reply, status: number, message?: string): void {
  expect(reply.status, reply.text).to.equal(status)
  const { message: told } = reply.json as { readonly message: string }
  expect(reply.json).to.deep.equal({ code: status, message: message ?? told })
}

/** The pet routes' 401 response, which is the same for every cause. */
export function expectNoCredentials(reply: Reply): void {
  expectError(reply, 401, 'Valid credentials are required.')
  expect(reply.headers['www-authenticate']).to.equal(CHALLENGE)
  expect(reply.headers['set-cookie']).to.equal(undefined)
}
