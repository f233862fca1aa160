import fc from 'fast-check'
import type { Account } from '../world.js'

export type PasswordChoice = 'right' | 'wrong' | 'earlier' | 'no'

export const passwords: fc.Arbitrary<PasswordChoice> = fc.oneof(
  { weight: 8, arbitrary: fc.constant<PasswordChoice>('right') },
  { weight: 3, arbitrary: fc.constant<PasswordChoice>('wrong') },
  { weight: 2, arbitrary: fc.constant<PasswordChoice>('earlier') },
)

/** Mostly a wrong one. */
export const wrongPasswords: fc.Arbitrary<PasswordChoice> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<PasswordChoice>('wrong') },
  { weight: 1, arbitrary: fc.constant<PasswordChoice>('right') },
)

/** Also none at all. */
export const anyPassword: fc.Arbitrary<PasswordChoice> = fc.oneof(
  { weight: 12, arbitrary: passwords },
  { weight: 1, arbitrary: fc.constant<PasswordChoice>('no') },
)

export function passwordOf({ password, earlier }: Account, choice: PasswordChoice): string {
  switch (choice) {
    case 'right':
      return password
    case 'wrong':
      return 'a wrong kennel door'
    case 'earlier':
      return earlier.at(-1) ?? 'an earlier kennel door'
    case 'no':
      return ''
  }
}
