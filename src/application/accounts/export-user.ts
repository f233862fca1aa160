import type { RoleKey } from '../../domain/access/role.js'
import { isOfOwnClient, type AuditRecord, type AuditRecordId } from '../../domain/audit.js'
import { mailEmails, shownEmail, type Account, type AccountId } from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { Session, SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { MailJob } from '../../domain/mail.js'
import { PAGE_LIMIT_MAX, type PageLimit } from '../../domain/page-limit.js'
import type { Project, ProjectId } from '../../domain/project/project.js'
import type { Accounts } from '../../ports/accounts.js'
import type { AuditLog } from '../../ports/audit-log.js'
import type { Clock } from '../../ports/clock.js'
import type { MailQueue } from '../../ports/mail-queue.js'
import type { Projects } from '../../ports/projects.js'
import type { SecondFactors } from '../../ports/second-factors.js'
import type { SessionPosition, Sessions } from '../../ports/sessions.js'
import type { AuditTrail } from '../audit/audit-trail.js'
import { fields, text } from '../fields.js'
import { operation } from '../operation.js'
import { retried, type WithRetrying } from '../retrying.js'
import { namedAccount } from './named-account.js'

/** What is kept about an account itself: no hash, no epoch. */
export type ExportedAccount = {
  readonly id: AccountId
  readonly email: Email
  readonly createdAt: Instant
  readonly disabledAt?: Instant
  readonly hasPassword: boolean
  readonly roles: readonly RoleKey[]
}

/** A second factor: no secret, no code. */
export type ExportedSecondFactor = {
  readonly begunAt: Instant
  /** Absent where it was set up and not confirmed. */
  readonly activeSince?: Instant
  readonly recoveryCodesLeft: number
}

/** A session: no key, no digest, nothing that a token is made of. Of another account that acts in it nothing but that. */
export type ExportedSession = {
  readonly id: SessionId
  readonly createdAt: Instant
  readonly refreshedAt: Instant
  readonly endsAt: Instant
  /** The short name of the client that logged in, and its address network. */
  readonly client?: string
  readonly network?: string
  /** That of the last refresh. */
  readonly refreshedFrom?: string
  /** Whether it was begun with a second factor. */
  readonly secondFactor: boolean
  readonly impersonated: boolean
}

/** A mail that has not left yet; it holds no token. */
export type ExportedMail = Omit<MailJob, 'id' | 'email'>

/** A record of the audit log. Where another client than the account's own is known, nothing is told of it. */
export type ExportedRecord = Omit<AuditRecord, 'accounts' | 'countKey'>

/** Everything that is kept about one account. What can be long comes in pages, which are read as they are asked for. */
export type UserExport = {
  readonly account: ExportedAccount
  readonly secondFactor: ExportedSecondFactor | undefined
  /** Until when each reset token was made for that is kept, good or not. */
  readonly resetTokens: readonly Instant[]
  readonly mails: readonly ExportedMail[]
  readonly sessions: AsyncIterable<readonly ExportedSession[]>
  /** Those that it has created. */
  readonly projects: AsyncIterable<readonly Project[]>
  readonly auditRecords: AsyncIterable<readonly ExportedRecord[]>
}

/** What an account is exported from. */
export type ExportUserParts = WithRetrying & {
  accounts: Accounts
  sessions: Sessions
  /** Those that the store has. */
  secondFactors?: SecondFactors | undefined
  mailQueue?: MailQueue | undefined
  projects?: Projects | undefined
  auditLog?: AuditLog | undefined
  audit: AuditTrail
  clock: Clock
}

const PAGE = 500

/**
 * All data about one account, for its owner: nothing that logs in, and nothing about other accounts. It is audited. Refuses with
 * `invalid` and `not-found`.
 */
export const exportUser = operation({
  permission: ['user', 'export'],
  input: fields({ email: text }),
  parts: [
    ...(['accounts', 'sessions', 'secondFactors', 'mailQueue', 'projects'] as const),
    ...(['auditLog', 'audit', 'clock', 'retrying'] as const),
  ],
  optional: ['secondFactors', 'mailQueue', 'projects', 'auditLog', 'retrying'],
  run: (parts: ExportUserParts) => {
    const { accounts, secondFactors, mailQueue, audit, ...paged } = retriedParts(parts)
    return async ({ caller, email }): Promise<UserExport> => {
      const account = await namedAccount(accounts, email)
      const { id } = account
      await audit.record({ event: 'user.export', caller, subject: id })
      const factor = await secondFactors?.find(id)
      const mails = await mailsTo(mailQueue, account)
      return {
        account: exportedAccount(account),
        secondFactor: factor && {
          begunAt: factor.begunAt,
          ...(factor.activeSince !== undefined && { activeSince: factor.activeSince }),
          recoveryCodesLeft: factor.recoveryLeft,
        },
        resetTokens: await accounts.resetTokenEnds(id),
        mails: mails.map(({ id: _, email: __, ...rest }) => rest),
        sessions: sessionsOf(paged, id),
        projects: projectsOf(paged, id),
        auditRecords: recordsOf(paged, id),
      }
    }
  },
})

function retriedParts(parts: ExportUserParts): ExportUserParts {
  const { retrying, accounts, sessions, secondFactors, mailQueue, projects, auditLog } = parts
  return {
    ...parts,
    accounts: retried(accounts, retrying),
    sessions: retried(sessions, retrying),
    secondFactors: secondFactors && retried(secondFactors, retrying),
    mailQueue: mailQueue && retried(mailQueue, retrying),
    projects: projects && retried(projects, retrying),
    auditLog: auditLog && retried(auditLog, retrying),
  }
}

async function mailsTo(mailQueue: MailQueue | undefined, account: Account): Promise<readonly MailJob[]> {
  if (!mailQueue) return []
  const mails = await Promise.all(mailEmails(account).map((email) => mailQueue.listTo(email)))
  return mails.flat().sort((one, other) => (one.id < other.id ? -1 : 1))
}

function exportedAccount(account: Account): ExportedAccount {
  const { id, createdAt, disabledAt, passwordHash, roles } = account
  return {
    ...{ id, email: shownEmail(account), createdAt },
    ...(disabledAt !== undefined && { disabledAt }),
    hasPassword: passwordHash !== undefined,
    roles: roles.map(({ key }) => key),
  }
}

async function* sessionsOf(
  { sessions, clock }: Pick<ExportUserParts, 'sessions' | 'clock'>,
  accountId: AccountId,
): AsyncGenerator<readonly ExportedSession[]> {
  let after: SessionPosition | undefined
  do {
    const request = { accountId, limit: PAGE, at: clock(), ...(after && { after }) }
    const page = await sessions.pageOf(request)
    if (page.length > 0) yield page.map(exportedSession)
    after = page.length < PAGE ? undefined : page.at(-1)
  } while (after)
}

function exportedSession(session: Session): ExportedSession {
  const { id, createdAt, endsAt, current, openedBy, actor, factor } = session
  const { client, network } = (!actor && openedBy) || {}
  const refreshedFrom = actor ? undefined : current.network
  return {
    ...{ id, createdAt, refreshedAt: current.issuedAt, endsAt },
    ...(client !== undefined && { client }),
    ...(network !== undefined && { network }),
    ...(refreshedFrom !== undefined && { refreshedFrom }),
    secondFactor: !actor && factor === true,
    impersonated: actor !== undefined,
  }
}

async function* projectsOf(
  { projects }: Pick<ExportUserParts, 'projects'>,
  accountId: AccountId,
): AsyncGenerator<readonly Project[]> {
  let after: ProjectId | undefined
  do {
    const page = await projects?.page(accountId, after, PAGE_LIMIT_MAX as PageLimit)
    if (page && page.projects.length > 0) yield page.projects
    after = page?.next
  } while (after !== undefined)
}

async function* recordsOf(
  { auditLog }: Pick<ExportUserParts, 'auditLog'>,
  accountId: AccountId,
): AsyncGenerator<readonly ExportedRecord[]> {
  let after: AuditRecordId | undefined
  do {
    const request = { accountId, limit: PAGE, ...(after !== undefined && { after }) }
    const page = (await auditLog?.page(request)) ?? []
    if (page.length > 0) yield page.map((record) => exportedRecord(record, accountId))
    after = page.length < PAGE ? undefined : page.at(-1)?.id
  } while (after !== undefined)
}

function exportedRecord(record: AuditRecord, accountId: AccountId): ExportedRecord {
  const { accounts: _, countKey: __, address, requestId, ...rest } = record
  if (!isOfOwnClient(record, accountId)) return rest
  return {
    ...rest,
    ...(address !== undefined && { address }),
    ...(requestId !== undefined && { requestId }),
  }
}
