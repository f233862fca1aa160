import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Offered, UseCases } from '../application/wiring.js'
import { createCredentials } from '../composition-root/credentials.js'
import { httpSettings } from '../composition-root/http-settings.js'
import { infrastructureOf, modeOf } from '../composition-root/infrastructure.js'
import { loadTexts, openPasskeys } from '../composition-root/open-parts.js'
import type { Service } from '../composition-root/service.js'
import type { Settings } from '../configuration/derived.js'
import type { Milliseconds } from '../domain/instant.js'
import { unavailable } from '../domain/refusal.js'
import type { OpenParts, ProcessParts } from './process-parts.js'
import { createDirectReplies } from '../adapters/node/direct-replies.js'
import type { DirectParts } from '../http/direct-parts.js'

/** Handles the requests that one process receives, using that process's use cases. */
export type RequestHandler = Service<Offered<UseCases>> & {
  readonly handle: (...request: Parameters<Listener>) => void
}

/** Rejects if the configuration needs a port that the store lacks. */
export async function composeRequestHandler(
  settings: Settings,
  { store, publicUrl, passphrase, mail, onMailQueued, isStopping }: OpenParts,
  parts: ProcessParts,
): Promise<RequestHandler> {
  const { log, metrics } = parts
  // Loads heavy modules while another thread derives the keys.
  const [credentials, pageTexts, passkeys, { composeService }, { createHttpInterface }] = await Promise.all([
    createCredentials(settings, { passphrase, publicUrl }),
    loadTexts(settings),
    openPasskeys(settings, publicUrl),
    import('../composition-root/service.js'),
    import('../http/http-interface.js'),
  ])
  const { publicKeys, ...keys } = credentials
  const infrastructure = {
    ...infrastructureOf(settings, { store, ...parts }),
    auditBatched: true,
    onMailQueued,
  }
  const service = composeService({ ...infrastructure, ...keys, ...passkeys }, modeOf(settings), mail)
  const httpParts = {
    useCases: service.useCases,
    settings: httpSettings(settings, { publicUrl, publicKeys, pageTexts }),
    readiness: async () => {
      if (isStopping()) throw unavailable('stopping')
      await store.ready()
      if (settings.audit.includes('log') && (await log.isKeepingAudit?.()) === false)
        throw unavailable(NOT_KEPT)
    },
    log,
    ...(metrics && { metrics }),
  }
  const http = createHttpInterface(httpParts)
  const { handle, preload } = createRequestListener({ log, metrics, http, prefix: '' }, async () => {
    const { createStack } = await import('../adapters/koa/stack.js')
    return createStack(http, httpParts).callback()
  })
  setTimeout(() => void preload(), PRELOAD_DELAY).unref()
  return { ...service, handle: (request, response) => void handle(request, response) }
}

const NOT_KEPT = 'the log does not accept audit records'

/** An upgrade may replace the files of a running service, so the service preloads the remaining modules after this short delay. */
const PRELOAD_DELAY: Milliseconds = 1000

export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export type RequestListener = {
  readonly handle: Listener
  /** Immediately loads the listener for requests that are not plain GETs. Never rejects. */
  readonly preload: () => Promise<void>
}

/**
 * Replies to plain GET requests directly, and passes all other requests to a listener that is loaded when it is first needed. Loading it at
 * startup would take a tenth of the startup time. If loading fails, the connection is closed, and the next request tries to load the
 * listener again.
 */
export function createRequestListener(parts: DirectParts, load: () => Promise<Listener>): RequestListener {
  const { log } = parts
  const replyDirectly = createDirectReplies(parts)
  let loading: Promise<Listener> | undefined

  async function loadOnce(): Promise<Listener> {
    try {
      return await (loading ??= load())
    } catch (error) {
      loading = undefined
      throw error
    }
  }

  function logFailure(error: unknown): void {
    log.error('reply failed', { error })
  }

  return {
    handle: async (request, response) => {
      if (replyDirectly(request, response)) return
      try {
        const other = await loadOnce()
        await other(request, response)
      } catch (error) {
        logFailure(error)
        response.destroy()
      }
    },
    preload: () => loadOnce().then(() => undefined, logFailure),
  }
}
