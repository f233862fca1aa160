import { createInterface } from 'node:readline'
import { Writable, type Readable } from 'node:stream'
import { UsageFault } from './operation.js'

/** Where a password can come from; the process's own streams, or those of a test. */
export type Terminal = {
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: Writable
}

/** Asks one line on a terminal without showing what is typed; Ctrl-C and Ctrl-D end the command. */
export function askHidden(question: string, { input, output }: Terminal): Promise<string> {
  const silence = new Writable({
    write: (_chunk, _encoding, done) => {
      done()
    },
  })
  output.write(question)
  const lines = createInterface({ input, output: silence, terminal: true, historySize: 0 })
  return new Promise((resolve, reject) => {
    lines.once('SIGINT', () => {
      reject(new UsageFault('Nothing was entered.'))
      lines.close()
    })
    lines.once('line', (line) => {
      resolve(line)
      lines.close()
    })
    lines.once('close', () => {
      output.write('\n')
      reject(new UsageFault('Nothing was entered.'))
    })
  })
}
