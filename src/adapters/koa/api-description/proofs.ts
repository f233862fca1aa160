/** The security requirement of a route that wants an identity: both credentials, or the token alone. */
export function provenBy(stateless: boolean): Record<string, never[]> {
  return stateless ? { BearerAuth: [] } : { SessionCookie: [], BearerAuth: [] }
}
