import { expect } from 'chai'
import { OPERATOR } from '../../../src/domain/access/caller.js'
import { basic, expectNoCredentials, PETS } from '../../support/http/pet-calls.js'
import { servicesOfTests } from '../../support/http/services.js'

describe('HTTP Basic on the pet routes', () => {
  const serve = servicesOfTests()

  it('accepts a password with colons, and a non-ASCII password only in UTF-8', async () => {
    const service = await serve()
    const list = (Authorization: string) => service.client.call('GET', PETS, { headers: { Authorization } })
    const [email, wide] = ['ada@example.com', 'pässwörd-日本-🐕']
    await service.useCases.createUser({ caller: OPERATOR, email: 'bob@example.com', password: ':a:b:c:d:e:' })
    expect((await list(basic('bob@example.com', ':a:b:c:d:e:'))).status).to.equal(200)
    await service.useCases.createUser({ caller: OPERATOR, email, password: wide })
    expect((await list(basic(email, wide))).status).to.equal(200)
    const latin1 = Buffer.from(`${email}:${wide}`, 'latin1').toString('base64')
    expectNoCredentials(await list(`Basic ${latin1}`))
  })
})
