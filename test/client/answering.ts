import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { START } from '../support/http/service.js'

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

/** A server that gives the same response to every request, like a broken proxy or an unrelated service. */
export async function answering(answer: Answer) {
  const server = createServer((request, response) => {
    request.resume()
    answer(response, request)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock: { now: START },
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A complete reply. */
export function replying(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return (response) => response.writeHead(status, headers).end(body)
}

/** The response envelope that the service uses for a 401. */
export const LOGGED_OUT = JSON.stringify({
  code: 401,
  response: false,
  view: { loggedIn: false, messages: [] },
})
