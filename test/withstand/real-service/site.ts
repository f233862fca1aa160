import { createClient, type Call, type Client, type Reply } from '../../support/http/client.js'
import { replyCheckBy, type ReplyCheck } from '../../support/http/reply-check.js'
import { UNAVAILABLE } from '../../support/http/expected.js'
import { createSecrets, type Secrets } from '../../support/secrets.js'
import { isDeepStrictEqual } from 'node:util'

/** What came of a request. */
export type Answer =
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** The documented 503: try again shortly. */
  | { readonly kind: 'refused' }
  /** The connection broke, or there was none: what was requested was done or not. */
  | { readonly kind: 'unknown' }

/** A service as its clients see it, and what was found out about it. */
export type Site = {
  readonly origin: string
  /** Every secret that went over the wire. */
  readonly secrets: Secrets
  readonly client: Client
  ask(method: string, path: string, call?: Call): Promise<Answer>
  /** Milliseconds that its clock is ahead of the machine's. */
  ahead: number
  /** While it is so, whatever needs the store has to be refused. */
  mustRefuse: boolean
  /** While it is so, nothing may be refused. */
  healthy: boolean
  operations: number
  acknowledged: number
  failed: number
  readonly violations: string[]
}

/** Documented are 5 s; a machine that does much else takes longer, and a request that hangs takes for ever. */
const HANGS = 60_000
const PET_UNAVAILABLE = { code: 503, message: 'The service is unavailable, try again shortly.' }

export async function openSite(
  origin: string,
  violations: string[],
  secrets = createSecrets(),
): Promise<Site> {
  const checks: ReplyCheck[] = []
  const client = createClient(origin, () => checks[0], huntFor(secrets))
  checks.push(replyCheckBy((await client.call('GET', '/openapi.json')).text))
  const site: Site = {
    origin,
    secrets,
    client,
    ahead: 0,
    mustRefuse: false,
    healthy: true,
    operations: 0,
    acknowledged: 0,
    failed: 0,
    violations,
    ask: (method, path, call) => ask(site, method, path, call),
  }
  return site
}

/** Of a hunt for secrets the clients need no more than where to put them. */
function huntFor(secrets: Secrets) {
  return { secrets, replied: () => undefined }
}

async function ask(site: Site, method: string, path: string, call: Call = {}): Promise<Answer> {
  const what = `${method} ${path}`
  const { mustRefuse, healthy } = site
  const answer = judged(site, what, await inTime(site, what, site.client.call(method, path, call)))
  site.operations += 1
  if (answer.kind !== 'reply') site.failed += 1
  if (answer.kind === 'reply' && answer.reply.status < 300) {
    site.acknowledged += 1
    if (mustRefuse && site.mustRefuse)
      site.violations.push(`${what} was answered with ${String(answer.reply.status)} without a store`)
  }
  if (healthy && site.healthy && answer.kind !== 'reply')
    site.violations.push(`${what} was ${answer.kind} while nothing was wrong`)
  return answer
}

function judged(site: Site, what: string, reply: Reply | undefined): Answer {
  if (!reply) return { kind: 'unknown' }
  if (reply.status < 500) return { kind: 'reply', reply }
  if (!isDocumented(reply)) site.violations.push(`${what}: ${String(reply.status)} ${reply.text}`)
  return { kind: 'refused' }
}

function isDocumented({ status, headers, json }: Reply): boolean {
  return (
    status === 503 &&
    headers['retry-after'] === '2' &&
    [UNAVAILABLE, PET_UNAVAILABLE].some((body) => isDeepStrictEqual(json, body))
  )
}

/** `undefined` where the connection broke; a reply that is not as described is a violation, and one that never comes. */
async function inTime(site: Site, what: string, call: Promise<Reply>): Promise<Reply | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      site.violations.push(`${what} was never answered`)
      resolve(undefined)
    }, HANGS)
  })
  try {
    return await Promise.race([call, late])
  } catch (error) {
    if (!isConnectionError(error)) site.violations.push(`${what}: ${String(error)}`)
    return undefined
  } finally {
    clearTimeout(timer)
  }
}

function isConnectionError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.name !== 'AssertionError'
}
