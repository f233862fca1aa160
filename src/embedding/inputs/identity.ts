import * as z from 'zod'
import type { Presented } from '../../application/identity/presented.js'
import type { HttpUseCases } from '../../http/use-cases.js'
import { isAccessToken, type AccessToken } from '../../application/identity/check-access-token.js'
import { NO_COMPONENTS } from '../../domain/access/components.js'
import { MUST_BE } from '../../domain/messages.js'
import {
  isCredentialSource,
  type CredentialSource,
  type Identification,
  type PageRequest,
} from '../identify.js'
import type { InputOf, InputSchemas } from './argument.js'
import { authorizeInputs } from '../own-components.js'
import { client } from './callers.js'
import { members, pageSize, said, sessionPosition, text } from './values.js'

const presented = members<Presented>({
  accessToken: z
    .custom<string | AccessToken>(
      (value) => typeof value === 'string' || isAccessToken(value),
      said(MUST_BE.string),
    )
    .optional(),
  sessionKey: text.optional(),
  client: client.optional(),
})

/** Fields that a use case judges by itself, in the order that its own promise names. */
const raw = z.unknown()

const options = members<{ readonly expired: 'refused' | 'accepted' }>({
  expired: z.enum(['refused', 'accepted']),
})

function request<T extends object>() {
  const schema = z.custom<T>(isCredentialSource, said(MUST_BE.request))
  return { field: 'request', schema }
}
const from = { field: 'client', schema: client.optional() }

/** A request is handed on as it is: what it holds is looked at where it is read. */
export const REQUEST_INPUTS: InputSchemas<Identification> = {
  identify: [request<CredentialSource>(), from],
  identifyPage: [request<PageRequest>(), from],
}

export const IDENTITY_INPUTS = {
  authorize: authorizeInputs(NO_COMPONENTS),
  checkAccessToken: [
    { field: 'token', schema: text.optional() },
    { field: 'options', schema: options.optional() },
  ],
  authenticate: [{ field: '', schema: presented }],
  getIdentity: [{ field: '', schema: presented }],
  logout: [{ field: '', schema: presented }],
  login: [
    {
      field: '',
      schema: members<InputOf<HttpUseCases['login']>>({
        email: raw,
        password: raw,
        code: raw.optional(),
        presented,
      }),
    },
  ],
  refresh: [
    { field: '', schema: members<InputOf<HttpUseCases['refresh']>>({ refreshToken: raw, presented }) },
  ],
  deleteAccount: [
    {
      field: '',
      schema: members<InputOf<HttpUseCases['deleteAccount']>>({
        password: raw,
        code: raw.optional(),
        presented,
      }),
    },
  ],
  requestPasswordReset: [
    { field: '', schema: members<InputOf<HttpUseCases['requestPasswordReset']>>({ email: raw, presented }) },
  ],
  consumeResetToken: [
    {
      field: '',
      schema: members<InputOf<HttpUseCases['consumeResetToken']>>({
        email: raw,
        resetToken: raw,
        password: raw,
        presented,
      }),
    },
  ],
  changePassword: [
    {
      field: '',
      schema: members<InputOf<HttpUseCases['changePassword']>>({
        password: raw,
        newPassword: raw,
        presented,
      }),
    },
  ],
  listOwnSessions: [
    {
      field: '',
      schema: members<InputOf<HttpUseCases['listOwnSessions']>>({
        presented,
        after: sessionPosition.optional(),
        limit: pageSize.optional(),
      }),
    },
  ],
  endOwnSessions: [
    {
      field: '',
      schema: members<InputOf<HttpUseCases['endOwnSessions']>>({
        id: raw.optional(),
        others: raw.optional(),
        presented,
      }),
    },
  ],
  readSecondFactor: [{ field: '', schema: presented }],
  setUpSecondFactor: [
    { field: '', schema: members<InputOf<HttpUseCases['setUpSecondFactor']>>({ password: raw, presented }) },
  ],
  confirmSecondFactor: [
    { field: '', schema: members<InputOf<HttpUseCases['confirmSecondFactor']>>({ code: raw, presented }) },
  ],
  removeSecondFactor: [
    {
      field: '',
      schema: members<InputOf<HttpUseCases['removeSecondFactor']>>({ password: raw, code: raw, presented }),
    },
  ],
  renewRecoveryCodes: [
    {
      field: '',
      schema: members<InputOf<HttpUseCases['renewRecoveryCodes']>>({ password: raw, code: raw, presented }),
    },
  ],
  loginAs: [
    {
      field: '',
      schema: members<InputOf<HttpUseCases['loginAs']>>({ userId: raw, code: raw.optional(), presented }),
    },
  ],
  logoutAs: [{ field: '', schema: members<InputOf<HttpUseCases['logoutAs']>>({ presented }) }],
} satisfies Partial<InputSchemas<HttpUseCases>>
