import { Agent, get } from 'node:http'
import { readJob } from '../workplace/processes.js'
import type { Request } from './requests.js'
import { createStopwatch } from './traffic.js'

export type PacedLoad = {
  readonly address: string
  readonly request: Request
  readonly perSecond: number
  readonly seconds: number
}

/**
 * Sends requests at a constant rate without waiting for earlier replies, which measures the latency that users experience, not the capacity
 * of a server.
 */
const { address, request, perSecond, seconds } = await readJob<PacedLoad>()
const { path, headers = {} } = request
const agent = new Agent({ keepAlive: true })
const stopwatch = createStopwatch()

function once(): Promise<void> {
  const begin = performance.now()
  return new Promise((resolve, reject) => {
    get(address + path, { headers, agent }, (reply) => {
      if (reply.statusCode !== 200) reject(new Error(`answered with ${reply.statusCode ?? 0}`))
      reply.resume()
      reply.once('end', () => {
        stopwatch.record(performance.now() - begin)
        resolve()
      })
    }).once('error', reject)
  })
}

const underWay: Promise<void>[] = []
const pace = setInterval(() => underWay.push(once()), 1000 / perSecond)
await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
clearInterval(pace)
await Promise.all(underWay)
agent.destroy()
console.log(JSON.stringify(stopwatch.read()))
