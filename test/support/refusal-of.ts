import { Refusal, type Message, type RefusalCode } from '../../src/domain/refusal.js'

/** Returns the refusal with which the promise rejects; any other result fails the test. */
export async function refusalOf(promise: Promise<unknown>): Promise<Refusal> {
  const outcome = await promise.then(
    (value: unknown) => new Error(`was not refused: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )
  if (outcome instanceof Refusal) return outcome
  throw outcome
}

/** Returns the refusal that a call throws synchronously. */
export const refusalOfCall = (call: () => unknown) => refusalOf(Promise.resolve().then(call))

export async function codeOf(promise: Promise<unknown>): Promise<RefusalCode> {
  return (await refusalOf(promise)).code
}

export async function refused(
  promise: Promise<unknown>,
): Promise<readonly [RefusalCode, string | undefined, Message['type'] | undefined]> {
  const { code, messages } = await refusalOf(promise)
  return [code, messages[0]?.field, messages[0]?.type]
}

/** Returns the whole content of an error: its code, each message as `field type: text`, and in brackets the detail for the log. */
export async function wordsOf(promise: Promise<unknown>): Promise<string> {
  const { code, messages, detail } = await refusalOf(promise)
  const told = messages.map(({ field, type, message }) => [field, `${type}: ${message}`].join(' ').trim())
  return [code, ...told, ...(detail === undefined ? [] : [`(${detail})`])].join(' | ')
}

/** Returns the whole content of the error that a call throws synchronously. */
export async function wordsOfCall(call: () => unknown): Promise<string> {
  return await wordsOf(Promise.resolve().then(call))
}
