import fs from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '../../domain/instant.js'

/** Takes whole lines for a reader that may be slow, stall or close. No call waits for the reader or throws. */
export type Output = {
  write(lines: string | Uint8Array): void
  /** Calls `hear` with the number of dropped lines when all waiting lines are written. */
  onResumed(hear: (dropped: number) => void): void
  /** Resolves when everything is written, or after the timeout. */
  flushed(timeout: Milliseconds): Promise<void>
}

/** Writes some bytes and returns their number; throws `EAGAIN` if the reader takes none now. */
type WriteSome = (bytes: Uint8Array) => number

/** The largest number of waiting bytes; further lines are dropped and counted. */
const WAITING_MAX = 1024 * 1024
/** The pause before the next attempt. */
const RETRY: Milliseconds = 20
/** How long the end of the process waits for a reader that takes nothing. */
const LAST_WAIT: Milliseconds = 500

let droppedInAll = 0

/** The number of lines that this process has dropped. */
export function droppedLines(): number {
  return droppedInAll
}

const opened = new Map<1 | 2, Output>()

/** Every caller gets the same object, so that no line is torn. */
export function standardOutput(descriptor: 1 | 2): Output {
  const output = opened.get(descriptor) ?? createOutput(writerOf(descriptor))
  opened.set(descriptor, output)
  return output
}

/**
 * Keeps up to 1 MiB while the reader takes nothing or the disk is full, and retries. `onEnd` gets a function
 * for the end of the process, which waits while the reader continues to read.
 */
export function createOutput(
  writeSome: WriteSome,
  onEnd: (act: () => void) => unknown = (act) => process.on('exit', act),
): Output {
  const tally = createTally()
  let waiting: Uint8Array[] = []
  let size = 0
  let failure: unknown
  let timer: NodeJS.Timeout | undefined
  let isEnding = false

  function pass(): void {
    const all = waiting.length === 1 && waiting[0] ? waiting[0] : Buffer.concat(waiting)
    const written = writeAll(writeSome, all)
    failure = written.failure
    const rest = isGone() ? all.subarray(all.length) : all.subarray(written.count)
    waiting = rest.length > 0 ? [rest] : []
    size = rest.length
    if (size > 0) tryLater()
    else tally.tell()
  }

  const isGone = () => failure === 'EPIPE'

  function tryLater(): void {
    clearTimeout(timer)
    timer = setTimeout(pass, RETRY).unref()
  }

  /** Blocks, but not for a stalled reader. */
  function drain(): void {
    for (let left = LAST_WAIT; size > 0 && left > 0; left -= RETRY) {
      const before = size
      pass()
      if (failure !== 'EAGAIN') return
      if (size < before) left = LAST_WAIT
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY)
    }
  }

  onEnd(() => {
    isEnding = true
    drain()
  })
  return {
    write: (lines) => {
      if (isGone()) return
      const bytes = typeof lines === 'string' ? Buffer.from(lines) : lines
      if (size > 0 && size + bytes.length > WAITING_MAX) {
        tally.add(linesIn(bytes))
        return
      }
      waiting.push(bytes)
      const isFirst = size === 0
      size += bytes.length
      if (isFirst) pass()
      if (isEnding) drain()
    },
    onResumed: tally.onTold,
    flushed: async (timeout) => {
      const end = performance.now() + timeout
      while (size > 0 && performance.now() < end) await pause(RETRY)
    },
  }
}

/** Counts dropped lines until they are reported. */
function createTally() {
  const hearers: ((dropped: number) => void)[] = []
  let dropped = 0
  return {
    onTold: (hear: (dropped: number) => void) => hearers.push(hear),
    add: (count: number) => {
      dropped += count
      droppedInAll += count
    },
    tell: () => {
      const count = dropped
      dropped = 0
      if (count > 0) for (const hear of hearers) hear(count)
    },
  }
}

/** Writes until everything is written or a write fails. */
function writeAll(writeSome: WriteSome, bytes: Uint8Array): { count: number; failure: unknown } {
  let count = 0
  try {
    while (count < bytes.length) count += writeSome(bytes.subarray(count))
    return { count, failure: undefined }
  } catch (error) {
    return { count, failure: codeOf(error) }
  }
}

function linesIn(bytes: Uint8Array): number {
  return bytes.reduce((count, byte) => (byte === 0x0a ? count + 1 : count), 0)
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : 'unknown'
}

function writerOf(descriptor: 1 | 2): WriteSome {
  const unblocked = unblockedOf(descriptor)
  return (bytes) => fs.writeSync(unblocked, bytes)
}

/**
 * A descriptor with writes that do not wait for a reader. Files never wait. Pipes and terminals are opened
 * again, because a flag of the descriptor would affect every process that shares it. A socket, or a pipe of
 * another user, cannot be opened again: Node makes it non-blocking when it creates a stream.
 */
function unblockedOf(descriptor: 1 | 2): number {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = fs.constants
  try {
    // `bigint`, because after a plain fstat of a pipe `realpath`, and so `import`, may overlook symbolic links
    // in Node 20.
    if (fs.fstatSync(descriptor, { bigint: true }).isFile()) return descriptor
    return fs.openSync(`/proc/self/fd/${descriptor}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    return (descriptor === 1 ? process.stdout : process.stderr).fd
  }
}
