import { Refusal, type Message, type RefusalCode } from '../../src/domain/refusal.js'

/** The refusal that this ends with; anything else is a fault of the test. */
export async function refusalOf(promise: Promise<unknown>): Promise<Refusal> {
  const outcome = await promise.then(
    (value: unknown) => new Error(`was not refused: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  )
  if (outcome instanceof Refusal) return outcome
  throw outcome
}

/** Code, field and type of a refusal with one message. */
export async function refused(
  promise: Promise<unknown>,
): Promise<readonly [RefusalCode, string | undefined, Message['type'] | undefined]> {
  const { code, messages } = await refusalOf(promise)
  return [code, messages[0]?.field, messages[0]?.type]
}
