import fs from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '../../domain/instant.js'
import { createTally, isAuditRecord, linesOf } from './dropped-lines.js'

/** Takes whole lines for a reader that may be slow, stall or close. No call waits for the reader or throws. */
export type Output = {
  write(lines: string | Uint8Array): void
  /**
   * Writes a line that must not be lost, behind all waiting lines. Resolves with `false` if the reader has not taken it within
   * half a second or has gone; the line is then dropped, unless its beginning was written.
   */
  keep(line: string): Promise<boolean>
  /** Whether it has written, or will write, each audit record: `false` from the first lost record until no line waits. */
  isKeeping(): boolean
  /** Calls `hear` with the number of dropped lines when all waiting lines are written. */
  onResumed(hear: (dropped: number) => void): void
  /** Resolves when everything is written, or after the timeout. */
  flushed(timeout: Milliseconds): Promise<void>
}

/** Writes some bytes and returns their number; throws `EAGAIN` if the reader takes none now. */
type WriteSome = (bytes: Uint8Array) => number

/** The largest number of waiting bytes; further lines are dropped and counted. */
const WAITING_MAX = 1024 * 1024
/** Additional bytes for audit records, about 1,000 of them, so that a flood of other lines takes no room from them. */
const AUDIT_MAX = 256 * 1024
/** The pause before the next attempt. */
const RETRY: Milliseconds = 20
/** How long the end of the process, and a line that must not be lost, wait for a reader that takes nothing. */
const LAST_WAIT: Milliseconds = 500

const opened = new Map<1 | 2, Output>()

/** Every caller gets the same object, so that no line is torn. */
export function standardOutput(descriptor: 1 | 2): Output {
  const output = opened.get(descriptor) ?? createOutput(writerOf(descriptor))
  opened.set(descriptor, output)
  return output
}

/**
 * Keeps up to 1 MiB while the reader takes nothing or the disk is full, and retries; audit records have further room.
 * `onEnd` gets a function for the end of the process, which waits while the reader continues to read.
 */
export function createOutput(
  writeSome: WriteSome,
  onEnd: (act: () => void) => unknown = (act) => process.on('exit', act),
): Output {
  const tally = createTally()
  const queue = createQueue(writeSome)
  let timer: NodeJS.Timeout | undefined
  let isEnding = false

  function pass(): void {
    if (queue.size() === 0) return
    queue.pass()
    if (queue.isGone()) queue.takeAll().flatMap(linesOf).forEach(tally.add)
    else if (queue.size() === 0) tally.tell()
    else {
      clearTimeout(timer)
      timer = setTimeout(pass, RETRY).unref()
    }
  }

  function accept(bytes: Uint8Array): void {
    const isFirst = queue.size() === 0
    queue.add(bytes)
    if (isFirst) pass()
    if (isEnding) drain(queue, pass)
  }

  /** Accepts audit records as long as their room suffices, and no other line. */
  function acceptAudit(bytes: Uint8Array): void {
    for (const line of linesOf(bytes)) {
      const hasRoom = isAuditRecord(line) && queue.size() + line.length <= WAITING_MAX + AUDIT_MAX
      if (hasRoom && !queue.isGone()) accept(line)
      else tally.add(line)
    }
  }

  onEnd(() => {
    isEnding = true
    drain(queue, pass)
  })
  return {
    write: (lines) => {
      const bytes = typeof lines === 'string' ? Buffer.from(lines) : lines
      const hasRoom = queue.size() === 0 || queue.size() + bytes.length <= WAITING_MAX
      if (hasRoom && !queue.isGone()) accept(bytes)
      else acceptAudit(bytes)
    },
    keep: async (line) => {
      const isKept = await keep(Buffer.from(line), { queue, pass, accept })
      if (!isKept) tally.lose()
      return isKept
    },
    isKeeping: () => tally.isKeeping() && !queue.isGone(),
    onResumed: tally.onTold,
    flushed: async (timeout) => {
      const end = performance.now() + timeout
      while (queue.size() > 0 && performance.now() < end) await pause(RETRY)
    },
  }
}

type Queue = ReturnType<typeof createQueue>

/** Bytes that wait for the reader. */
function createQueue(writeSome: WriteSome) {
  let waiting: Uint8Array[] = []
  let size = 0
  let failure: unknown
  return {
    size: () => size,
    /** Whether the reader has closed its end. */
    isGone: () => failure === 'EPIPE',
    isStalled: () => failure === 'EAGAIN',
    add: (bytes: Uint8Array) => {
      waiting.push(bytes)
      size += bytes.length
    },
    /** Writes as much as the reader takes. */
    pass: () => {
      const all = waiting.length === 1 && waiting[0] ? waiting[0] : Buffer.concat(waiting)
      const written = writeAll(writeSome, all)
      failure = written.failure
      const rest = all.subarray(written.count)
      waiting = rest.length > 0 ? [rest] : []
      size = rest.length
    },
    takeAll: () => {
      const all = waiting
      waiting = []
      size = 0
      return all
    },
  }
}

/** Blocks, but not for a stalled reader. */
function drain(queue: Queue, pass: () => void): void {
  for (let left = LAST_WAIT; queue.size() > 0 && left > 0; left -= RETRY) {
    const before = queue.size()
    pass()
    if (!queue.isStalled()) return
    if (queue.size() < before) left = LAST_WAIT
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY)
  }
}

type Keeping = {
  readonly queue: Queue
  readonly pass: () => void
  readonly accept: (bytes: Uint8Array) => void
}

/** Writes the line once no other waits. Resolves with `false` if the reader has not taken all of it in time. */
async function keep(line: Uint8Array, { queue, pass, accept }: Keeping): Promise<boolean> {
  let isBegun = false
  for (let left = LAST_WAIT; left > 0 && !queue.isGone(); left -= RETRY) {
    pass()
    if (queue.size() === 0 && !isBegun) {
      accept(line)
      isBegun = queue.size() < line.length
      if (!isBegun) queue.takeAll()
    }
    if (queue.size() === 0 && isBegun && !queue.isGone()) return true
    await pause(RETRY)
  }
  return false
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
