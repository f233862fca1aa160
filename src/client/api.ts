/** Written by `npm run generate` from the API description: do not edit. */

/** The body of each POST request. */
export interface Requests {
  '/v1/pets': components['schemas']['PetDraft']
  '/api/auth/login': components['schemas']['LoginRequest']
  '/api/auth/refresh': components['schemas']['RefreshRequest']
  '/api/auth/logout': components['schemas']['LogoutRequest']
  '/api/auth/second-factor/set-up': components['schemas']['SetUpSecondFactorRequest']
  '/api/auth/second-factor/confirm': components['schemas']['ConfirmSecondFactorRequest']
  '/api/auth/second-factor/remove': components['schemas']['RemoveSecondFactorRequest']
  '/api/auth/second-factor/recovery-codes': components['schemas']['RenewRecoveryCodesRequest']
  '/api/auth/login/passkey': components['schemas']['PasskeyLoginRequest']
  '/api/auth/passkeys': components['schemas']['AddPasskeyRequest']
  '/api/auth/passkeys/rename': components['schemas']['RenamePasskeyRequest']
  '/api/auth/passkeys/remove': components['schemas']['RemovePasskeyRequest']
  '/api/auth/reset-password': components['schemas']['ResetPasswordRequest']
  '/api/auth/sign-up': components['schemas']['SignUpRequest']
  '/api/auth/sign-up/confirm': components['schemas']['ConfirmSignUpRequest']
  '/api/auth/change-email': components['schemas']['ChangeEmailRequest']
  '/api/auth/change-email/confirm': components['schemas']['ProofRequest']
  '/api/auth/change-email/undo': components['schemas']['TokenRequest']
  '/api/auth/login-by-mail': components['schemas']['EmailRequest']
  '/api/auth/login-by-mail/confirm': components['schemas']['ConfirmLoginRequest']
  '/api/auth/change-password': components['schemas']['ChangePasswordRequest']
  '/api/auth/sessions/end': components['schemas']['EndSessionsRequest']
  '/api/auth/export-account': components['schemas']['ExportAccountRequest']
  '/api/auth/confirm': components['schemas']['ConfirmRequest']
  '/api/auth/delete-account': components['schemas']['DeleteAccountRequest']
  '/api/auth/login-as': components['schemas']['LoginAsRequest']
  '/api/auth/logout-as': components['schemas']['LogoutRequest']
  '/api/project/create': components['schemas']['ProjectDraft']
  '/api/project/close': components['schemas']['CloseProjectRequest']
}

/** The body of the successful reply to each operation that the client reads. */
export interface Replies {
  readPet: components['schemas']['Pet']
  login: components['schemas']['IdentityEnvelope']
  getIdentity: components['schemas']['IdentityEnvelope']
  refresh: components['schemas']['IdentityEnvelope']
  logout: components['schemas']['IdentityEnvelope']
  setUpSecondFactor: components['schemas']['SecondFactorSetUpEnvelope']
  createProject: components['schemas']['ProjectEnvelope']
}

export interface components {
  schemas: {
    AddPasskeyRequest: {
      /** @description The response of the authenticator in the JSON form of WebAuthn: `toJSON()` of the `PublicKeyCredential`. */
      credential: {
        [key: string]: unknown
      }
      /** @description The name by which you recognize the passkey. */
      name?: string
    }
    CatPatch: {
      age?: number | null
      hunts?: boolean | null
    }
    ChangeEmailRequest: {
      email: string
      /** @description The current password. */
      password?: string
    }
    ChangePasswordRequest: {
      /** @description The new password. */
      newPassword: string
      /** @description The current password. */
      password?: string
    }
    CloseProjectRequest: {
      /** @description Id of one of your own projects. */
      id: number
    }
    ConfirmLoginRequest: {
      /** @description The code from the email, instead of the token. */
      code?: string
      /** @description Code of the second factor, if the account has a second factor: six digits (eight for some imported factors), or a recovery code. */
      secondFactor?: string
      /** @description The token from the link in the email. */
      token?: string
    }
    ConfirmRequest: {
      /** @description Code of the second factor, if the account has a second factor: six digits (eight for some imported factors), or a recovery code. */
      code?: string
      /** @description The response of the authenticator in the JSON form of WebAuthn: `toJSON()` of the `PublicKeyCredential`. */
      passkey?: {
        [key: string]: unknown
      }
      /** @description The current password. */
      password?: string
    }
    ConfirmSecondFactorRequest: {
      /** @description Code of the second factor, if the account has a second factor: six digits (eight for some imported factors), or a recovery code. */
      code: string
    }
    ConfirmSignUpRequest: {
      /** @description The code from the email, instead of the token. */
      code?: string
      /** @description The new password. */
      password?: string
      /** @description The token from the link in the email. */
      token?: string
    }
    DeleteAccountRequest: {
      /** @description Code of the second factor, if the account has a second factor: six digits (eight for some imported factors), or a recovery code. */
      code?: string
      /** @description The current password. */
      password?: string
    }
    DogPatch: {
      bark?: boolean | null
      breed?: string | null
    }
    EmailRequest: {
      email: string
    }
    EndSessionsRequest: {
      /** @description A session id from the list. */
      id?: string
      /** @description `true` ends all sessions except the current session. */
      others?: boolean
    } & (
      | {
          id: string
        }
      | {
          /** @constant */
          others: true
        }
    )
    ExportAccountRequest: {
      /** @description Code of the second factor, if the account has a second factor: six digits (eight for some imported factors), or a recovery code. */
      code?: string
      /** @description The current password. */
      password?: string
    }
    IdentityEnvelope: {
      code: number
      response: boolean
      view: components['schemas']['IdentityView']
    }
    IdentityView: {
      /** @description Roles keyed by their `key`. */
      groupList: {
        [key: string]: {
          key: string
          label: string
          uuid: string
        }
      }
      /** @description Access token; null unless the reply issues it. */
      jwt: string | null
      loggedIn: boolean
      loggedInAs: boolean
      messages: components['schemas']['Message'][]
      refreshed: boolean
      refreshToken: string | null
      /** @description Roles keyed by their `key`. */
      roleList: {
        [key: string]: {
          key: string
          label: string
          uuid: string
        }
      }
      /** @description Roles keyed by their `key`. */
      typeList: {
        [key: string]: {
          key: string
          label: string
          uuid: string
        }
      }
      user: components['schemas']['User'] | null
      userAs: components['schemas']['User'] | null
    }
    LoginAsRequest: {
      /** @description Code of the second factor, if the account has a second factor: six digits (eight for some imported factors), or a recovery code. */
      code?: string
      /** @description Id of the other account. */
      userId: number
    }
    LoginRequest: {
      /** @description Code of the second factor, if the account has a second factor: six digits (eight for some imported factors), or a recovery code. */
      code?: string
      email?: string
      /** @description The response of the authenticator in the JSON form of WebAuthn: `toJSON()` of the `PublicKeyCredential`. */
      passkey?: {
        [key: string]: unknown
      }
      password?: string
      /** @description Whether the session cookie is kept after the browser is closed. */
      remember?: boolean
    }
    LogoutRequest: Record<string, never>
    Message: {
      code: number
      field: string
      message: string
      /** @enum {string} */
      type:
        | 'Required'
        | 'Format'
        | 'Length'
        | 'Duplicate'
        | 'NotValid'
        | 'LoginFailed'
        | 'InvalidToken'
        | 'Forbidden'
        | 'NotFound'
        | 'Conflict'
        | 'TooMany'
        | 'Unavailable'
    }
    OwnSession: {
      /** @description The client as it described itself at login; null if unknown. */
      client: string | null
      /** Format: date-time */
      createdAt: string
      /** @description Whether this session sent the request. */
      current: boolean
      /** @description Identifies the session; it is not a credential. */
      id: string
      /** @description Whether an administrator is acting as the account in this session. */
      impersonated: boolean
      /** @description The address of the last refresh, the /64 for IPv6; null if unknown. */
      network: string | null
      /**
       * Format: date-time
       * @description Time of the last refresh, or of the login.
       */
      refreshedAt: string
    }
    Passkey: {
      /** @description Whether the passkey was backed up at its last use. */
      backedUp: boolean
      /** Format: date-time */
      createdAt: string
      /** @description The credential ID, in base64url. */
      id: string
      lastUsedAt: string | null
      name: string
      /** @description Whether the passkey can be copied to other devices. */
      synced: boolean
      transports: string[]
    }
    PasskeyLoginRequest: {
      /** @description The response of the authenticator in the JSON form of WebAuthn: `toJSON()` of the `PublicKeyCredential`. */
      credential: {
        [key: string]: unknown
      }
      /** @description Whether the session cookie is kept after the browser is closed. */
      remember?: boolean
    }
    Pet: {
      age?: number
      bark?: boolean
      breed?: string
      /** @enum {string} */
      category?: 'One' | 'Two' | 'Three'
      hunts?: boolean
      /** Format: int64 */
      id: number
      name: string
      tag?: string
    }
    /** @description A pet to be created; the service assigns its id. */
    PetDraft: {
      /** @enum {string} */
      category?: 'One' | 'Two' | 'Three'
      /** @description The service trims white space. */
      name: string
      tag?: string
    }
    /** @description A merge patch (RFC 7396): null removes a trait. */
    PetMergePatch: components['schemas']['CatPatch'] | components['schemas']['DogPatch']
    Project: {
      budget: number
      /**
       * Format: date-time
       * @description Absent while the project is open.
       */
      closedAt?: string
      /** Format: date-time */
      createdAt: string
      createdBy: number
      id: number
      label: string
      status: string
    }
    ProjectDraft: {
      budget: number
      label: string
      status: string
    }
    ProjectEnvelope: {
      code: number
      response: boolean
      view: {
        data?: components['schemas']['Project']
        messages: components['schemas']['Message'][]
        saved: boolean
      }
    }
    ProofRequest: {
      /** @description The code from the email, instead of the token. */
      code?: string
      /** @description The token from the link in the email. */
      token?: string
    }
    RefreshRequest: {
      /** @description The refresh token from the reply to the login or to the previous refresh. */
      refreshToken?: string
    }
    RemovePasskeyRequest: {
      /** @description The ID of one of your own passkeys. */
      id: string
    }
    RemoveSecondFactorRequest: {
      /** @description Code of the second factor, if the account has a second factor: six digits (eight for some imported factors), or a recovery code. */
      code: string
      /** @description The current password. */
      password?: string
    }
    RenamePasskeyRequest: {
      /** @description The ID of one of your own passkeys. */
      id: string
      /** @description The name by which you recognize the passkey. */
      name: string
    }
    RenewRecoveryCodesRequest: {
      /** @description Code of the second factor, if the account has a second factor: six digits (eight for some imported factors), or a recovery code. */
      code: string
      /** @description The current password. */
      password?: string
    }
    ResetPasswordRequest: {
      email: string
      /** @description The new password. */
      password?: string
      /** @description From the link in the email. */
      resetToken?: string
    }
    SecondFactor: {
      active: boolean
      recoveryCodesLeft: number
      /** @description Whether some roles of the account apply only in a login with a second factor. */
      required: boolean
      /** @description Time at which the second factor was confirmed. */
      since: string | null
    }
    SecondFactorSetUpEnvelope: {
      code: number
      response: boolean
      view: {
        messages: components['schemas']['Message'][]
        /** @description The URI as a QR code (the text of an SVG image). */
        qrCode: string
        /** @description The secret in Base32, for typing into an authenticator app. */
        secret: string
        /** @description An otpauth URI for an authenticator app. */
        uri: string
      }
    }
    SetUpSecondFactorRequest: {
      /** @description The current password. */
      password?: string
    }
    SignUpRequest: {
      /** @description The answer to a bot challenge, if the service demands one. */
      challenge?: string
      email: string
    }
    TokenRequest: {
      /** @description The token from the link in the email. */
      token: string
    }
    User: {
      email: string
      id: number
    }
  }
}
