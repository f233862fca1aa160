/** A larger batch would keep its first callers waiting, and its reply would need a second batch of the cursor. */
const LARGEST_BATCH = 64

/**
 * Batches calls: all questions of one turn of the event loop become one command at its end, because a command costs far
 * more than its content. Each caller gets the answer, or the error, of the whole batch.
 */
export function batchCalls<Question, Answer>(
  askAll: (questions: readonly Question[]) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  let open: { readonly questions: Question[]; readonly answer: Promise<Answer> } | undefined

  function begin() {
    const questions: Question[] = []
    const answer = endOfTurn().then(() => {
      if (open?.questions === questions) open = undefined
      return askAll(questions)
    })
    return { questions, answer }
  }

  return (question) => {
    const { questions, answer } = (open ??= begin())
    if (questions.push(question) === LARGEST_BATCH) open = undefined
    return answer
  }
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
