import {
  type AccountId,
  emailChanges,
  formerEmails,
  type FormerEmail,
  type StoredEmail,
} from '../../domain/identity/account.js'
import type { Email } from '../../domain/identity/email.js'
import type { Connection } from './driver.js'

/** Selects the emails that are possibly not canonical; any other email is canonical already. */
const CANDIDATES = `
  SELECT id, email FROM accounts
  WHERE id > ? AND (email GLOB '*[^ -~]*' OR email LIKE '%xn--%' OR email LIKE '%.') ORDER BY id LIMIT 1000`

type EmailRow = readonly [id: AccountId, email: Email]

/** Gives accounts from an earlier release their canonical emails, within the transaction of the schema step. */
export function canonicaliseEmails(connection: Connection): void {
  const candidates = connection.prepare<EmailRow>(CANDIDATES)
  const former: FormerEmail[] = []
  for (let page = candidates.all(0); page.length > 0; page = candidates.all(page.at(-1)?.[0] ?? 0))
    former.push(...formerEmails(page.map(storedOf)))
  const holder = connection.prepare<EmailRow>('SELECT id, email FROM accounts WHERE email = ?')
  const canonical = [...new Set(former.map((one) => one.canonical))]
  const holders = canonical.flatMap((email) => holder.all(email).map(storedOf))
  const replace = connection.prepare('UPDATE accounts SET email = ?, entered_email = ? WHERE id = ?')
  const relist = connection.prepare('UPDATE memberships SET email = ? WHERE account_id = ?')
  const share = connection.prepare('UPDATE accounts SET shared_email = ? WHERE id = ?')
  for (const { kind, id, email, canonical } of emailChanges(former, holders)) {
    if (kind === 'share') share.run(canonical, id)
    else {
      replace.run(canonical, email, id)
      relist.run(canonical, id)
    }
  }
}

function storedOf([id, email]: EmailRow): StoredEmail {
  return { id, email }
}
