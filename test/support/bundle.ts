import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT } from './project.js'

/** The output folder of the command bundle. */
export const BUNDLE = join(PROJECT, 'dist', 'app')

type Contents = {
  /** The source files of the bundle, each with its hash. */
  readonly inputs: Readonly<Record<string, string>>
  /** The packages whose code each file of the bundle contains. */
  readonly packages: Readonly<Record<string, readonly string[]>>
}

export function bundleContents(): Contents {
  return JSON.parse(readFileSync(join(BUNDLE, 'contents.json'), 'utf8')) as Contents
}

/** Every script that ran, of either module system, by the reports of NODE_V8_COVERAGE in this folder. */
export function ranScripts(folder: string): string[] {
  return readdirSync(folder).flatMap((file) => {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as { result: { url: string }[] }
    return result.map(({ url }) => url)
  })
}
