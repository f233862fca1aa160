import { expect } from 'chai'
import { createHandler, type Handler } from '../../../src/adapters/web/index.js'
import type { Kennel } from '../../../src/index.js'
import { ORIGIN, openMemoryKennel } from '../../support/http/memory-kennel.js'

describe('a response of the web handler', () => {
  let kennel: Kennel
  let handler: Handler

  before(async () => {
    kennel = await openMemoryKennel()
    handler = createHandler(kennel)
  })
  after(() => kennel.close())

  it('closes the connection only if the body was not read', async () => {
    const connections: (string | null)[] = []
    const headers = { 'Content-Type': 'application/json' }
    for (const body of ['{}', undefined, JSON.stringify({ email: 'a'.repeat(200_000) })])
      for (const path of ['/nothing', '/api/auth/login']) {
        const init = { method: 'POST', headers, ...(body !== undefined && { body }) }
        connections.push((await handler(new Request(`${ORIGIN}${path}`, init))).headers.get('Connection'))
      }
    expect(connections).to.deep.equal(['close', null, null, null, 'close', 'close'])
  })

  for (const [body, connection] of [
    ['{}', 'close'],
    ['', 'close'],
    [undefined, null],
  ] as const)
    it(`is 500 with Connection ${String(connection)} after an error, for the body ${String(body)}`, async () => {
      const init = { method: 'POST', ...(body !== undefined && { body }) }
      const request = new Request(`${ORIGIN}/nothing`, init)
      Object.defineProperty(request, 'signal', {
        get: () => {
          throw new Error('a platform without signals')
        },
      })
      const reply = await handler(request)
      expect([reply.status, reply.headers.get('Connection')]).to.deep.equal([500, connection])
    })
})
