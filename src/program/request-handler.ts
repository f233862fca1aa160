import type { RequestListener } from 'node:http'
import type { Offered, UseCases } from '../application/wiring.js'
import { configuredCredentials } from '../composition-root/credentials.js'
import { httpSettings } from '../composition-root/http-settings.js'
import { infrastructureOf, modeOf } from '../composition-root/infrastructure.js'
import type { Service } from '../composition-root/service.js'
import type { Settings } from '../configuration/derived.js'
import { unavailable } from '../domain/refusal.js'
import type { OpenParts, ProcessParts } from './process-parts.js'

/** Handles the requests of one process with its use cases. */
export type RequestHandler = Service<Offered<UseCases>> & { readonly handle: RequestListener }

/** Rejects if the configuration needs a port that the store lacks. */
export async function composeRequestHandler(
  settings: Settings,
  { store, publicUrl, passphrase, mail, onMailQueued, isStopping }: OpenParts,
  parts: ProcessParts,
): Promise<RequestHandler> {
  const { log, metrics } = parts
  // Keys are derived on another thread: heavy modules are loaded meanwhile.
  const [credentials, { composeService }, { createHttpService }] = await Promise.all([
    configuredCredentials(settings, { passphrase, publicUrl }),
    import('../composition-root/service.js'),
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
