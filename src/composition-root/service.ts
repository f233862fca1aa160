import type { CopySource, Credentials, MailParts, StorePorts } from '../application/infrastructure.js'
import type { PartsCreatedBy } from '../application/table.js'
import {
  MAIL_TABLE,
  OPERATION_TABLE,
  USE_CASE_TABLES,
  type Mode,
  type Offered,
  type Operations,
  type UseCases,
} from '../application/wiring.js'
import { compose } from './container.js'
import { SYSTEM_TABLE, type GivenParts, type SystemParts } from './infrastructure.js'

/** The use cases of a service; without `mails` it sends no mails. */
export type Service<Cases = UseCases> = {
  readonly useCases: Cases & SystemParts
  readonly mails?: PartsCreatedBy<typeof MAIL_TABLE> & Pick<MailParts, 'mailer'>
}

/** The parts with which a process sends mails, without the audit trail, which is made later. */
export type Mail = Omit<MailParts, 'audit'>

/** The compiler sees all ports as given: `compose` leaves out the use cases of missing ports. */
type Complete<Incomplete> = Incomplete & StorePorts & CopySource

/** The use cases of a command; reading a use case whose port the store lacks calls `refuse`. */
export function composeOperations(
  given: GivenParts & Partial<CopySource> & Partial<SystemParts>,
  refuse: (missing: readonly string[]) => never,
): Operations & SystemParts {
  return compose(given as Complete<typeof given>, SYSTEM_TABLE, OPERATION_TABLE, refuse)
}

/** The use cases of a service, all made before the first request. */
export function composeService(
  given: GivenParts & Credentials & Partial<SystemParts>,
  mode: Mode,
  mail?: Mail,
): Service<Offered<UseCases>> {
  const useCases = { ...compose(given as Complete<typeof given>, SYSTEM_TABLE, USE_CASE_TABLES[mode]) }
  return { useCases, ...mailsOf(given, useCases, mail) }
}

/** The use cases of a process that answers no requests: it imports accounts, purges and sends mails. */
export function composeUpkeep(
  given: GivenParts & Partial<CopySource>,
  mail?: Mail,
): Service<Offered<Operations>> {
  const useCases = compose(given as Complete<typeof given>, SYSTEM_TABLE, OPERATION_TABLE)
  return { useCases, ...mailsOf(given, useCases, mail) }
}

/** Mails share the audit trail of the use cases. */
function mailsOf(
  given: GivenParts,
  { audit }: Pick<MailParts, 'audit'>,
  mail?: Mail,
): Pick<Service, 'mails'> {
  if (!mail || !given.mailQueue) return {}
  const complete = given as Complete<typeof given>
  const mails = compose({ ...complete, audit, ...mail }, SYSTEM_TABLE, MAIL_TABLE)
  return { mails: { ...mails, mailer: mail.mailer } }
}
