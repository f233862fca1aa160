import { createInterface } from 'node:readline'
import { pathToFileURL } from 'node:url'

type Handler = (event: unknown) => Promise<unknown>

// Answers one event a line with one line, one after the other, as the runtime of a function does.
const [, , program = ''] = process.argv
const { handler } = (await import(pathToFileURL(program).href)) as { handler: Handler }
for await (const line of createInterface({ input: process.stdin })) {
  console.log(JSON.stringify(await handler(JSON.parse(line))))
}
