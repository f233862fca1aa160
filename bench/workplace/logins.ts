import type { Request } from 'autocannon'
import { systemKdf } from '../../src/adapters/scrypt/kdf.js'
import { writeScryptHash } from '../../src/adapters/scrypt/stored-hash.js'
import type { AuditRecord, AuditRecordId } from '../../src/domain/audit.js'
import type { AccountId } from '../../src/domain/identity/account.js'
import type { PasswordHash } from '../../src/domain/identity/password.js'

/** The password of every account. */
export const PASSWORD = 'a password of the bench'
/** The service's default. */
export const COST = { logN: 17, r: 8, p: 1 }

/** The hash of `PASSWORD`, as the service stores it. */
export async function hashOfPassword(): Promise<PasswordHash> {
  return writeScryptHash(await systemKdf.derive(PASSWORD, COST)) as PasswordHash
}

/** The login of an account whose password is `PASSWORD`. */
export function loginRequest(email: string): Request {
  return {
    method: 'POST',
    path: '/api/auth/login',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  }
}

/** The audit record of a login. */
export function loginRecord(id: string, at: number, account: AccountId): AuditRecord {
  return {
    id: id as AuditRecordId,
    at,
    event: 'login',
    actor: `account:${account}`,
    subject: `account:${account}`,
    address: '192.0.2.1',
    requestId: 'bench-bench-bench',
    outcome: 'success',
    accounts: [account],
  }
}
