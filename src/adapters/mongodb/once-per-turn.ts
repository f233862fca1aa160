/** More in one command would make the first of them wait for too long; a reply without a second batch holds as many. */
const LARGEST_BATCH = 64

/**
 * Asks once for all that is asked for in one turn of the event loop, at its end: a command costs the service far more
 * than what is in it. Each gets the one answer, or the one error, and finds in it what is its own.
 */
export function oncePerTurn<Question, Answer>(
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
