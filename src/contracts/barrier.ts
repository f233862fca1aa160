// Starts concurrent calls at the same moment for laws about races.
import assert from 'node:assert/strict'

const CALLERS = 16
/**
 * Number of times a race is repeated: high enough for a rare order of calls to occur, and low enough for a store that syncs every commit.
 */
const ROUNDS = 3

/** Starts all calls at the same time, and returns their results in the order of the calls. */
export async function startTogether<Answer>(calls: readonly (() => Promise<Answer>)[]) {
  let open = (): void => undefined
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const answers = calls.map(async (call) => {
    await gate
    return await call()
  })
  open()
  return await Promise.all(answers)
}

/** Starts 16 calls, numbered from 0, at the same time. */
export async function race<Answer>(call: (caller: number) => Promise<Answer>): Promise<readonly Answer[]> {
  return await startTogether(numbersBelow(CALLERS).map((caller) => () => call(caller)))
}

/** Runs a race and asserts how often each result, or each kind of result, occurs. */
export async function assertRace<Answer extends Word>(
  expected: Readonly<Record<string, number>>,
  call: (caller: number) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers = await race(call)
  assert.deepEqual(tally(answers), expected)
  return answers
}

/** Calls `call` with each input sequentially and returns the results in order. */
export async function eachInOrder<Input, Answer>(
  inputs: Iterable<Input>,
  call: (input: Input, index: number) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = []
  for (const input of inputs) answers.push(await call(input, answers.length))
  return answers
}

export function numbersBelow(count: number): readonly number[] {
  return Array.from({ length: count }, (_, number) => number)
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

export async function inRounds(run: (round: number) => Promise<void>): Promise<void> {
  for (let round = 1; round <= ROUNDS; round += 1) await run(round)
}

type Word = string | { readonly kind: string }

/** Counts how often each result, or each kind of result, occurs. */
export function tally(answers: readonly Word[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const answer of answers) {
    const word = typeof answer === 'string' ? answer : answer.kind
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}
