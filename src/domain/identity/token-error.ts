/** Why a token is not good. The message is for the log and holds no part of the token. */
export class TokenFault extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TokenFault'
  }
}

/** Throws a TokenFault with this text where the condition does not hold. */
export function demand(condition: boolean, fault: string): asserts condition {
  if (!condition) throw new TokenFault(fault)
}
