import { expect } from 'chai'
import {
  createKennelClient,
  KennelError,
  type KennelClient,
  type KennelClientOptions,
} from '../../src/client/index.js'
import { freshEmail } from '../support/http/browser.js'
import { PASSWORD, type TestService, START } from '../support/http/service.js'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { listening } from '../support/listening.js'

/** A client's request, and the status of the reply. */
export type Sent = {
  readonly method: string
  readonly path: string
  readonly headers: Headers
  status: number
}

/** A client and the requests that it has sent. */
export type Watched = {
  readonly client: KennelClient
  readonly sent: readonly Sent[]
  readonly count: (path: string) => number
  /** The number of calls of `onLoggedOut`. */
  readonly told: () => number
}

export type Options = Partial<KennelClientOptions> & {
  /** Intercepts requests between the client and the network. */
  readonly around?: Around
}

type Around = (path: string, send: () => Promise<Response>) => Promise<Response>

const straight: Around = (_path, send) => send()

/** A client that uses the service's clock. */
export function clientOf(service: Pick<TestService, 'origin' | 'clock'>, options: Options = {}): Watched {
  const { around = straight, ...own } = options
  const sent: Sent[] = []
  let told = 0
  const client = createKennelClient({
    baseUrl: service.origin,
    now: () => service.clock.now,
    onLoggedOut: () => (told += 1),
    fetch: async (input, init = {}) => {
      const { pathname, search } = new URL(input)
      const one = {
        method: init.method ?? 'GET',
        path: pathname + search,
        headers: new Headers(init.headers),
        status: 0,
      }
      sent.push(one)
      const response = await around(one.path, () => fetch(input, init))
      one.status = response.status
      return response
    },
    ...own,
  })
  return { client, sent, count: (path) => sent.filter((one) => one.path === path).length, told: () => told }
}

/** A client that is logged in to a new account, with an empty request log. */
export async function newcomer(
  service: TestService,
  options: Options & { roles?: readonly string[] } = {},
): Promise<Watched & { readonly email: string; readonly id: number }> {
  const { roles = [], ...own } = options
  const email = freshEmail()
  const id = await service.account(email, roles)
  const watched = clientOf(service, own)
  await watched.client.login(email, PASSWORD)
  ;(watched.sent as Sent[]).length = 0
  return { ...watched, email, id }
}

/** Returns the error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<KennelError> {
  const error = await call.then(
    (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  )
  if (!(error instanceof KennelError)) throw error
  expect(error.name).to.equal('KennelError')
  return error
}

/** Starts `count` concurrent calls. */
export function atOnce<T>(count: number, call: () => Promise<T>): Promise<T>[] {
  return Array.from({ length: count }, call)
}

/** Resolves when the condition is true; checks the condition after each change of the client. */
export async function until(client: KennelClient, isSo: () => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    const look = () => {
      if (isSo()) resolve()
    }
    client.subscribe(look)
    look()
  })
}

export type Answer = (response: ServerResponse, request: IncomingMessage) => void

/**
 * Starts servers that give the same response to every request, like a broken proxy or an unrelated service; closes them
 * after each test of the surrounding `describe`.
 */
export function answersOfTests() {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.close()
      server.closeAllConnections()
    }
  })
  return async (answer: Answer) => {
    const server = createServer((request, response) => {
      request.resume()
      answer(response, request)
    })
    servers.push(server)
    return { origin: await listening(server), clock: { now: START } }
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
