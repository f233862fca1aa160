import type { ClientContext } from '../client-context.js'

/** The credentials of a request, as they came. Absent members were not sent. */
export type Presented = {
  readonly accessToken?: string | undefined
  /** The content of the session cookie; of no meaning in stateless mode. */
  readonly sessionKey?: string | undefined
  readonly client?: ClientContext | undefined
}
