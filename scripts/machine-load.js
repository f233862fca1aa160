import { readFileSync } from 'node:fs'

/**
 * Begins to watch the machine. The returned function gives the share of all cores, from 0 to 1, that programs other than
 * this one and its ended children have used since; `undefined` on a system without /proc.
 */
export function otherWork() {
  const before = ticks()
  return () => {
    const after = ticks()
    if (before === undefined || after === undefined) return undefined
    const passed = after.total - before.total
    const others = after.busy - before.busy - (after.own - before.own)
    return passed > 0 ? Math.max(0, others / passed) : 0
  }
}

/** Time since the start of the machine, in clock ticks, added up over its cores (proc(5)). */
function ticks() {
  try {
    const [, ...machine] = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0].split(/ +/).map(Number)
    const own = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
      .map(Number)
    const [user, nice, system, idle, waiting, interrupts, softInterrupts, stolen] = machine
    const busy = user + nice + system + interrupts + softInterrupts + stolen
    // utime, stime, cutime and cstime are fields 14 to 17; the fields begin at 3 here.
    return { busy, total: busy + idle + waiting, own: own.slice(11, 15).reduce((sum, one) => sum + one, 0) }
  } catch {
    return undefined
  }
}
