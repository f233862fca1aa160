import { expect } from 'chai'
import type {
  FactorSecret,
  RecoveryCode,
  SealedSecret,
  SecondFactor,
  TimeStep,
} from '../../../src/domain/identity/second-factor.js'
import type { OneTimeCodes, SecondFactors, SecretSeal } from '../../../src/ports/second-factors.js'
import { systemDigest } from '../../../src/adapters/system/index.js'
import type { AuditEntry, AuditTrail } from '../../../src/application/audit/audit-trail.js'
import type { ReplaceLogin } from '../../../src/application/identity/begin-login.js'
import type { Issued } from '../../../src/application/identity/issue.js'
import type { LoggedIn } from '../../../src/application/identity/own-account.js'
import type { CheckAccessToken } from '../../../src/application/identity/presented.js'
import type { Notices } from '../../../src/application/mail/queue-mail.js'
import { ADA, AT, SESSION_ID } from '../../support/logins.js'

export const CLIENT = { address: '192.0.2.1' }
export const CALLER: LoggedIn = {
  kind: 'account',
  accountId: ADA.id,
  email: ADA.email,
  roles: ADA.roles,
  sessionId: SESSION_ID,
  epoch: ADA.epoch,
  endsAt: AT + 1000,
}

/** A factor that was set up at `AT` and has not been confirmed. */
export const PENDING: SecondFactor = { sealedSecret: 'sealed' as SealedSecret, begunAt: AT, recoveryLeft: 0 }
export const ACTIVE: SecondFactor = { ...PENDING, activeSince: AT, recoveryLeft: 10 }
export const [PASSWORD, CODE, RECOVERY] = ['right', '123456', 'ABCDEFGHIJKLMNOP']

/** An audit entry; `by` is the audit call that received it, unless that call was `record`. */
type Entry = AuditEntry & { readonly by?: 'tally' | 'assert' }

export type FakedParts = ReturnType<typeof fakedParts>

/** Fakes for identity operations that record their arguments. The fakes accept `PASSWORD`, `CODE` and `RECOVERY`. */
export function fakedParts(factor?: SecondFactor) {
  const entries: Entry[] = []
  const notices: unknown[] = []
  const attempts: unknown[] = []
  const resealed: unknown[] = []
  const replaced: Parameters<ReplaceLogin>[] = []
  const send: Notices['send'] = async (...args) => void notices.push(args)
  const audit: AuditTrail = {
    record: async (entry) => void entries.push(entry),
    assert: async (entry) => void entries.push({ ...entry, by: 'assert' }),
    tally: async (entry) => void entries.push({ ...entry, by: 'tally' }),
    flush: () => Promise.resolve(),
  }
  const parts = {
    checkAccessToken: (() => expect.fail()) as CheckAccessToken,
    authenticate: async () => CALLER,
    authorize: (() => undefined) as never,
    accounts: { find: async () => ADA } as never,
    hasher: { verify: async (text: string) => text === PASSWORD, hash: async () => 'hashed' } as never,
    secondFactors: {
      find: async () => factor,
      begin: async () => 'begun',
      activate: async () => 'activated',
      takeStep: async () => 'taken',
      takeRecovery: async () => 'taken',
      remove: async () => 'removed',
      renewRecovery: async () => 'renewed',
      reseal: async (...args) => {
        resealed.push(args)
        return 'resealed'
      },
    } satisfies SecondFactors as SecondFactors,
    oneTimeCodes: {
      freshSecret: () => 'SECRET' as FactorSecret,
      freshRecoveryCode: () => RECOVERY as RecoveryCode,
      enrolment: () => ({ uri: 'uri', qrCode: 'qr' }),
      stepOf: (_secret, code) => (code === CODE ? (7 as TimeStep) : undefined),
    } satisfies OneTimeCodes as OneTimeCodes,
    secretSeal: {
      seal: async (secret) => `sealed anew ${secret}` as SealedSecret,
      open: async () => ({ secret: 'SECRET' as FactorSecret, isCurrent: true }),
    } satisfies SecretSeal as SecretSeal,
    assertFresh: () => undefined,
    codeThrottle: async (...args: unknown[]) => {
      attempts.push(args)
      return () => Promise.resolve()
    },
    audit,
    notices: { send },
    digest: systemDigest,
    clock: () => AT,
    replaceLogin: (async (...args) => {
      replaced.push(args)
      return { accessToken: 'next' } as Issued
    }) as ReplaceLogin,
  }
  return { parts, entries, notices, attempts, resealed, replaced }
}
