import type { Email } from '../domain/identity/email.js'

/** A request to sign up, before anything is stored. */
export type AccountAdmission = {
  readonly email: Email
  /** The client of the request; absent if the host passes none. */
  readonly client:
    { readonly address?: string | undefined; readonly userAgent?: string | undefined } | undefined
  /** The answer to a bot challenge, as the client sent it. */
  readonly challenge: string | undefined
}

/** Decides about a sign-up before anything is stored: allows it, denies it, or demands that the client solve a bot challenge first. */
export type AdmitAccount = (admission: AccountAdmission) => Promise<'allow' | 'deny' | 'challenge'>
