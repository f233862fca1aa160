import type { RequestListener } from 'node:http'
import type { MailParts } from '../application/infrastructure.js'
import type { Offered, UseCases } from '../application/wiring.js'
import { unavailable } from '../domain/refusal.js'
import type { Settings } from '../configuration/derived.js'
import type { PartialStore } from '../ports/store.js'
import type { Service } from '../composition-root/container.js'
import { configuredCredentials } from '../composition-root/credentials.js'
import { httpSettings } from '../composition-root/http-settings.js'
import { infrastructureOf, modeOf } from '../composition-root/infrastructure.js'
import type { ProcessParts } from './process-parts.js'

/** The parts of a request handler. */
export type HandlerParts = {
  readonly store: PartialStore
  readonly publicUrl: string
  readonly passphrase: string
  /** Given if this process sends mails. */
  readonly mail?: Omit<MailParts, 'audit'> | undefined
  readonly onMailQueued: () => void
  readonly isStopping: () => boolean
}

/** Handles the requests of one process, with the use cases behind them. */
export type RequestHandler = Service<Offered<UseCases>> & { readonly handle: RequestListener }

/** Composes everything behind a request. Rejects if the configuration needs a port that the store lacks. */
export async function composeRequestHandler(
  settings: Settings,
  { store, publicUrl, passphrase, mail, onMailQueued, isStopping }: HandlerParts,
  parts: ProcessParts,
): Promise<RequestHandler> {
  const { log, metrics } = parts
  // Keys are derived on another thread: heavy modules are loaded meanwhile.
  const [credentials, { composeService }, { createHttpService }] = await Promise.all([
    configuredCredentials(settings, { passphrase, publicUrl }),
    import('../composition-root/container.js'),
    import('../adapters/koa/http-service.js'),
  ])
  const { publicKeys, ...keys } = credentials
  const given = { ...infrastructureOf(settings, { store, ...parts }), auditBatched: true, onMailQueued }
  const service = composeService({ ...given, ...keys }, modeOf(settings), mail)
  const answer = createHttpService({
    useCases: service.useCases,
    settings: httpSettings(settings, { publicUrl, publicKeys }),
    readiness: () => (isStopping() ? Promise.reject(unavailable('stopping')) : store.ready()),
    log,
    ...(metrics && { metrics }),
  }).callback()
  return { ...service, handle: (request, response) => void answer(request, response) }
}
