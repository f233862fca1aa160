import { execFileSync } from 'node:child_process'
import { delimiter } from 'node:path'

export type Node = { readonly binary: string; readonly version: string }

/** The binaries in NODE_BINARIES, separated as in PATH; by default, only the binary that runs this process. */
export const NODES: readonly Node[] = (process.env['NODE_BINARIES'] ?? process.execPath)
  .split(delimiter)
  .map((binary) => ({ binary, version: execFileSync(binary, ['--version'], { encoding: 'utf8' }).trim() }))
