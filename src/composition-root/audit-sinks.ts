import { createAuditLines } from '../adapters/pino/index.js'
import type { AuditSink } from '../ports/audit-log.js'
import type { Log } from '../ports/log.js'
import type { Store } from '../ports/store.js'
import type { Configuration } from '../configuration/configuration.js'

/** Where audit records go, as `AUDIT` says. */
export function auditSinksOf({ audit }: Configuration, store: Store, log: Log): readonly AuditSink[] {
  return audit.targets.map((target) => (target === 'store' ? store.audit : createAuditLines(log)))
}
