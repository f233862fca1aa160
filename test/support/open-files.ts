import { readdirSync, readlinkSync } from 'node:fs'

/** The paths below a folder that this process has open. Only Linux lists them. */
export function openFilesIn(folder: string): readonly string[] {
  return readdirSync('/proc/self/fd')
    .map(pathOf)
    .filter((path) => path.startsWith(folder))
}

function pathOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    // The descriptor that reads this folder.
    return ''
  }
}
