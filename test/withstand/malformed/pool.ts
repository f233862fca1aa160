/** An account that is logged in, and what it sends. */
export type Member = {
  readonly id: number
  readonly email: string
  /** The pair `name=value`. */
  readonly cookie: string
  readonly accessToken: string
  readonly refreshToken: string
}

/** What valid requests are made of. */
export type Pool = {
  /** Only their data are changed. */
  readonly members: readonly Member[]
  /** Their logins end, their passwords change. */
  readonly victims: readonly Member[]
  readonly apiKey: string
  readonly petIds: readonly number[]
  readonly projectIds: readonly number[]
}
