import type { Request } from 'autocannon'
import { fire } from './cannon.js'
import { readJob } from '../workplace/processes.js'

export type Load = {
  readonly address: string
  /** Each has one request in flight at all times, and sends its share of the requests in turn. */
  readonly connections: number
  readonly requests: readonly Request[]
  /** How long, in seconds, or how many. */
  readonly seconds?: number
  readonly amount?: number
}

/** Hashing may keep a request waiting for long. */
const TIMEOUT_SECONDS = 120

const { address, connections, requests, seconds, amount } = await readJob<Load>()
let connected = 0
const traffic = await fire({
  url: address,
  connections,
  timeout: TIMEOUT_SECONDS,
  ...(seconds !== undefined && { duration: seconds }),
  ...(amount !== undefined && { amount }),
  setupClient: (client) => {
    const share = requests.filter((_, index) => index % connections === connected % requests.length)
    client.setRequests(share)
    connected += 1
  },
})
console.log(JSON.stringify(traffic))
