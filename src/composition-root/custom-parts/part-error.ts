/**
 * The answer of a custom part breaks a law of its port; the call rejects. Its `code` identifies it, also across copies of
 * the package. It contains no part of the answer.
 */
export class PartError extends Error {
  readonly code = 'broken-part'
  /** The name of the port in `kennel-id/ports`, such as `PasswordHasher`. */
  readonly port: string
  /** The call of the port; empty if the port is a function itself. */
  readonly call: string
  /** The answer that the port promises. */
  readonly law: string
  /** The wrong member of the answer, such as `session.current.number`; empty if the answer as a whole is wrong. */
  readonly member: string

  constructor(
    port: string,
    call: string,
    law: string,
    { member, problem }: { member: string; problem: string },
  ) {
    const broken = `${call === '' ? port : `${port}.${call}`} breaks its law: it must return ${law}`
    super(member === '' ? broken : `${broken}; "${member}" ${problem}`)
    this.name = 'PartError'
    this.port = port
    this.call = call
    this.law = law
    this.member = member
  }
}
