import { bindServer } from '../../src/adapters/koa/index.js'
import { OPERATOR } from '../../src/domain/access/caller.js'
import { httpPermissions } from '../../src/composition-root/http-settings.js'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../src/domain/access/permissions.js'
import { SILENT_LOG } from '../../src/ports/log.js'
import type { Store } from '../../src/ports/store.js'
import { cheapKdf } from '../support/cheap-kdf.js'
import type { Client } from '../support/http/client.js'
import { listenerOf } from '../support/http/host.js'
import { createQuickClient } from '../support/http/quick-client.js'
import { RESETS_PERMITTED } from '../support/http/resetting.js'
import { httpSettings } from '../support/http/settings.js'
import { createPostbox, ownTemplates, type Postbox } from '../support/mail/postbox.js'
import { composeUseCases, type Composed } from '../support/use-cases.js'
import type { Rules } from './rules.js'
import { ROLES } from './world.js'

/** The real service on a real socket, for one request after the other. */
export type Service = Pick<Composed, 'useCases' | 'mails' | 'clock' | 'account'> & {
  readonly store: Store
  readonly client: Client
  readonly postbox: Postbox
  /** The store stays open. */
  close(): Promise<void>
}

const { user } = DEFAULT_PERMISSIONS.roles
const own = [...(user?.components?.['auth'] ?? []), 'delete-account']
/** The default permissions, resets for everyone, removals of pets and of the own account. */
const PERMISSIONS: PermissionRules = {
  roles: { ...RESETS_PERMITTED.roles, user: { components: { ...user?.components, auth: own, pets: ['*'] } } },
}

/**
 * What `startService` starts, without what that keeps of every request: nothing is logged, measured or remembered, for
 * histories come by the hundred thousand.
 */
export async function serve(rules: Rules, store: Store): Promise<Service> {
  const server = await bindServer('127.0.0.1', 0, { requestTimeout: 30_000, observers: { log: SILENT_LOG } })
  const publicUrl = `http://127.0.0.1:${server.port}`
  const postbox = createPostbox()
  const { mode, tokens: tokenUse, petSecurity, limit, grace: refreshGrace, ...lifetimes } = rules
  const composed = await composeUseCases({
    ...{ store, publicUrl, mode, tokenUse, petSecurity, permissions: PERMISSIONS, kdf: cheapKdf },
    lifetimes: { ...lifetimes, refreshGrace },
    mail: { mailer: postbox.mailer, templates: ownTemplates() },
    ...(limit && { loginLimit: limit }),
  })
  const { useCases, credentials, permissions } = composed
  const settings = httpSettings({
    ...{
      publicUrl,
      stateless: mode !== 'stateful',
      trustProxy: 1,
      petSecurity,
      limitsAttempts: limit !== undefined,
    },
    publicKeys: credentials.publicKeys,
    grantedTo: httpPermissions(permissions),
  })
  const readiness = () => store.ready()
  server.serve(listenerOf({ useCases, settings, readiness, log: SILENT_LOG, bodyTimeout: 15_000 }))
  await addRoles(composed)
  const client = createQuickClient(publicUrl)
  const close = async () => {
    client.close()
    await server.drain(1000)
  }
  return { ...composed, client, postbox, close }
}

async function addRoles({ useCases, store }: Composed): Promise<void> {
  const known = (await store.roles.list()).map(({ key }) => String(key))
  const missing = ROLES.filter((key) => !known.includes(key))
  for (const key of missing) await useCases.createRole({ caller: OPERATOR, key, label: `Label of ${key}` })
}
