import type { RequestListener } from 'node:http'
import type { MailParts } from '../application/infrastructure.js'
import type { Offered, UseCases } from '../application/use-cases.js'
import { unavailable } from '../domain/refusal.js'
import type { Configuration } from '../configuration/configuration.js'
import type { PartialStore } from '../ports/store.js'
import type { Service } from './container.js'
import { configuredCredentials } from './credentials.js'
import { httpSettings } from './http-settings.js'
import { infrastructureOf, modeOf } from './infrastructure.js'
import type { ProcessParts } from './process-parts.js'

/** What requests are answered with. */
export type AnsweringParts = {
  readonly store: PartialStore
  readonly publicUrl: string
  readonly passphrase: string
  /** Where this process sends mails. */
  readonly mail?: Omit<MailParts, 'audit'> | undefined
  readonly onMailQueued: () => void
  readonly isStopping: () => boolean
}

/** What answers requests in one process, and what it is made of. */
export type Answering = Service<Offered<UseCases>> & { readonly answer: RequestListener }

/** Composes everything that is behind a request. Rejects where the configuration needs a port that the store lacks. */
export async function composeAnswering(
  configuration: Configuration,
  { store, publicUrl, passphrase, mail, onMailQueued, isStopping }: AnsweringParts,
  parts: ProcessParts,
): Promise<Answering> {
  const { log, metrics } = parts
  // Keys are derived on a thread of their own: what is heavy is loaded meanwhile.
  const [credentials, { composeService }, { createHttpService }] = await Promise.all([
    configuredCredentials(configuration, { passphrase, publicUrl }),
    import('./container.js'),
    import('../adapters/koa/http-service.js'),
  ])
  const { publicKeys, ...keys } = credentials
  const given = { ...infrastructureOf(configuration, { store, ...parts }), auditBatched: true, onMailQueued }
  const service = composeService({ ...given, ...keys }, modeOf(configuration), mail)
  const handle = createHttpService({
    useCases: service.useCases,
    settings: httpSettings(configuration, publicUrl, publicKeys),
    readiness: () => (isStopping() ? Promise.reject(unavailable('stopping')) : store.ready()),
    log,
    ...(metrics && { metrics }),
  }).callback()
  return { ...service, answer: (request, response) => void handle(request, response) }
}
