import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { join } from 'node:path'
import { PROJECT } from '../support/project.js'
import { toolPath } from '../support/required-tools.js'

/** The checker Porcupine: a process that reads one history per line, and prints `Ok`, `Illegal` or `Unknown`. */
export function startPorcupine() {
  const folder = join(PROJECT, 'test', 'porcupine')
  const child = spawn(toolPath('go'), ['run', '.'], { cwd: folder, stdio: ['pipe', 'pipe', 'inherit'] })
  const verdicts = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    async judge(line: string): Promise<string> {
      child.stdin.write(`${line}\n`)
      const next: IteratorResult<string, undefined> = await verdicts.next()
      if (next.done) throw new Error('The Go program has ended: its output above says why.')
      return next.value
    },
    end: () => child.stdin.end(),
  }
}
