import assert from 'node:assert/strict'

/** How many callers race. */
const CALLERS = 16
/** How often a race is run: often enough to hit a rare order, rarely enough for a store that syncs every commit. */
const ROUNDS = 3

/** Holds all calls back until each has started, then releases them together; returns the answers in order. */
export async function releaseTogether<Answer>(calls: readonly (() => Promise<Answer>)[]) {
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

/** Releases `CALLERS` callers with the numbers 0 to 15 together. */
export async function race<Answer>(call: (caller: number) => Promise<Answer>): Promise<readonly Answer[]> {
  return await releaseTogether(numbersBelow(CALLERS).map((caller) => () => call(caller)))
}

/** Runs a race, in which each answer, or kind of answer, must occur as often as `expected` says. */
export async function assertRace<Answer extends Word>(
  expected: Readonly<Record<string, number>>,
  call: (caller: number) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers = await race(call)
  assert.deepEqual(tally(answers), expected)
  return answers
}

/** Calls once for each input, one after another; returns the answers in order. */
export async function inTurn<Input, Answer>(
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

/** Runs the rounds of a race, one after another. */
export async function inRounds(run: (round: number) => Promise<void>): Promise<void> {
  for (let round = 1; round <= ROUNDS; round += 1) await run(round)
}

type Word = string | { readonly kind: string }

/** How often each answer, or kind of answer, came. */
export function tally(answers: readonly Word[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const answer of answers) {
    const word = typeof answer === 'string' ? answer : answer.kind
    counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return Object.fromEntries(counts)
}
