import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './project.js'

/** Where the build puts what the command starts from. */
export const BUNDLE = join(PROJECT, 'dist', 'app')

type Contents = {
  /** What it was made from: each file with its hash. */
  readonly inputs: Readonly<Record<string, string>>
  /** The packages that each file of it holds code of. */
  readonly packages: Readonly<Record<string, readonly string[]>>
}

export function bundleContents(): Contents {
  return JSON.parse(readFileSync(join(BUNDLE, 'contents.json'), 'utf8')) as Contents
}
