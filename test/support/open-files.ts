import { readdirSync, readlinkSync } from 'node:fs'

/** Returns the paths below a folder at which this process has open files. Only Linux provides this list. */
export function openFilesIn(folder: string): readonly string[] {
  return readdirSync('/proc/self/fd')
    .map(pathOf)
    .filter((path) => path.startsWith(folder))
}

function pathOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    // The descriptor that listed the descriptors is already closed.
    return ''
  }
}
