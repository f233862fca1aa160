import { createClosingGate, type ClosingGate } from './closing-gate.js'
import { wrapPort, type PortFunction } from '../application/wrap-port.js'
import { answersSynchronously, METHODS, readInput, type Checks, type Inputs, type Methods } from './inputs.js'

/** Checks the input of every call of a host, until it is closed. */
export type Gate = Pick<ClosingGate, 'isClosed' | 'pass' | 'close'> & {
  /** Keeps only known methods. Each refuses input of another type, and refuses every call after `close`. */
  guard<Some extends Partial<Methods>>(methods: Some): Pick<Some, keyof Some & keyof Methods>
}

export function createGate(checks: Checks): Gate {
  const { isClosed, assertOpen, pass, close } = createClosingGate('This Kennel is closed.')

  function guarded(name: keyof Inputs, method: PortFunction): PortFunction {
    if (answersSynchronously(name)) {
      return (...args) => {
        assertOpen()
        const answer = method(...readInput(name, args, checks))
        return name === 'importUsers' ? guarded('importUser', answer as PortFunction) : answer
      }
    }
    return (...args) => pass(() => method(...readInput(name, args, checks)) as Promise<unknown>)
  }

  return {
    // Only functions that `METHODS` names are wrapped.
    guard: (methods) => wrapPort(methods, (method, name) => guarded(name as keyof Inputs, method), METHODS),
    isClosed,
    pass,
    close,
  }
}
