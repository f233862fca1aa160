import { expect } from 'chai'
import {
  CREATE_PROJECT,
  freshEmail,
  GET_IDENTITY,
  LOGIN,
  newcomer,
  PROJECT,
} from '../../support/http/browser.js'
import { sharedService } from '../../support/http/service.js'

describe('the audit log', () => {
  const service = sharedService()

  const records = () => service.store.audit.page({ limit: 1_000 })

  it('does not record routine actions', async () => {
    const browser = await newcomer(service, ['project-editor'])
    const pets = { headers: { 'X-API-Key': await service.apiKey() }, json: { name: 'Rex' } }
    const before = await records()
    const replies = [
      await browser.send('GET', GET_IDENTITY),
      await browser.send('POST', CREATE_PROJECT, { json: PROJECT }),
      await service.client.call('GET', '/v1/pets', { headers: pets.headers }),
      await service.client.call('POST', '/v1/pets', pets),
      await browser.refresh(),
    ]
    expect(replies.map(({ status }) => status)).to.deep.equal([200, 201, 200, 201, 200])
    expect(await records()).to.deep.equal(before)
  })

  it('contains the socket address, the request ID and no other text from the client', async () => {
    const hostile = [`{{7*7}}`, `"'`, '<b>', 'x'.repeat(2_000)].join(' ')
    const headers = {
      ...{ 'X-Forwarded-For': '203.0.113.9', 'X-Real-IP': '203.0.113.9', Forwarded: 'for=203.0.113.9' },
      ...{ 'User-Agent': hostile, Referer: hostile, 'X-User': hostile, 'Accept-Language': hostile },
    }
    const json = { email: freshEmail(), password: 'wrong' }
    const reply = await service.client.call('POST', LOGIN, { headers, json })
    const { id: _, countKey: __, ...record } = (await records()).at(-1) ?? {}
    expect(record).to.deep.equal({
      at: service.clock.now,
      event: 'login',
      actor: 'anonymous',
      address: '127.0.0.1',
      requestId: reply.headers['x-request-id'],
      outcome: 'failure',
      accounts: [],
    })
  })
})
