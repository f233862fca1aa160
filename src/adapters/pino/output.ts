import fs from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from '../../configuration/opened-file.js'
import type { Milliseconds } from '../../domain/instant.js'
import { createTally, isAuditRecord, linesOf } from './dropped-lines.js'

/** Accepts whole lines for a reader that may be slow, stall or close the pipe. No call waits for the reader, and no call throws. */
export type Output = {
  write(lines: string | Uint8Array): void
  /**
   * Writes a line that must not be lost, after all waiting lines. Resolves with `false` if the reader has closed the pipe or does not read
   * the line within half a second. The line is then dropped, unless a part of the line was already written.
   */
  keep(line: string): Promise<boolean>
  /** Returns whether audit records are being written: `false` from the first lost record until no lines are waiting. */
  isKeeping(): boolean
  /** Registers the callback `hear`, which receives the number of dropped lines when all waiting lines are written. */
  onResumed(hear: (dropped: number) => void): void
  /** Resolves when everything is written, or after the timeout. */
  flushed(timeout: Milliseconds): Promise<void>
}

/** Writes some of the bytes and returns the number of bytes written; throws `EAGAIN` if the reader currently accepts no bytes. */
type WriteSome = (bytes: Uint8Array) => number

/** Maximum number of waiting bytes; further lines are dropped and counted. */
const WAITING_MAX = 1024 * 1024
/** Additional buffer for audit records, enough for about 1,000 records, so that a flood of other lines cannot displace them. */
const AUDIT_MAX = 256 * 1024
const RETRY: Milliseconds = 20
/** The longest time that an ending process, or a line that must not be lost, waits for a reader that reads nothing. */
const LAST_WAIT: Milliseconds = 500

const opened = new Map<1 | 2, Output>()

/** All callers get the same object, so that lines from different callers do not mix. */
export function standardOutput(descriptor: 1 | 2): Output {
  const output = opened.get(descriptor) ?? createOutput(writerOf(descriptor))
  opened.set(descriptor, output)
  return output
}

/**
 * Buffers up to 1 MiB while the reader reads nothing or the disk is full, and retries; audit records have additional space. `onEnd`
 * receives a function to call when the process ends; the function waits as long as the reader continues to read.
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

  /** Accepts audit records while the additional buffer for them has room, and drops all other lines. */
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

function createQueue(writeSome: WriteSome) {
  let waiting: Uint8Array[] = []
  let size = 0
  let failure: unknown
  return {
    size: () => size,
    isGone: () => failure === 'EPIPE',
    isStalled: () => failure === 'EAGAIN',
    add: (bytes: Uint8Array) => {
      waiting.push(bytes)
      size += bytes.length
    },
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

/** Writes the remaining bytes synchronously, but does not wait for a stalled reader. */
function drain(queue: Queue, pass: () => void): void {
  for (let left = LAST_WAIT; queue.size() > 0 && left > 0; left -= RETRY) {
    const before = queue.size()
    pass()
    if (!queue.isStalled()) return
    if (queue.size() < before) left = LAST_WAIT
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY)
  }
}

type KeepParts = {
  readonly queue: Queue
  readonly pass: () => void
  readonly accept: (bytes: Uint8Array) => void
}

/** Writes the line once no other lines are waiting. Resolves with `false` if the reader does not read the whole line in time. */
async function keep(line: Uint8Array, { queue, pass, accept }: KeepParts): Promise<boolean> {
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

function writeAll(writeSome: WriteSome, bytes: Uint8Array): { count: number; failure: unknown } {
  let count = 0
  try {
    while (count < bytes.length) count += writeSome(bytes.subarray(count))
    return { count, failure: undefined }
  } catch (error) {
    return { count, failure: codeOf(error) }
  }
}

function writerOf(descriptor: 1 | 2): WriteSome {
  const unblocked = unblockedOf(descriptor)
  return (bytes) => fs.writeSync(unblocked, bytes)
}

/**
 * Returns a file descriptor on which writes do not wait for a reader. Writes to files never wait. Pipes and terminals are reopened, because
 * setting a flag on the existing descriptor would affect every process that shares it. A socket, or a pipe that belongs to another user,
 * cannot be reopened, but Node makes its descriptor non-blocking when it creates a stream.
 */
function unblockedOf(descriptor: 1 | 2): number {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = fs.constants
  try {
    // Uses `bigint`: in Node 20, `fstat` of a pipe without it makes `realpath`, and therefore `import`, miss symbolic links.
    if (fs.fstatSync(descriptor, { bigint: true }).isFile()) return descriptor
    return fs.openSync(`/proc/self/fd/${descriptor}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    return (descriptor === 1 ? process.stdout : process.stderr).fd
  }
}
