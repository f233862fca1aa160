import { createClosingGate, type ClosingGate } from './closing-gate.js'
import { wrapPort, type PortFunction } from '../application/wrap-port.js'
import { answersSynchronously, METHODS, readInput, type Checks, type Inputs, type Methods } from './inputs.js'

/** Checks the input of every call from the host application, and refuses every call once the gate is closed. */
export type Gate = ClosingGate & {
  /**
   * Wraps known methods and omits unknown methods. Each wrapped method refuses input of the wrong type, and refuses every call after
   * `close`.
   */
  guard<Some extends Partial<Methods>>(methods: Some): Pick<Some, keyof Some & keyof Methods>
  /** Wraps the known methods without input checks, for callers that have already checked the input. */
  admit<Some extends Partial<Methods>>(methods: Some): Pick<Some, keyof Some & keyof Methods>
}

type ReadInput = (method: keyof Inputs, args: readonly unknown[]) => readonly unknown[]

export function createGate(checks: Checks): Gate {
  const closing = createClosingGate('This Kennel is closed.')
  const { assertOpen, pass } = closing

  function guarded(name: keyof Inputs, method: PortFunction, read: ReadInput): PortFunction {
    if (answersSynchronously(name)) {
      return (...args) => {
        assertOpen()
        const answer = method(...read(name, args))
        return name === 'importUsers' ? guarded('importUser', answer as PortFunction, read) : answer
      }
    }
    return (...args) => pass(() => method(...read(name, args)) as Promise<unknown>)
  }

  // Only functions whose names are in `METHODS` are wrapped.
  function all<Some extends Partial<Methods>>(methods: Some, read: ReadInput): Some {
    return wrapPort(methods, (method, name) => guarded(name as keyof Inputs, method, read), METHODS)
  }

  return {
    guard: (methods) => all(methods, (name, args) => readInput(name, args, checks)),
    admit: (methods) => all(methods, (_, args) => args),
    ...closing,
  }
}
