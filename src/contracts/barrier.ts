/** How many callers race. */
const CALLERS = 16
/** How often a race is run: enough to meet an unlucky order, few enough for a store that syncs every commit. */
const ROUNDS = 3

/** Holds every call back until all have arrived, then releases them in one moment; the answers in order. */
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

/** `CALLERS` callers with the numbers 0 to 15, released together. */
export async function race<Answer>(call: (caller: number) => Promise<Answer>): Promise<readonly Answer[]> {
  return await releaseTogether(Array.from({ length: CALLERS }, (_, caller) => () => call(caller)))
}

/** Runs the rounds of a race, one after another. */
export async function inRounds(run: (round: number) => Promise<void>): Promise<void> {
  for (let round = 1; round <= ROUNDS; round += 1) await run(round)
}

/** How often each word came up. */
export function tally(words: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return Object.fromEntries(counts)
}

/** The kinds of some answers, counted. */
export function tallyKinds(answers: readonly { readonly kind: string }[]): Readonly<Record<string, number>> {
  return tally(answers.map((answer) => answer.kind))
}
