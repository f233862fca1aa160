/** The credentials of a stateful request, as they came. Absent members were not sent. */
export type Presented = {
  readonly accessToken?: string
  /** The content of the session cookie. */
  readonly sessionKey?: string
}
