import { anything, fields, optional, type Parser } from '../fields.js'
import { pageSize, sessionPosition } from '../inputs.js'
import type { Permission } from '../operation.js'
import { presentedInput as presented } from './presented.js'

const code = optional(anything)

/** The permission and the input of each operation that finds its caller by credentials. Fields that it judges itself are `anything`. */
export const IDENTITY_OPERATIONS = {
  login: {
    permission: ['auth', 'login'],
    input: fields({ email: anything, password: anything, code, presented }),
  },
  getIdentity: { permission: ['auth', 'get-identity'], input: presented },
  refresh: { permission: ['auth', 'refresh'], input: fields({ refreshToken: anything, presented }) },
  logout: { permission: ['auth', 'logout'], input: presented },
  deleteAccount: {
    permission: ['auth', 'delete-account'],
    input: fields({ password: anything, code, presented }),
  },
  requestPasswordReset: {
    permission: ['auth', 'reset-password'],
    input: fields({ email: anything, presented }),
  },
  consumeResetToken: {
    permission: ['auth', 'reset-password'],
    input: fields({ email: anything, resetToken: anything, password: anything, presented }),
  },
  changePassword: {
    permission: ['auth', 'change-password'],
    input: fields({ password: anything, newPassword: anything, presented }),
  },
  listOwnSessions: {
    permission: ['auth', 'list-sessions'],
    input: fields({ presented, after: optional(sessionPosition), limit: optional(pageSize) }),
  },
  endOwnSessions: {
    permission: ['auth', 'end-sessions'],
    input: fields({ id: optional(anything), others: optional(anything), presented }),
  },
  readSecondFactor: { permission: ['auth', 'second-factor'], input: presented },
  setUpSecondFactor: {
    permission: ['auth', 'second-factor'],
    input: fields({ password: anything, presented }),
  },
  confirmSecondFactor: {
    permission: ['auth', 'second-factor'],
    input: fields({ code: anything, presented }),
  },
  removeSecondFactor: {
    permission: ['auth', 'second-factor'],
    input: fields({ password: anything, code: anything, presented }),
  },
  renewRecoveryCodes: {
    permission: ['auth', 'second-factor'],
    input: fields({ password: anything, code: anything, presented }),
  },
  loginAs: { permission: ['auth', 'login-as'], input: fields({ userId: anything, code, presented }) },
  logoutAs: { permission: ['auth', 'logout-as'], input: fields({ presented }) },
} as const satisfies Readonly<
  Record<string, { readonly permission: Permission; readonly input: Parser<unknown> }>
>
