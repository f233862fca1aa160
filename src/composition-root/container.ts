import 'reflect-metadata'
import { Container } from 'inversify'
import type { CopySource, Credentials, MailParts, StorePorts } from '../application/infrastructure.js'
import { missingFor, type MadeBy, type Row, type Table } from '../application/table.js'
import {
  MAIL_TABLE,
  OPERATION_TABLE,
  USE_CASE_TABLES,
  type Mode,
  type Offered,
  type Operations,
  type UseCases,
} from '../application/wiring.js'
import { SYSTEM_TABLE, type Given, type SystemParts } from './infrastructure.js'

/** What a service works with; without `mails` none can leave. */
export type Service<Cases = UseCases> = {
  readonly useCases: Cases & SystemParts
  readonly mails?: MadeBy<typeof MAIL_TABLE> & Pick<MailParts, 'mailer'>
}

/**
 * What a command works with: each use case is made when the command first asks for it. `refuse` throws where one cannot
 * be made, for want of these ports of the store.
 */
export function composeOperations(
  given: Given & Partial<CopySource> & Partial<SystemParts>,
  refuse: (missing: readonly string[]) => never,
): Operations & SystemParts {
  return compose(given as Complete<typeof given> & CopySource, SYSTEM_TABLE, OPERATION_TABLE, refuse)
}

/** As if every port were given: what needs one that is not there is left out or refused, see `compose`. */
type Complete<Incomplete> = Incomplete & StorePorts

/** What a service works with: all of it is made at once, before the first request. */
export function composeService(
  given: Given & StorePorts & Credentials & Partial<SystemParts>,
  mode: Mode,
  mail?: Omit<MailParts, 'audit'>,
): Service
export function composeService(
  given: Given & Credentials & Partial<SystemParts>,
  mode: Mode,
  mail?: Omit<MailParts, 'audit'>,
): Service<Offered<UseCases>>
export function composeService(
  given: Given & Credentials & Partial<SystemParts>,
  mode: Mode,
  mail?: Omit<MailParts, 'audit'>,
): Service<Offered<UseCases>> {
  const complete = given as Complete<typeof given>
  const useCases = { ...compose(complete, SYSTEM_TABLE, USE_CASE_TABLES[mode]) }
  if (!mail || !given.mailQueue) return { useCases }
  // What is made already is given, so that none of it is made twice.
  const mails = compose({ ...complete, ...useCases, ...mail }, SYSTEM_TABLE, MAIL_TABLE)
  return { useCases, mails: { ...mails, mailer: mail.mailer } }
}

/** What a process works with that answers no request: it brings in accounts, purges, and sends mails. */
export function composeUpkeep(
  given: Given & Partial<CopySource>,
  mail?: Omit<MailParts, 'audit'>,
): Service<Offered<Operations>> {
  const complete = given as Complete<typeof given> & CopySource
  const useCases = compose(complete, SYSTEM_TABLE, OPERATION_TABLE)
  if (!mail || !given.mailQueue) return { useCases }
  const mails = compose({ ...complete, audit: useCases.audit, ...mail }, SYSTEM_TABLE, MAIL_TABLE)
  return { useCases, mails: { ...mails, mailer: mail.mailer } }
}

/**
 * What two tables make of what is given, each part once, when it is first asked for, and then nothing but what it is
 * made of. The graph is synchronous: connections are open already. What is given stands in for a row of its name.
 * A part that is missing or of another type does not compile. What cannot be made for want of a port that a store may
 * lack is not there, or, where there is a `refuse`, is refused when it is asked for.
 */
export function compose<Given extends object, Own, Makes>(
  given: Given & Partial<NoInfer<Own>>,
  own: Table<NoInfer<Given>, Own>,
  table: Table<NoInfer<Given & Own>, Makes>,
  refuse?: (missing: readonly string[]) => never,
): Own & Makes {
  const rows = { ...own.rows, ...table.rows }
  const container = new Container()

  function bind(name: string): void {
    if (container.isBound(name)) return
    const row = Object.hasOwn(given, name) ? undefined : rows[name]
    if (row) bindRow(name, row)
    else container.bind(name).toConstantValue(given[name as keyof Given])
  }

  function bindRow(name: string, { factory, parts, renamed = {} }: Row): void {
    const sources = [...parts, ...Object.values(renamed)]
    const names = [...parts, ...Object.keys(renamed)]
    const build = (...values: unknown[]) =>
      factory(Object.fromEntries(names.map((part, index) => [part, values[index]])) as never)
    container.bind(name).toResolvedValue(build, sources as never).inSingletonScope()
    for (const source of sources) bind(source)
  }

  const made = {}
  for (const name of Object.keys(rows)) {
    const missing = missingFor(name, rows, (part) => Object.hasOwn(given, part))
    if (missing.length > 0 && !refuse) continue
    const get = () => {
      if (missing.length > 0) refuse?.(missing)
      bind(name)
      return container.get(name)
    }
    Object.defineProperty(made, name, { get, enumerable: true })
  }
  return made as Own & Makes
}
