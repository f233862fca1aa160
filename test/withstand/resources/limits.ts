import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'

/** Limits of a process that runs. Anyone may lower the soft one of his own process and raise it again to the hard one. */
export type Limit = 'nofile' | 'fsize'

/** Sets the soft limit, and gives what sets it back. */
export function lowerLimit(pid: number, limit: Limit, to: number): () => void {
  const before = softLimit(pid, limit)
  setSoftLimit(pid, limit, String(to))
  return () => {
    setSoftLimit(pid, limit, before)
  }
}

/** The first number that the next descriptor of this process will have. */
export function nextDescriptor(pid: number): number {
  const taken = new Set(readdirSync(`/proc/${String(pid)}/fd`))
  let next = 0
  while (taken.has(String(next))) next += 1
  return next
}

/** Why no limit can be set here, or nothing. */
export function missingLimits(): string | undefined {
  return spawnSync('prlimit', ['--version'], { stdio: 'ignore' }).status === 0
    ? undefined
    : 'no prlimit (of util-linux) on PATH'
}

function softLimit(pid: number, limit: Limit): string {
  const args = ['--pid', String(pid), `--${limit}`, '--raw', '--noheadings', '--output', 'SOFT']
  return prlimit(args).trim()
}

function setSoftLimit(pid: number, limit: Limit, to: string): void {
  prlimit(['--pid', String(pid), `--${limit}=${to}:`])
}

function prlimit(args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('prlimit', args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`prlimit ${args.join(' ')}: ${stderr}`)
  return stdout
}
