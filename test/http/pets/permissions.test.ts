import { expect } from 'chai'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../../src/domain/access/permissions.js'
import { startService, type TestService } from '../../support/http/service.js'
import { basic, expectError, PETS } from '../../support/http/pet-calls.js'

const ACTIONS = ['list', 'read', 'create', 'update', 'delete'] as const
type PetAction = (typeof ACTIONS)[number]

const CALLS: Record<PetAction, { method: string; path: string; json?: object; permitted: number }> = {
  list: { method: 'GET', path: PETS, permitted: 200 },
  read: { method: 'GET', path: `${PETS}/1`, permitted: 200 },
  create: { method: 'POST', path: PETS, json: { name: 'Rex' }, permitted: 201 },
  update: { method: 'PATCH', path: `${PETS}/1`, json: { age: 1 }, permitted: 200 },
  delete: { method: 'DELETE', path: `${PETS}/99`, permitted: 404 },
}

type Who = { readonly service: TestService; readonly headers: Record<string, string> }

async function statusesOf({ service, headers }: Who): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {}
  for (const [action, { permitted: _, ...call }] of Object.entries(CALLS)) {
    const reply = await service.client.call(call.method, call.path, { ...call, headers })
    statuses[action] = reply.status
    if (reply.status === 403) expectError(reply, 403, 'This action is not granted to you.')
  }
  return statuses
}

function expected(permitted: readonly PetAction[]): Record<string, number> {
  return Object.fromEntries(
    ACTIONS.map((action) => [action, permitted.includes(action) ? CALLS[action].permitted : 403]),
  )
}

/** Runs with a pet in the store and these permissions, which replace the default permissions of `user`. */
async function withRoles(
  roles: PermissionRules['roles'],
  work: (service: TestService) => Promise<void>,
): Promise<void> {
  const { user: _, ...others } = DEFAULT_PERMISSIONS.roles
  const service = await startService({ permissions: { roles: { ...others, ...roles } } })
  try {
    await service.store.pets.insert({ name: 'Rex' as never })
    await work(service)
  } finally {
    await service.close()
  }
}

async function everybody(service: TestService, roles: readonly string[] = []): Promise<readonly Who[]> {
  const email = `user${roles.join('')}@example.com`
  await service.account(email, roles)
  const program = { 'X-API-Key': await service.apiKey(roles) }
  const person = { Authorization: basic(email) }
  return [
    { service, headers: program },
    { service, headers: person },
  ]
}

describe('the permissions of the pet routes', () => {
  it('allow everything except deletion to every identity by default', async () => {
    await withRoles({ user: DEFAULT_PERMISSIONS.roles.user }, async (service) => {
      const permitted = ACTIONS.filter((action) => action !== 'delete')
      for (const who of await everybody(service))
        expect(await statusesOf(who)).to.deep.equal(expected(permitted))
    })
  })

  for (const taken of ACTIONS) {
    it(`can exclude ${taken}`, async () => {
      const left = ACTIONS.filter((action) => action !== taken)
      await withRoles({ user: { components: { pets: left } } }, async (service) => {
        for (const who of await everybody(service))
          expect(await statusesOf(who)).to.deep.equal(expected(left))
      })
    })
  }

  it('are checked after the body and before its fields', async () => {
    await withRoles({}, async (service) => {
      const headers = { 'X-API-Key': await service.apiKey() }
      const create = (call: object) => service.client.call('POST', PETS, { headers, ...call })
      expectError(await create({ json: [] }), 400)
      expectError(await create({ json: { name: 7 } }), 403)
      expectError(await service.client.call('GET', `${PETS}/nothing`, { headers }), 403)
      expectError(await service.client.call('GET', `${PETS}?limit=0`, { headers }), 403)
      expect((await service.store.pets.page(undefined, 100 as never)).pets).to.have.length(1)
    })
  })
})
