/**
 * Thrown if a custom part's result breaks a law of its port. Its `code` identifies the error, even across copies of the package. The error
 * contains no part of the result.
 */
export class PartError extends Error {
  readonly code = 'broken-part'
  /** The name of the port in `kennel-id/ports`, such as `PasswordHasher`. */
  readonly port: string
  /** The name of the port's call; empty if the port itself is a function. */
  readonly call: string
  /** What the call must return. */
  readonly law: string
  /** The invalid member of the result, such as `session.current.number`; empty if the whole result is invalid. */
  readonly member: string

  constructor(
    port: string,
    call: string,
    law: string,
    { member, problem }: { member: string; problem: string },
  ) {
    const broken = `${call === '' ? port : `${port}.${call}`} breaks its contract: it must return ${law}`
    super(member === '' ? broken : `${broken}; "${member}" ${problem}`)
    this.name = 'PartError'
    this.port = port
    this.call = call
    this.law = law
    this.member = member
  }
}
