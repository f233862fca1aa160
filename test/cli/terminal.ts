import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { APP, type Workplace } from './app.js'

export type Screen = {
  readonly code: number | null
  readonly text: string
}

/** The text that the user types as soon as the screen shows the text `after`. */
export type Typing = { readonly after: string; readonly text: string }

/**
 * Runs `app <command>` on a pseudo terminal. `command` is a shell command line, so it can redirect a stream. The
 * `script` command of util-linux or BSD creates the pseudo terminal.
 */
export async function onTerminal(
  place: Workplace,
  command: string,
  typing: readonly Typing[] = [],
): Promise<Screen> {
  const line = `${quoted(process.execPath)} ${quoted(APP)} ${command}`
  const args =
    process.platform === 'darwin' ? ['-q', '/dev/null', 'sh', '-c', line] : ['-qec', line, '/dev/null']
  const child = spawn('script', args, { cwd: place.folder, env: { ...place.env, TERM: 'xterm' } })
  const waiting = [...typing]
  let text = ''
  let seen = 0
  const take = (chunk: Buffer) => {
    text += chunk.toString()
    const [next] = waiting
    const found = next ? text.indexOf(next.after, seen) : -1
    if (!next || found === -1) return
    seen = found + next.after.length
    waiting.shift()
    child.stdin.write(next.text)
  }
  child.stdout.on('data', take)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, text }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
