import { expect } from 'chai'
import { DEFAULT_PERMISSIONS } from '../../../src/domain/access/permissions.js'
import { basic, expectError, PETS } from '../../support/http/pet-calls.js'
import { servicesOfTests } from '../../support/http/services.js'

const ACTIONS = ['list', 'read', 'create', 'update', 'delete'] as const
const CALLS: Record<(typeof ACTIONS)[number], { method: string; path: string; json?: object }> = {
  list: { method: 'GET', path: PETS },
  read: { method: 'GET', path: `${PETS}/1` },
  create: { method: 'POST', path: PETS, json: { name: 'Rex' } },
  update: { method: 'PATCH', path: `${PETS}/1`, json: { age: 1 } },
  delete: { method: 'DELETE', path: `${PETS}/1` },
}

describe('the permissions of the pet routes', () => {
  const serve = servicesOfTests()
  const { user: _, ...others } = DEFAULT_PERMISSIONS.roles
  const permitting = (pets: readonly string[]) => ({
    permissions: { roles: { ...others, user: { components: { pets } } } },
  })

  it('permit each action separately, to programs and accounts', async () => {
    for (const permitted of ACTIONS) {
      const service = await serve(permitting([permitted]))
      await service.account('ada@example.com')
      const callers = [{ 'X-API-Key': await service.apiKey() }, { Authorization: basic('ada@example.com') }]
      for (const headers of callers)
        for (const action of ACTIONS) {
          const { method, path, json } = CALLS[action]
          const reply = await service.client.call(method, path, { headers, ...(json && { json }) })
          if (action === permitted) expect(reply.status, action).to.be.oneOf([200, 201, 404])
          else expectError(reply, 403, 'This action is not granted to you.')
        }
    }
  })

  it('are checked after the body and before its fields', async () => {
    const service = await serve(permitting([]))
    const headers = { 'X-API-Key': await service.apiKey() }
    const create = (call: object) => service.client.call('POST', PETS, { headers, ...call })
    expectError(await create({ json: [] }), 400)
    expectError(await create({ json: { name: 7 } }), 403)
    expectError(await service.client.call('GET', `${PETS}/nothing`, { headers }), 403)
    expectError(await service.client.call('GET', `${PETS}?limit=0`, { headers }), 403)
    expectError(await service.client.call('GET', `${PETS}?ids=1`, { headers }), 403)
  })
})
