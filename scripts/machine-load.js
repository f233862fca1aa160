import { readFileSync } from 'node:fs'
import { cpus } from 'node:os'

/**
 * Begins to watch the machine. The returned function gives the share of all cores, from 0 to 1, that programs other than
 * this program and its ended children have used since; `undefined` on a system without /proc.
 */
export function otherWork() {
  const before = times()
  return () => {
    const after = times()
    return after && before && Math.max(0, (after.others - before.others) / (after.total - before.total))
  }
}

/** Milliseconds since the start of the machine, added up over its cores. */
function times() {
  try {
    // utime, stime, cutime and cstime are fields 14 to 17 (proc(5)), in hundredths; the fields begin at 3 here.
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    const own = 10 * sum(fields.slice(11, 15).map(Number))
    const cores = cpus().map((core) => core.times)
    const total = sum(cores.flatMap(Object.values))
    return { total, others: total - sum(cores.map(({ idle }) => idle)) - own }
  } catch {
    return undefined
  }
}

const sum = (values) => values.reduce((total, value) => total + value, 0)
