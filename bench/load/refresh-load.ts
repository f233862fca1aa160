import type { Request } from 'autocannon'
import { fire } from './cannon.js'
import { CONTESTANTS, type ContestantId, type Credentials, type Requests } from './contestants.js'
import { readJob } from '../workplace/processes.js'

export type RefreshLoad = {
  readonly address: string
  readonly contestant: ContestantId
  readonly connections: number
  readonly seconds: number
  readonly clients: readonly Credentials[]
}

/**
 * Each connection refreshes its share of the sessions in turn, always with the cookie and the
 * token from the previous refresh.
 */
const { address, contestant, connections, seconds, clients } = await readJob<RefreshLoad>()
let connected = 0
const traffic = await fire({
  url: address,
  connections,
  duration: seconds,
  setupClient: (connection) => {
    const share = clients.filter((_, index) => index % connections === connected)
    connection.setRequests([refreshing(CONTESTANTS[contestant], [...share])])
    connected += 1
  },
})
console.log(JSON.stringify(traffic))

function refreshing({ refresh, refreshed }: Requests, chains: Credentials[]): Request {
  let turn = -1
  const current = () => {
    const chain = chains[turn % chains.length]
    if (!chain) throw new Error('a connection has no session')
    return chain
  }
  return {
    setupRequest: (request) => {
      turn += 1
      return { ...request, ...refresh(current()) }
    },
    onResponse: (status, body, _context, headers) => {
      if (status !== 200) return
      const [cookie] = String((headers as Record<string, unknown>)['Set-Cookie']).split(';')
      chains[turn % chains.length] = { ...current(), ...refreshed({ body, cookie }) }
    },
  }
}
