import { factorHolder } from '../../../support/factor.js'
import { LOGIN } from '../../../support/http/browser.js'
import { PASSWORD, type Composed } from '../../../support/use-cases.js'
import type { Begin, Step } from '../course.js'
import { statusOf, type Answer } from '../identity.js'
import type { Specification } from '../specification.js'

/** A login with a code of the second factor. */
type Input = { readonly code: string }

/** Which codes are spent. */
type State = readonly string[]

/** Each code is good once; of how many wrong ones are too many, the limit of logins tells. */
export function codeSpecification(codes: readonly string[]): Specification<State, Input, Answer> {
  const dueOf = (spent: State, { code }: Input) => (codes.includes(code) && !spent.includes(code) ? 200 : 401)
  return {
    initial: [],
    after: (spent, input, output) => {
      if (output?.status === 429) return [spent]
      const due = dueOf(spent, input)
      if (output && output.status !== due) return []
      return [due === 200 ? [...spent, input.code].sort() : spent]
    },
    keyOf: (spent) => spent.join(),
    isRead: (_, output) => output !== undefined && output.status !== 200,
    due: (spent, input) => `spent are ${spent.join() || 'none'}: due is ${String(dueOf(spent, input))}`,
    tell: ({ code }, output) => `login with ${code} → ${output ? String(output.status) : 'no answer'}`,
  }
}

/** An account with a second factor, whose codes many clients have seen. */
export const beginOneTimeCode: Begin<State, Input, Answer> = async ({ place, calls, random }) => {
  const email = `${place.freshName('guest')}@example.com`
  const holder = await factorHolder(place.kennel as Composed, email)
  const codes = new Map(
    holder.recoveryCodes.slice(0, 9).map((code, index) => [`r${String(index + 1)}`, code]),
  )
  // Which one is good depends on the clock, and the one of now has confirmed the factor.
  if (place.clockStands) codes.set('next step', holder.code(1))
  const names = [...codes.keys()]
  return {
    specification: codeSpecification(names),
    next: (client): Step<Input, Answer> => {
      const code = random.pick(names)
      const json = { email, password: PASSWORD, code: codes.get(code) }
      return { input: { code }, run: async () => statusOf(await calls.send(client, 'POST', LOGIN, { json })) }
    },
  }
}
