import type { Request } from 'autocannon'
import { fire } from './cannon.js'
import { readJob } from '../workplace/processes.js'
import type { Client } from '../workplace/seed.js'

export type RefreshLoad = {
  readonly address: string
  readonly connections: number
  readonly seconds: number
  readonly clients: readonly Client[]
}

type Chain = { cookie: string; refreshToken: string }

/**
 * Each connection refreshes its share of the sessions in turn, always with the cookie and the
 * token that the refresh before has brought.
 */
const { address, connections, seconds, clients } = await readJob<RefreshLoad>()
let connected = 0
const traffic = await fire({
  url: address,
  connections,
  duration: seconds,
  setupClient: (connection) => {
    const share = clients.filter((_, index) => index % connections === connected)
    connection.setRequests([refreshing(share.map(({ cookie, refreshToken }) => ({ cookie, refreshToken })))])
    connected += 1
  },
})
console.log(JSON.stringify(traffic))

function refreshing(chains: readonly Chain[]): Request {
  let turn = -1
  const chain = () => {
    const current = chains[turn % chains.length]
    if (!current) throw new Error('a connection has no session')
    return current
  }
  return {
    setupRequest: (request) => {
      turn += 1
      const { cookie, refreshToken } = chain()
      return {
        ...request,
        method: 'POST',
        path: '/api/auth/refresh',
        headers: { 'Content-Type': 'application/json', Cookie: cookie },
        body: JSON.stringify({ refreshToken }),
      }
    },
    onResponse: (status, body, _context, headers) => {
      if (status !== 200) return
      const { view } = JSON.parse(body) as { view: { refreshToken: string } }
      const [cookie = ''] = String((headers as Record<string, unknown>)['Set-Cookie']).split(';')
      Object.assign(chain(), { cookie, refreshToken: view.refreshToken })
    },
  }
}
