import { inspect } from 'node:util'
import { webListener } from '../../support/http/host.js'
import { createHttpService, bindServer } from '../../../src/adapters/koa/index.js'
import { createPrometheusMetrics } from '../../../src/adapters/prometheus/index.js'
import { httpPermissions } from '../../../src/composition-root/http-settings.js'
import { DEFAULT_PERMISSIONS, type PermissionRules } from '../../../src/domain/access/permissions.js'
import type { Log } from '../../../src/ports/log.js'
import type { Metrics } from '../../../src/ports/metrics.js'
import { httpSettings } from '../../support/http/settings.js'
import { createPostbox, ownTemplates } from '../../support/mail/postbox.js'
import { composeUseCases } from '../../support/use-cases.js'
import type { CheckedStore } from '../checker.js'
import { contentOf } from './content.js'
import type { Answers, Opened, Question } from './messages.js'
import { planted } from './planted.js'
import { createSeeder } from './seeder.js'
import { freshStores } from './stores.js'
import { createTracedStore } from './traced-store.js'

/** Short, so that what never arrives whole is given up soon; in milliseconds. */
const REQUEST_TIMEOUT = 1500

const { everyone } = DEFAULT_PERMISSIONS.roles
/** So that no request is refused for want of a permission alone. */
const PERMITTED: PermissionRules = {
  roles: {
    ...DEFAULT_PERMISSIONS.roles,
    everyone: {
      components: {
        ...everyone?.components,
        auth: [...(everyone?.components?.['auth'] ?? []), 'reset-password'],
      },
    },
    user: { components: { auth: ['*'], pets: ['*'], project: ['*'] } },
  },
}

const [kind = '', place = '', bug] = process.argv.slice(2)
const stores = freshStores(kind as CheckedStore, place)
const tracing = createTracedStore(await stores.open())
const errors: string[] = []
const log: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: (event, fields) => errors.push(`${event} ${inspect(fields).slice(0, 2000)}`),
  enabled: () => true,
}
let stalled = 0
const prometheus = createPrometheusMetrics()
const metrics: Metrics = {
  ...prometheus.metrics,
  connectionClosed: (ending) => {
    if (ending === 'stalled') stalled += 1
    prometheus.metrics.connectionClosed(ending)
  },
}
const observers = { log, metrics }
const options = { requestTimeout: REQUEST_TIMEOUT, observers }
const koa = await bindServer('127.0.0.1', 0, options)
const web = await bindServer('127.0.0.1', 0, options)
const publicUrl = `http://127.0.0.1:${koa.port}`
const composed = await composeUseCases({
  store: tracing.store,
  publicUrl,
  log,
  metrics,
  permissions: PERMITTED,
  mail: { mailer: createPostbox().mailer, templates: ownTemplates() },
})
const settings = httpSettings({
  publicUrl,
  stateless: composed.mode !== 'stateful',
  publicKeys: composed.credentials.publicKeys,
  grantedTo: httpPermissions(composed.permissions),
  docs: true,
})
const sound = { settings, useCases: composed.useCases, listener: tracing.traced }
const checked = planted(bug, sound, tracing.store)
const parts = {
  useCases: checked.useCases,
  settings: checked.settings,
  readiness: () => tracing.store.ready(),
  log,
  metrics,
}
const inKoa = createHttpService(parts).callback()
koa.serve(checked.listener((request, response) => void inKoa(request, response)))
web.serve(checked.listener(webListener({ ...parts, bodyTimeout: REQUEST_TIMEOUT / 2 })))
const seeded = createSeeder(composed)

const answers: { readonly [Name in Question]: () => Promise<Answers[Name]> } = {
  pool: async () => {
    const next = await stores.next()
    if (next) tracing.replace(next)
    const pool = await seeded()
    tracing.take()
    return pool
  },
  content: () => contentOf(tracing.current(), composed.clock.now),
  report: async () => {
    const report = { ...tracing.take(), errors: errors.splice(0), stalled }
    stalled = 0
    return report
  },
  memory: async () => {
    const collect = globalThis.gc
    if (!collect) throw new Error('Start it with --expose-gc.')
    collect()
    const { heapUsed, external, rss } = process.memoryUsage()
    return { heap: heapUsed + external, resident: rss }
  },
  ping: async () => 'alive',
  end: async () => {
    await Promise.all([koa.drain(0), web.drain(0)])
    await stores.close()
    return 'ended'
  },
}

process.on('message', ({ id, question }: { id: number; question: Question }) => {
  void answers[question]().then((answer) => {
    process.send?.({ id, answer })
    if (question === 'end') process.disconnect()
  })
})
process.on('disconnect', () => process.exit())
process.send?.({ id: 0, answer: { koa: koa.port, web: web.port } satisfies Opened })
