import type { UserExport } from '../../application/accounts/export-user.js'
import { withIsoTimes } from '../../domain/instant.js'
import { Refusal } from '../../domain/refusal.js'
import { LONG_EXPORT } from '../description/refusals.js'

/** Returns the JSON form of an export. */
export async function exportedUser(data: UserExport): Promise<object> {
  const { sessions, apiKeys, projects, auditRecords, ...rest } = data
  const { account, secondFactor, passkeys, resetTokens, proofs, mails } = rest
  return {
    account: withIsoTimes(account),
    secondFactor: secondFactor ? withIsoTimes(secondFactor) : null,
    passkeys: passkeys.map(withIsoTimes),
    resetTokens: resetTokens.map((at) => new Date(at).toISOString()),
    proofs: proofs.map(withIsoTimes),
    mails: mails.map(withIsoTimes),
    sessions: await all(sessions),
    apiKeys: await all(apiKeys),
    projects: await all(projects),
    auditRecords: await all(auditRecords),
  }
}

/** The maximum number of rows per list in an export over HTTP, because this reply is built in memory. The command has no limit. */
const EXPORTED_ROWS_MAX = 10_000

async function all(pages: AsyncIterable<readonly object[]>): Promise<object[]> {
  const rows: object[] = []
  for await (const page of pages) {
    rows.push(...page.map(withIsoTimes))
    if (rows.length > EXPORTED_ROWS_MAX) throw new Refusal('conflict', LONG_EXPORT)
  }
  return rows
}
