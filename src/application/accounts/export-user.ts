import type { ApiKey } from '../../domain/access/api-key.js'
import type { RoleKey } from '../../domain/access/role.js'
import { isOfOwnClient, type AuditRecord } from '../../domain/audit.js'
import { defined } from '../../domain/plain-data.js'
import { mailEmails, type Account, type AccountId } from '../../domain/identity/account.js'
import type { Proof } from '../../domain/identity/proof.js'
import type { Session, SessionId } from '../../domain/identity/session.js'
import type { Instant } from '../../domain/instant.js'
import type { MailJob } from '../../domain/mail.js'
import { PAGE_LIMIT_MAX, type PageLimit } from '../../domain/page-limit.js'
import type { Project } from '../../domain/project/project.js'
import type { MailQueue } from '../../ports/mail.js'
import { within } from '../access/within.js'
import { fields, text } from '../fields.js'
import { viewOf, type PasskeyView } from '../identity/passkeys/own-passkeys.js'
import { operation } from '../operation.js'
import { changedPages, pagesOf } from '../pages.js'
import { retryCalls } from '../retrying.js'
import { summaryOf, type UserSummary } from './list-users.js'
import { affectedAccount } from './named-account.js'
import type { GivenShared } from '../shared-parts.js'

/** The account data in an export, without hash and epoch. */
export type ExportedAccount = UserSummary & { readonly hasPassword: boolean }

/** A second factor, without its secret or codes. */
export type ExportedSecondFactor = {
  readonly begunAt: Instant
  readonly activeSince?: Instant
  readonly recoveryCodesLeft: number
}

/** A session, without its key, digest or token data. `impersonated` marks an impersonation; the other account is not named. */
export type ExportedSession = {
  readonly id: SessionId
  readonly createdAt: Instant
  readonly refreshedAt: Instant
  readonly endsAt: Instant
  /** The short name of the client that logged in, and the network of its IP address. */
  readonly client?: string
  readonly network?: string
  /** The network of the IP address at the last refresh. */
  readonly refreshedFrom?: string
  readonly secondFactor: boolean
  readonly impersonated: boolean
}

/** An email that has not been sent yet, without any token. */
export type ExportedMail = Omit<MailJob, 'id' | 'email'>

/** An email proof that the account requested, without its secrets. */
export type ExportedProof = Pick<Proof, 'purpose' | 'email' | 'until'>

/** An API key that the account created, without its digest. */
export type ExportedApiKey = Omit<ApiKey, 'createdBy' | 'roles'> & { readonly roles: readonly RoleKey[] }

/** A record of the audit log; the client is omitted unless it is the account's own client. */
export type ExportedRecord = Omit<AuditRecord, 'accounts' | 'countKey'>

/** All data about one account. Long lists are split into pages that are read on demand. */
export type UserExport = {
  readonly account: ExportedAccount
  readonly secondFactor: ExportedSecondFactor | undefined
  /** Passkeys, without their keys. */
  readonly passkeys: readonly PasskeyView[]
  /** The expiry times of all stored reset tokens, valid or not. */
  readonly resetTokens: readonly Instant[]
  readonly proofs: readonly ExportedProof[]
  readonly mails: readonly ExportedMail[]
  readonly sessions: AsyncIterable<readonly ExportedSession[]>
  readonly apiKeys: AsyncIterable<readonly ExportedApiKey[]>
  readonly projects: AsyncIterable<readonly Project[]>
  readonly auditRecords: AsyncIterable<readonly ExportedRecord[]>
}

const OPTIONAL_PORTS = [
  ...(['apiKeys', 'secondFactors', 'passkeys', 'proofs', 'mailQueue', 'projects', 'auditLog'] as const),
] as const
const PORTS = ['accounts', 'sessions', ...OPTIONAL_PORTS] as const
export const EXPORT_PARTS = [...PORTS, 'clock', 'retrying'] as const
export const OPTIONAL_EXPORT_PARTS = [...OPTIONAL_PORTS, 'retrying'] as const

type ExportParts = GivenShared<typeof EXPORT_PARTS, typeof OPTIONAL_EXPORT_PARTS>

const PAGE = 500

/** Returns all data about one account for its owner, without credentials. Audited. Refuses with `invalid` or `not-found`. */
export const exportUser = operation({
  permission: ['user', 'export'],
  input: fields({ email: text, within }),
  parts: [...EXPORT_PARTS, 'assertWithin', 'audit'],
  optional: OPTIONAL_EXPORT_PARTS,
  run:
    (parts) =>
    async (call): Promise<UserExport> => {
      const accounts = retryCalls(parts.accounts, parts.retrying)
      const account = await affectedAccount({ ...parts, accounts }, call)
      await parts.audit.record({ event: 'user.export', caller: call.caller, subject: account.id })
      return await readExport(parts, account)
    },
})

export async function readExport(parts: ExportParts, account: Account): Promise<UserExport> {
  const retried = PORTS.map((name) => [name, parts[name] && retryCalls(parts[name], parts.retrying)])
  const all = { ...parts, ...(Object.fromEntries(retried) as ExportParts) }
  const { secondFactors, passkeys, proofs, mailQueue } = all
  const { id } = account
  const factor = await secondFactors?.find(id)
  const mails = await mailsTo(mailQueue, account)
  const own = (await proofs?.listOf(id)) ?? []
  return {
    account: exportedAccount(account),
    secondFactor: factor && {
      begunAt: factor.begunAt,
      ...defined({ activeSince: factor.activeSince }),
      recoveryCodesLeft: factor.recoveryLeft,
    },
    passkeys: ((await passkeys?.listOf(id)) ?? []).map(viewOf),
    resetTokens: own.filter(isReset).map(({ until }) => until),
    proofs: own
      .filter((proof) => !isReset(proof))
      .map(({ purpose, email, until }) => ({ purpose, email, until })),
    mails: mails.map(({ id: _, email: __, ...rest }) => rest),
    sessions: changedPages(sessionsOf(all, id), (one) => exportedSession(one, account)),
    apiKeys: keysOf(all, id),
    projects: pagesOf(PAGE_LIMIT_MAX, async (last?: Project) => {
      const page = await all.projects?.page(id, last?.id, PAGE_LIMIT_MAX as PageLimit)
      return page?.projects ?? []
    }),
    auditRecords: changedPages(recordsOf(all, id), (record) => exportedRecord(record, id)),
  }
}

async function mailsTo(mailQueue: MailQueue | undefined, account: Account): Promise<readonly MailJob[]> {
  if (!mailQueue) return []
  const mails = await Promise.all(mailEmails(account).map((email) => mailQueue.listTo(email)))
  return mails.flat().sort((one, other) => (one.id < other.id ? -1 : 1))
}

function exportedAccount(account: Account): ExportedAccount {
  const { roles, ...summary } = summaryOf(account)
  return { ...summary, hasPassword: account.passwordHash !== undefined, roles }
}

function sessionsOf({ sessions, clock }: ExportParts, accountId: AccountId) {
  return pagesOf(PAGE, (after?: Session) =>
    sessions.pageOf({ accountId, limit: PAGE, at: clock(), ...(after && { after }) }),
  )
}

/** Reads all keys, because a store has few keys and cannot look them up by creator. */
async function* keysOf({ apiKeys }: ExportParts, accountId: AccountId) {
  const pages = pagesOf(PAGE, async (last?: ApiKey) => (await apiKeys?.page(last?.id, PAGE)) ?? [])
  for await (const page of pages) {
    const own = page.filter(({ createdBy }) => createdBy === accountId)
    if (own.length > 0)
      yield own.map(({ createdBy: _, roles, ...rest }) => ({ ...rest, roles: roles.map(({ key }) => key) }))
  }
}

function isReset({ purpose }: Proof): boolean {
  return purpose === 'reset-password'
}

function recordsOf({ auditLog }: ExportParts, accountId: AccountId) {
  return pagesOf(PAGE, async (last?: AuditRecord) => {
    const request = { accountId, limit: PAGE, ...(last && { after: last.id }) }
    return (await auditLog?.page(request)) ?? []
  })
}

function exportedSession(session: Session, account: Account): ExportedSession {
  const { id, createdAt, endsAt, current, openedBy, actor, factor } = session
  const { client, network } = (!actor && openedBy) || {}
  return {
    ...{ id, createdAt, refreshedAt: current.issuedAt, endsAt },
    ...defined({ client, network, refreshedFrom: actor ? undefined : current.network }),
    secondFactor: !actor && factor !== undefined && factor === account.secondFactor,
    impersonated: actor !== undefined,
  }
}

function exportedRecord(record: AuditRecord, accountId: AccountId): ExportedRecord {
  const { accounts: _, countKey: __, address, requestId, ...rest } = record
  return isOfOwnClient(record, accountId) ? { ...rest, ...defined({ address, requestId }) } : rest
}
