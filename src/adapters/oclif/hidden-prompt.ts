import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import type { Terminal } from './password-input.js'
import { UsageFault } from './operation.js'

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
