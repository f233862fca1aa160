/**
 * A part of the caller's own has not kept a law of its port, where that can be seen; what was asked
 * is not done. Known by its `code`, also where it comes from another copy of the package. It holds
 * nothing of what the part has answered.
 */
export class PartError extends Error {
  /** What to know it by. */
  readonly code = 'broken-part'
  /** Of `kennel-id/ports`, such as `PasswordHasher`. */
  readonly port: string
  /** The function of the port; empty where the port is one itself. */
  readonly call: string
  /** What the call must answer. */
  readonly law: string
  /** What of the answer breaks it, such as `session.current.number`; empty where it is the answer as a whole. */
  readonly member: string

  constructor(
    port: string,
    call: string,
    law: string,
    { member, problem }: { member: string; problem: string },
  ) {
    const broken = `${call === '' ? port : `${port}.${call}`} breaks its law: it must answer ${law}`
    super(member === '' ? broken : `${broken}; "${member}" ${problem}`)
    this.name = 'PartError'
    this.port = port
    this.call = call
    this.law = law
    this.member = member
  }
}
