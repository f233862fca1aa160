import { expect } from 'chai'
import type { Reply } from '../../support/http/client.js'
import { LOGIN_AS, LOGOUT_AS } from '../../support/http/acting.js'
import {
  CHANGE_PASSWORD,
  CLOSE_PROJECT,
  CREATE_PROJECT,
  END_SESSIONS,
  GET_IDENTITY,
  LOGIN,
  LOGOUT,
  newcomer,
  PROJECTS,
  REFRESH,
  SESSIONS,
} from '../../support/http/browser.js'
import { CONFIRM, FACTOR, guarded, RECOVERY_CODES, REMOVE, SET_UP, setUp } from '../../support/http/factor.js'
import { RESET_PASSWORD } from '../../support/http/resetting.js'
import { createPetClient, PETS, type PetClient } from '../../support/http/pet-calls.js'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import { PASSWORD, startService, type TestService } from '../../support/http/service.js'
import { operationOf, type ApiDocument } from './configurations.js'

const EVERYONE = { ...DEFAULT_PERMISSIONS.roles.everyone.components, auth: ['*'] }
const RULES = {
  roles: {
    ...DEFAULT_PERMISSIONS.roles,
    everyone: { components: EVERYONE },
    user: { components: { pets: ['*'] } },
    'project-editor': { components: { project: ['*'] } },
  },
}

const DELETE_ACCOUNT = '/api/auth/delete-account'

type Send = (service: TestService, pets: PetClient) => Promise<Reply>

const post =
  (path: string, json: unknown): Send =>
  ({ client }) =>
    client.call('POST', path, { json })
const sentBy =
  (roles: readonly string[]) =>
  (method: string, path: string, json?: unknown): Send =>
  async (service) =>
    await (await newcomer(service, roles)).send(method, path, json === undefined ? {} : { json })
const known = sentBy([])
const editing = sentBy(['project-editor'])
const withFactor =
  (path: string, json: unknown): Send =>
  async (service) =>
    await (await guarded(service)).send('POST', path, { json })
const forged =
  (method: string, path: string): Send =>
  ({ client }) =>
    client.call(method, path, { headers: { 'X-Authorization': 'Bearer forged' } })

/** Requests that get this status, by operation and status. */
const REFUSED: Readonly<Record<string, Readonly<Record<number, Send>>>> = {
  listPets: {
    400: (_, pets) => pets.list('?limit=0'),
    401: ({ client }) => client.call('GET', PETS),
    405: ({ client }) => client.call('DELETE', PETS),
    406: (_, pets) => pets.list('', { Accept: 'text/html' }),
    431: ({ client }) => client.call('GET', PETS, { headers: { 'X-Large': 'a'.repeat(20_000) } }),
  },
  createPet: {
    400: (_, pets) => pets.create({}),
    413: (_, pets) => pets.create({ name: 'n'.repeat(70_000) }),
    415: (_, pets) => pets.create({}, { 'Content-Type': 'text/plain' }),
    422: async (_, pets) => {
      await pets.create({ name: 'Rex' }, { 'Idempotency-Key': 'one' })
      return await pets.create({ name: 'Max' }, { 'Idempotency-Key': 'one' })
    },
  },
  readPet: { 404: (_, pets) => pets.read(99) },
  patchPet: {
    400: (_, pets) => pets.patch(1, { age: 1, bark: true }),
    404: (_, pets) => pets.patch(99, { age: 1 }),
    412: (_, pets) => pets.patch(1, { age: 1 }, { 'If-Match': '"1-9"' }),
    415: (_, pets) => pets.patch(1, {}, { 'Content-Type': 'text/plain' }),
  },
  removePet: {
    404: (_, pets) => pets.remove(99),
    412: (_, pets) => pets.remove(1, { 'If-Match': '"1-9"' }),
  },
  login: {
    400: post(LOGIN, { email: 7 }),
    401: post(LOGIN, { email: 'nobody@example.com', password: 'wrong' }),
    403: ({ client }) =>
      client.call('POST', LOGIN, { headers: { Origin: 'https://elsewhere.example' }, json: {} }),
    405: ({ client }) => client.call('GET', LOGIN),
    413: post(LOGIN, { email: 'e'.repeat(20_000) }),
    415: ({ client }) =>
      client.call('POST', LOGIN, { headers: { 'Content-Type': 'text/plain' }, body: '{}' }),
  },
  getIdentity: { 401: forged('GET', GET_IDENTITY) },
  refresh: { 400: post(REFRESH, { refreshToken: 7 }), 401: post(REFRESH, { refreshToken: 'forged' }) },
  logout: {
    400: ({ client }) =>
      client.call('POST', LOGOUT, { headers: { 'Content-Type': 'application/json' }, body: '{' }),
    401: forged('POST', LOGOUT),
  },
  resetPassword: {
    400: post(RESET_PASSWORD, {}),
    401: forged('POST', RESET_PASSWORD),
    403: ({ client }) =>
      client.call('POST', RESET_PASSWORD, { headers: { Origin: 'https://elsewhere.example' }, json: {} }),
  },
  changePassword: {
    400: known('POST', CHANGE_PASSWORD, { password: 'a wrong password', newPassword: 'the stable door' }),
    401: forged('POST', CHANGE_PASSWORD),
  },
  listSessions: {
    400: known('GET', `${SESSIONS}?limit=0`),
    401: forged('GET', SESSIONS),
  },
  endSessions: {
    400: known('POST', END_SESSIONS, {}),
    401: forged('POST', END_SESSIONS),
    404: known('POST', END_SESSIONS, { id: 'none' }),
  },
  readSecondFactor: { 401: forged('GET', FACTOR) },
  setUpSecondFactor: {
    400: known('POST', SET_UP, { password: 'a wrong password' }),
    401: forged('POST', SET_UP),
    409: withFactor(SET_UP, { password: PASSWORD }),
  },
  confirmSecondFactor: {
    400: async (service) => {
      const browser = await newcomer(service)
      await setUp(browser)
      return await browser.send('POST', CONFIRM, { json: { code: 'none' } })
    },
    401: forged('POST', CONFIRM),
    409: known('POST', CONFIRM, { code: '123456' }),
  },
  removeSecondFactor: {
    400: withFactor(REMOVE, { password: PASSWORD, code: 'none' }),
    401: forged('POST', REMOVE),
    409: known('POST', REMOVE, { password: PASSWORD, code: '123456' }),
  },
  renewRecoveryCodes: {
    400: withFactor(RECOVERY_CODES, { password: PASSWORD, code: 'none' }),
    401: forged('POST', RECOVERY_CODES),
    409: known('POST', RECOVERY_CODES, { password: PASSWORD, code: '123456' }),
  },
  deleteAccount: {
    400: known('POST', DELETE_ACCOUNT, { password: 'a wrong password' }),
    401: forged('POST', DELETE_ACCOUNT),
  },
  loginAs: {
    400: known('POST', LOGIN_AS, { userId: '2' }),
    401: forged('POST', LOGIN_AS),
    403: async (service) => {
      const other = await newcomer(service)
      return await (await newcomer(service)).send('POST', LOGIN_AS, { json: { userId: other.id } })
    },
    404: known('POST', LOGIN_AS, { userId: 9_999 }),
  },
  logoutAs: { 401: forged('POST', LOGOUT_AS), 403: known('POST', LOGOUT_AS, {}) },
  createProject: {
    401: forged('POST', CREATE_PROJECT),
    403: known('POST', CREATE_PROJECT, {}),
    422: editing('POST', CREATE_PROJECT, {}),
  },
  listProjects: {
    400: editing('GET', `${PROJECTS}?limit=0`),
    401: forged('GET', PROJECTS),
    403: known('GET', PROJECTS),
  },
  readProject: {
    401: forged('GET', `${PROJECTS}/1`),
    403: known('GET', `${PROJECTS}/1`),
    404: editing('GET', `${PROJECTS}/1`),
  },
  closeProject: {
    401: forged('POST', CLOSE_PROJECT),
    403: known('POST', CLOSE_PROJECT, {}),
    404: editing('POST', CLOSE_PROJECT, { id: 1 }),
    422: editing('POST', CLOSE_PROJECT, {}),
  },
}

describe('a failure example in the API description', () => {
  let service: TestService
  let pets: PetClient
  let document: ApiDocument
  before(async () => {
    service = await startService({ permissions: RULES })
    pets = await createPetClient(service)
    await pets.add()
    document = (await service.client.call('GET', '/openapi.json')).json as ApiDocument
  })
  after(() => service.close())

  for (const [id, statuses] of Object.entries(REFUSED)) {
    for (const [status, send] of Object.entries(statuses)) {
      it(`equals the reply of the service: ${id}, ${status}`, async () => {
        const reply = await send(service, pets)
        expect(reply.status, reply.text).to.equal(Number(status))
        const { content } = operationOf(document, id).responses[status] ?? {}
        expect(content?.['application/json']?.example).to.deep.equal(reply.json)
      })
    }
  }
})
