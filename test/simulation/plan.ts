import fc from 'fast-check'

/** Everything that a history depends on: numbers from 0 to 255, or less. */
export type Plan = {
  /** Number of instances and clients, their clocks and their settings. */
  readonly setting: readonly number[]
  /** A client, its action, the instance, and three numbers for the action. */
  readonly actions: readonly (readonly number[])[]
  /** Which of the waiting calls goes on, or whether a client begins its next action. */
  readonly choices: readonly number[]
  /** The number of a call of a port, and what happens to it. */
  readonly mishaps: readonly (readonly [number, number])[]
}

const LENGTH = 30
const CHOICES = 240

const byte = fc.nat(255)
const action = fc.tuple(byte, byte, byte, byte, byte, byte)

/** Arrays of this length, which shrink to shorter arrays. */
class FullArray<T> extends fc.Arbitrary<T[]> {
  readonly #full: fc.Arbitrary<T[]>
  readonly #any: fc.Arbitrary<T[]>

  constructor(item: fc.Arbitrary<T>, length: number) {
    super()
    this.#full = fc.array(item, { minLength: length, maxLength: length })
    this.#any = fc.array(item, { maxLength: length })
  }

  override generate(random: fc.Random): fc.Value<T[]> {
    const { value } = this.#full.generate(random, undefined)
    return new fc.Value(value, undefined)
  }

  override canShrinkWithoutContext(value: unknown): value is T[] {
    return this.#any.canShrinkWithoutContext(value)
  }

  override shrink(value: T[], context: unknown): fc.Stream<fc.Value<T[]>> {
    return this.#any.shrink(value, context)
  }
}

/** Plans of full length. The shorter a plan and the smaller its numbers, the simpler its history. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  setting: fc.array(byte, { minLength: 8, maxLength: 8 }),
  actions: new FullArray(action, LENGTH),
  choices: new FullArray(byte, CHOICES),
  mishaps: fc.array(fc.tuple(fc.nat(250), byte), { maxLength: 3 }),
})
