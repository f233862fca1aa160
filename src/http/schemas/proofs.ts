import * as z from 'zod'
import { codeSchema, currentPassword, newPasswordSchema } from './identity.js'
import { optionalText } from './validate.js'

const email = optionalText({ minLength: 1, examples: ['ada@example.com'] })
const token = optionalText({ description: 'The token from the link in the email.' })
const proof = {
  token,
  code: optionalText({
    description: 'The code from the email, instead of the token.',
    examples: ['7K3M9QXT'],
  }),
}

/** Request bodies of the routes for email proofs. Unknown members are ignored. */
export const emailBodySchema = z.object({ email }).meta({ id: 'EmailRequest', required: ['email'] })
export const signUpBodySchema = z
  .object({
    email,
    challenge: optionalText({ description: 'The answer to a bot challenge, if the service demands one.' }),
  })
  .meta({ id: 'SignUpRequest', required: ['email'] })
export const confirmSignUpBodySchema = z
  .object({ ...proof, password: newPasswordSchema.optional() })
  .meta({ id: 'ConfirmSignUpRequest', required: ['password'] })
export const changeEmailBodySchema = z
  .object({ email, password: currentPassword })
  .meta({ id: 'ChangeEmailRequest', required: ['email', 'password'] })
export const proofBodySchema = z.object(proof).meta({ id: 'ProofRequest' })
export const tokenBodySchema = z.object({ token }).meta({ id: 'TokenRequest', required: ['token'] })
export const confirmLoginBodySchema = z
  .object({ ...proof, secondFactor: codeSchema })
  .meta({ id: 'ConfirmLoginRequest' })
