/** Why a token is invalid. The message is for the log and holds no part of the token. */
export class TokenError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TokenError'
  }
}

/** Throws a TokenError with this text if the condition does not hold. */
export function assert(condition: boolean, error: string): asserts condition {
  if (!condition) throw new TokenError(error)
}
