import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isWorker } from './workers/protocol.js'

/** The entry point of the bundle, which the executable calls. */
export async function main(): Promise<void> {
  showSourceLines(import.meta.dirname)
  if (isWorker()) (await import('./workers/worker.js')).runWorker()
  else await runCommand()
}

/** A worker does not load oclif, because oclif changes standard output so that writes may be delayed. */
async function runCommand(): Promise<void> {
  const { prepareForOclif } = await import('../configuration/environment.js')
  prepareForOclif()
  const [{ runCommandLine }, { COMMANDS }] = await Promise.all([
    import('../adapters/oclif/run.js'),
    import('./commands.js'),
  ])
  await runCommandLine(COMMANDS, import.meta.dirname)
}

const POSITION = /(?<![\w.-])([\w.-]+\.js):(\d+):(\d+)(?=\)?$)/

/**
 * Makes stack traces show the files and lines of src. `folder` contains the bundle and its source maps. A source map is read only when a
 * stack trace first needs it, whereas Node's `process.setSourceMapsEnabled` reads each file's map at every start. A frame without a source
 * position stays unchanged.
 */
export function showSourceLines(folder: string): void {
  const begin = `${pathToFileURL(folder).href}/`
  const maps = new Map<string, SourceMap | undefined>()
  const mapOf = (file: string) => {
    if (!maps.has(file)) maps.set(file, readMap(join(folder, `${file}.map`)))
    return maps.get(file)
  }
  const inSource = (frame: string) => {
    const [, file = '', line, column] = POSITION.exec(frame) ?? []
    const place = frame.includes(begin + file) && sourceOf(mapOf(file), Number(line), Number(column))
    return place ? frame.replace(begin + file, '').replace(/:\d+:\d+(?=\)?$)/, place) : frame
  }
  Error.prepareStackTrace = (error, frames) =>
    [
      Error.prototype.toString.call(error),
      ...frames.map(String).map((frame) => `    at ${inSource(frame)}`),
    ].join('\n')
}

/** Returns `undefined` if no source map can be read, because that failure must not hide the original error. */
function readMap(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(path, 'utf8')) as SourceMapPayload)
  } catch {
    return undefined
  }
}

function sourceOf(map: SourceMap | undefined, line: number, column: number): string | undefined {
  const entry = map?.findEntry(line - 1, column - 1)
  if (!entry || !('originalSource' in entry) || !entry.originalSource) return undefined
  const source = entry.originalSource.replace(/^(?:\.\.\/)+/, '')
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
}
