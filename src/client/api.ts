/** Made by scripts/generate-client-types.js from the API description: do not edit. */

export interface paths {
  '/api/auth/change-password': {
    /**
     * Change one’s own password
     * @description By the current one. Every login of the account ends, and this reply has the credentials of a new one in the place of this one.
     */
    post: operations['changePassword']
  }
  '/api/auth/delete-account': {
    /**
     * Delete one’s own account
     * @description By its password, and a code where a second factor is active, and for good: with all its logins and with all that is kept about it but its id.
     */
    post: operations['deleteAccount']
  }
  '/api/auth/get-identity': {
    /**
     * Who is logged in
     * @description Cookie and token have to be of one session; neither alone proves a login.
     */
    get: operations['getIdentity']
  }
  '/api/auth/login': {
    /**
     * Log in
     * @description Always opens a new session; the session of a valid cookie that is sent along is ended. Where the account has a second factor a right password without `code` gets 401 with the message `second-factor-required`.
     */
    post: operations['login']
  }
  '/api/auth/login-as': {
    /**
     * Act as another account
     * @description New credentials; those of before are dead. All grants are those of the other account. Ends by itself after an hour at most. Where one has a second factor it needs a code, however one has logged in.
     */
    post: operations['loginAs']
  }
  '/api/auth/logout': {
    /**
     * Log out
     * @description Harmless where nobody is logged in.
     */
    post: operations['logout']
  }
  '/api/auth/logout-as': {
    /**
     * Stop acting as another account
     * @description New credentials of oneself; those of the impersonation are dead.
     */
    post: operations['logoutAs']
  }
  '/api/auth/refresh': {
    /**
     * Renew the token pair
     * @description Everybody who sends one refresh token inside the grace window gets the same new pair; so does, later, a tab with the current cookie.
     */
    post: operations['refresh']
  }
  '/api/auth/reset-password': {
    /**
     * Ask for a reset mail, or set another password with its token
     * @description With `email` alone it asks, and the reply is the same whether or not there is such an account. With `email`, `resetToken` and `password` it sets the password, which ends all sessions of the account and logs nobody in.
     */
    post: operations['resetPassword']
  }
  '/api/auth/second-factor': {
    /** Whether the own account has a second factor */
    get: operations['readSecondFactor']
  }
  '/api/auth/second-factor/confirm': {
    /**
     * Confirm the second factor that was set up
     * @description From now on a login needs a code. New credentials, of a login with the second factor; the previous ones are void.
     */
    post: operations['confirmSecondFactor']
  }
  '/api/auth/second-factor/recovery-codes': {
    /**
     * Make new recovery codes
     * @description Takes the password and a code. The previous recovery codes are void; the factor and all sessions stay.
     */
    post: operations['renewRecoveryCodes']
  }
  '/api/auth/second-factor/remove': {
    /**
     * Remove the second factor
     * @description With password and code. From now on the password alone logs in; sessions go on.
     */
    post: operations['removeSecondFactor']
  }
  '/api/auth/second-factor/set-up': {
    /**
     * Set up a second factor
     * @description For an authenticator app. Nothing changes before it is confirmed, within an hour.
     */
    post: operations['setUpSecondFactor']
  }
  '/api/auth/sessions': {
    /**
     * Where one is logged in
     * @description One page of one’s own sessions, the oldest first.
     */
    get: operations['listSessions']
  }
  '/api/auth/sessions/end': {
    /**
     * Log out somewhere else
     * @description With `id` it ends that session of one’s own, which may be this one; with `others` all but this one.
     */
    post: operations['endSessions']
  }
  '/api/project': {
    /**
     * List one’s own projects
     * @description One page of those that this account has created, in ascending order of id.
     */
    get: operations['listProjects']
  }
  '/api/project/{projectId}': {
    /**
     * One of one’s own projects
     * @description One that another account has created is 404, as one that does not exist.
     */
    get: operations['readProject']
  }
  '/api/project/close': {
    /**
     * Close one of one’s own projects
     * @description It can still be read. One that is closed already stays as it is.
     */
    post: operations['closeProject']
  }
  '/api/project/create': {
    /**
     * Create a project
     * @description It belongs to whoever is logged in.
     */
    post: operations['createProject']
  }
  '/health/live': {
    /**
     * The process answers
     * @description Says nothing about the store: restart the service only where this does not answer.
     */
    get: operations['live']
  }
  '/health/ready': {
    /**
     * The service can do its work
     * @description Send it requests only while it answers 200.
     */
    get: operations['ready']
  }
  '/openapi.json': {
    /**
     * This description
     * @description It is that of this very service: of its addresses, its headers and what it grants.
     */
    get: operations['describe']
  }
  '/v1/pets': {
    /**
     * List pets
     * @description One page, or with `ids` those pets alone, each once; in ascending order of id.
     */
    get: operations['listPets']
    /**
     * Create a pet
     * @description The service assigns the id; `Location` tells it.
     */
    post: operations['createPet']
  }
  '/v1/pets/{petId}': {
    /**
     * One pet
     * @description With the traits that it has.
     */
    get: operations['readPet']
    /**
     * Remove a pet
     * @description For good: its id is never given to another pet.
     */
    delete: operations['removePet']
    /**
     * Update a pet
     * @description Merges into the traits of the same shape; the other shape replaces them. As a merge patch (RFC 7396) `null` takes a trait away; a pet without any has no shape.
     */
    patch: operations['patchPet']
  }
}
export interface components {
  schemas: {
    Cat: {
      age?: number
      hunts?: boolean
    }
    CatPatch: {
      age?: number | null
      hunts?: boolean | null
    }
    ChangePasswordRequest: {
      /**
       * Format: password
       * @description The new password.
       */
      newPassword: string
      /**
       * Format: password
       * @description The current password.
       */
      password: string
    }
    CloseProjectRequest: {
      /** @description Id of one’s own project. */
      id: number
    }
    ConfirmSecondFactorRequest: {
      /**
       * @description Of the second factor, where the account has one: six digits, or a recovery code.
       * @example 492039
       */
      code: string
    }
    DeleteAccountRequest: {
      /**
       * @description Of the second factor, where the account has one: six digits, or a recovery code.
       * @example 492039
       */
      code?: string
      /**
       * Format: password
       * @description The current password.
       */
      password: string
    }
    Dog: {
      bark?: boolean
      breed?: string
    }
    DogPatch: {
      bark?: boolean | null
      breed?: string | null
    }
    EndedSessionsEnvelope: {
      code: number
      response: boolean
      view: {
        ended: number
        messages: components['schemas']['Message'][]
      }
    }
    EndSessionsRequest: {
      /** @description Of one session, as the list has it. */
      id?: string
      /** @description With true, all but this one. */
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
    Error: {
      /** Format: int32 */
      code: number
      message: string
    }
    Health: {
      /** @enum {string} */
      status: 'ok' | 'unavailable'
    }
    IdentityEnvelope: {
      code: number
      response: boolean
      view: components['schemas']['IdentityView']
    }
    IdentityView: {
      /** @description Rows keyed by their `key`. */
      groupList: {
        [key: string]: {
          key: string
          label: string
          uuid: string
        }
      }
      /** @description Access token; filled only by the reply that issues it. */
      jwt: string | null
      loggedIn: boolean
      loggedInAs: boolean
      messages: components['schemas']['Message'][]
      refreshed: boolean
      refreshToken: string | null
      /** @description Rows keyed by their `key`. */
      roleList: {
        [key: string]: {
          key: string
          label: string
          uuid: string
        }
      }
      /** @description Rows keyed by their `key`. */
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
      /**
       * @description Of the second factor, where the account has one: six digits, or a recovery code.
       * @example 492039
       */
      code?: string
      /** @description Id of the other account. */
      userId: number
    }
    LoginRequest: {
      /**
       * @description Of the second factor, where the account has one: six digits, or a recovery code.
       * @example 492039
       */
      code?: string
      /** @example ada@example.com */
      email?: string
      /** Format: password */
      password?: string
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
      /** @description What logged in, as far as it said; null where unknown. */
      client: string | null
      /** Format: date-time */
      createdAt: string
      /** @description Whether it is the one that asks. */
      current: boolean
      /** @description Names the session; proves nothing. */
      id: string
      /** @description Whether an administrator acts in it. */
      impersonated: boolean
      /** @description The address it was refreshed from last, of IPv6 the /64; null where unknown. */
      network: string | null
      /**
       * Format: date-time
       * @description Of the login, or of the last refresh.
       */
      refreshedAt: string
    }
    OwnSessionsEnvelope: {
      code: number
      response: boolean
      view: {
        messages: components['schemas']['Message'][]
        sessions: components['schemas']['OwnSession'][]
      }
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
    PetChange: components['schemas']['Cat'] | components['schemas']['Dog']
    /** @description A pet to be created; the service assigns its id. */
    PetDraft: {
      /** @enum {string} */
      category?: 'One' | 'Two' | 'Three'
      /** @description White space around it is cut off. */
      name: string
      tag?: string
    }
    /** @description RFC 7396: what is null is taken away. */
    PetMergePatch: components['schemas']['CatPatch'] | components['schemas']['DogPatch']
    Pets: components['schemas']['Pet'][]
    /** @description Ids of pets. */
    PetsIds: number[]
    Project: {
      budget: number
      /**
       * Format: date-time
       * @description Absent while it is open.
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
    ProjectsEnvelope: {
      code: number
      response: boolean
      view: {
        data: components['schemas']['Project'][]
        messages: components['schemas']['Message'][]
      }
    }
    ReadProjectEnvelope: {
      code: number
      response: boolean
      view: {
        data: components['schemas']['Project']
        messages: components['schemas']['Message'][]
      }
    }
    RecoveryCodesEnvelope: {
      code: number
      response: boolean
      view: {
        messages: components['schemas']['Message'][]
        /** @description Each logs in once in the place of a code. They are shown this once. */
        recoveryCodes: string[]
      }
    }
    RefreshRequest: {
      /** @description From the reply to the login, or to the refresh before. */
      refreshToken?: string
    }
    RemoveSecondFactorRequest: {
      /**
       * @description Of the second factor, where the account has one: six digits, or a recovery code.
       * @example 492039
       */
      code: string
      /**
       * Format: password
       * @description The current one.
       */
      password: string
    }
    RenewRecoveryCodesRequest: {
      /**
       * @description Of the second factor, where the account has one: six digits, or a recovery code.
       * @example 492039
       */
      code: string
      /**
       * Format: password
       * @description The current one.
       */
      password: string
    }
    ResetPasswordRequest: {
      /** @example ada@example.com */
      email: string
      /**
       * Format: password
       * @description The new password.
       */
      password?: string
      /** @description From the link of the mail. */
      resetToken?: string
    }
    SecondFactor: {
      active: boolean
      recoveryCodesLeft: number
      /** @description Whether roles of the account count only in a login with a second factor. */
      required: boolean
      /** @description When it was confirmed. */
      since: string | null
    }
    SecondFactorConfirmedEnvelope: {
      code: number
      response: boolean
      view: components['schemas']['SecondFactorConfirmedView']
    }
    SecondFactorConfirmedView: {
      /** @description Rows keyed by their `key`. */
      groupList: {
        [key: string]: {
          key: string
          label: string
          uuid: string
        }
      }
      /** @description Access token; filled only by the reply that issues it. */
      jwt: string | null
      loggedIn: boolean
      loggedInAs: boolean
      messages: components['schemas']['Message'][]
      /** @description Each logs in once in the place of a code. They are shown this once. */
      recoveryCodes: string[]
      refreshed: boolean
      refreshToken: string | null
      /** @description Rows keyed by their `key`. */
      roleList: {
        [key: string]: {
          key: string
          label: string
          uuid: string
        }
      }
      /** @description Rows keyed by their `key`. */
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
    SecondFactorEnvelope: {
      code: number
      response: boolean
      view: {
        messages: components['schemas']['Message'][]
        secondFactor: components['schemas']['SecondFactor']
      }
    }
    SecondFactorSetUpEnvelope: {
      code: number
      response: boolean
      view: {
        messages: components['schemas']['Message'][]
        /** @description The same as the text of an SVG image. */
        qrCode: string
        /** @description Base32, for typing it into an authenticator app. */
        secret: string
        /** @description What an authenticator app reads. */
        uri: string
      }
    }
    SetUpSecondFactorRequest: {
      /**
       * Format: password
       * @description The current one.
       */
      password: string
    }
    User: {
      email: string
      id: number
    }
  }
}
export interface operations {
  changePassword: {
    requestBody: {
      content: {
        'application/json': components['schemas']['ChangePasswordRequest']
      }
    }
    responses: {
      /** @description Changed; the previous credentials are dead */
      200: {
        content: {
          'application/json': components['schemas']['IdentityEnvelope']
        }
      }
    }
  }
  deleteAccount: {
    requestBody: {
      content: {
        'application/json': components['schemas']['DeleteAccountRequest']
      }
    }
    responses: {
      /** @description Deleted, and logged out */
      200: {
        content: {
          'application/json': components['schemas']['IdentityEnvelope']
        }
      }
    }
  }
  getIdentity: {
    responses: {
      /** @description The identity; `jwt` and `refreshToken` are null */
      200: {
        content: {
          'application/json': components['schemas']['IdentityEnvelope']
        }
      }
    }
  }
  login: {
    requestBody: {
      content: {
        'application/json': components['schemas']['LoginRequest']
      }
    }
    responses: {
      /** @description Logged in */
      200: {
        content: {
          'application/json': components['schemas']['IdentityEnvelope']
        }
      }
    }
  }
  loginAs: {
    requestBody: {
      content: {
        'application/json': components['schemas']['LoginAsRequest']
      }
    }
    responses: {
      /** @description `user` is the other account, `userAs` oneself */
      200: {
        content: {
          'application/json': components['schemas']['IdentityEnvelope']
        }
      }
    }
  }
  logout: {
    requestBody?: {
      content: {
        'application/json': components['schemas']['LogoutRequest']
      }
    }
    responses: {
      /** @description Logged out */
      200: {
        content: {
          'application/json': components['schemas']['IdentityEnvelope']
        }
      }
    }
  }
  logoutAs: {
    requestBody?: {
      content: {
        'application/json': components['schemas']['LogoutRequest']
      }
    }
    responses: {
      /** @description Oneself again */
      200: {
        content: {
          'application/json': components['schemas']['IdentityEnvelope']
        }
      }
    }
  }
  refresh: {
    requestBody: {
      content: {
        'application/json': components['schemas']['RefreshRequest']
      }
    }
    responses: {
      /** @description A new pair */
      200: {
        content: {
          'application/json': components['schemas']['IdentityEnvelope']
        }
      }
    }
  }
  resetPassword: {
    requestBody: {
      content: {
        'application/json': components['schemas']['ResetPasswordRequest']
      }
    }
    responses: {
      /** @description Asked, or set */
      200: {
        content: {
          'application/json': components['schemas']['IdentityEnvelope']
        }
      }
    }
  }
  readSecondFactor: {
    responses: {
      /** @description What there is of it */
      200: {
        content: {
          'application/json': components['schemas']['SecondFactorEnvelope']
        }
      }
    }
  }
  confirmSecondFactor: {
    requestBody: {
      content: {
        'application/json': components['schemas']['ConfirmSecondFactorRequest']
      }
    }
    responses: {
      /** @description Confirmed, with ten recovery codes */
      200: {
        content: {
          'application/json': components['schemas']['SecondFactorConfirmedEnvelope']
        }
      }
    }
  }
  renewRecoveryCodes: {
    requestBody: {
      content: {
        'application/json': components['schemas']['RenewRecoveryCodesRequest']
      }
    }
    responses: {
      /** @description Ten new recovery codes */
      200: {
        content: {
          'application/json': components['schemas']['RecoveryCodesEnvelope']
        }
      }
    }
  }
  removeSecondFactor: {
    requestBody: {
      content: {
        'application/json': components['schemas']['RemoveSecondFactorRequest']
      }
    }
    responses: {
      /** @description Removed */
      200: {
        content: {
          'application/json': components['schemas']['SecondFactorEnvelope']
        }
      }
    }
  }
  setUpSecondFactor: {
    requestBody: {
      content: {
        'application/json': components['schemas']['SetUpSecondFactorRequest']
      }
    }
    responses: {
      /** @description What the app is given, this once */
      200: {
        content: {
          'application/json': components['schemas']['SecondFactorSetUpEnvelope']
        }
      }
    }
  }
  listSessions: {
    parameters: {
      query?: {
        /** @description Opaque; take it from `x-next`. */
        cursor?: string
        /** @description The most sessions that one page holds. */
        limit?: number
      }
    }
    responses: {
      /** @description The sessions */
      200: {
        content: {
          'application/json': components['schemas']['OwnSessionsEnvelope']
        }
      }
    }
  }
  endSessions: {
    requestBody: {
      content: {
        'application/json': components['schemas']['EndSessionsRequest']
      }
    }
    responses: {
      /** @description Ended, and how many */
      200: {
        content: {
          'application/json': components['schemas']['EndedSessionsEnvelope']
        }
      }
    }
  }
  listProjects: {
    parameters: {
      query?: {
        /** @description Opaque; take it from `x-next`. */
        cursor?: string
        /** @description The most projects that one page holds. */
        limit?: number
      }
    }
    responses: {
      /** @description The projects, closed ones too */
      200: {
        content: {
          'application/json': components['schemas']['ProjectsEnvelope']
        }
      }
    }
  }
  readProject: {
    parameters: {
      path: {
        /**
         * @description The id of the project.
         * @example 1
         */
        projectId: string
      }
    }
    responses: {
      /** @description The project */
      200: {
        content: {
          'application/json': components['schemas']['ReadProjectEnvelope']
        }
      }
    }
  }
  closeProject: {
    requestBody: {
      content: {
        'application/json': components['schemas']['CloseProjectRequest']
      }
    }
    responses: {
      /** @description The closed project */
      200: {
        content: {
          'application/json': components['schemas']['ProjectEnvelope']
        }
      }
    }
  }
  createProject: {
    requestBody: {
      content: {
        'application/json': components['schemas']['ProjectDraft']
      }
    }
    responses: {
      /** @description Created */
      201: {
        content: {
          'application/json': components['schemas']['ProjectEnvelope']
        }
      }
    }
  }
  live: {
    responses: {
      /** @description Alive */
      200: {
        content: {
          'application/json': components['schemas']['Health']
        }
      }
    }
  }
  ready: {
    responses: {
      /** @description Ready */
      200: {
        content: {
          'application/json': components['schemas']['Health']
        }
      }
    }
  }
  describe: {
    parameters: {
      header?: {
        /** @description Answers 304 where it still holds. */
        'If-None-Match'?: string
      }
    }
    responses: {
      /** @description An OpenAPI 3.1 document */
      200: {
        content: {
          'application/json': {
            info: {
              [key: string]: unknown
            }
            openapi: string
            paths: {
              [key: string]: unknown
            }
          } & {
            [key: string]: unknown
          }
        }
      }
    }
  }
  listPets: {
    parameters: {
      query?: {
        /** @description Opaque; take it from `x-next`. */
        cursor?: string
        /** @description These pets in the place of a page, those that are there. Not together with `limit` or `cursor`. */
        ids?: components['schemas']['PetsIds']
        /** @description The most pets that one page holds. */
        limit?: number
      }
      header?: {
        /** @description An API key, instead of the scheme’s own header. */
        ApiKeyAuth?: string
        /** @description Basic credentials (base64 of `email:password`), instead of `Authorization`. */
        BasicAuth?: string
      }
    }
    responses: {
      /** @description The pets, in ascending order of id */
      200: {
        content: {
          'application/json': components['schemas']['Pets']
        }
      }
    }
  }
  createPet: {
    parameters: {
      header?: {
        /** @description An API key, instead of the scheme’s own header. */
        ApiKeyAuth?: string
        /** @description Basic credentials (base64 of `email:password`), instead of `Authorization`. */
        BasicAuth?: string
        /** @description One pet for one key and body in 24 hours. */
        'Idempotency-Key'?: string
      }
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PetDraft']
      }
    }
    responses: {
      /** @description Created */
      201: {}
    }
  }
  readPet: {
    parameters: {
      header?: {
        /** @description An API key, instead of the scheme’s own header. */
        ApiKeyAuth?: string
        /** @description Basic credentials (base64 of `email:password`), instead of `Authorization`. */
        BasicAuth?: string
        /** @description Answers 304 where it still holds. */
        'If-None-Match'?: string
      }
      path: {
        /**
         * @description The id of the pet.
         * @example 1
         */
        petId: string
      }
    }
    responses: {
      /** @description The pet */
      200: {
        content: {
          'application/json': components['schemas']['Pet']
        }
      }
    }
  }
  removePet: {
    parameters: {
      header?: {
        /** @description An API key, instead of the scheme’s own header. */
        ApiKeyAuth?: string
        /** @description Basic credentials (base64 of `email:password`), instead of `Authorization`. */
        BasicAuth?: string
        /** @description Removes nothing where it does not hold. */
        'If-Match'?: string
      }
      path: {
        /**
         * @description The id of the pet.
         * @example 1
         */
        petId: string
      }
    }
    responses: {
      /** @description Removed */
      204: {}
    }
  }
  patchPet: {
    parameters: {
      header?: {
        /** @description An API key, instead of the scheme’s own header. */
        ApiKeyAuth?: string
        /** @description Basic credentials (base64 of `email:password`), instead of `Authorization`. */
        BasicAuth?: string
        /** @description Changes nothing where it does not hold. */
        'If-Match'?: string
      }
      path: {
        /**
         * @description The id of the pet.
         * @example 1
         */
        petId: string
      }
    }
    requestBody: {
      content: {
        'application/json': components['schemas']['PetChange']
        'application/merge-patch+json': components['schemas']['PetMergePatch']
      }
    }
    responses: {
      /** @description The updated pet */
      200: {
        content: {
          'application/json': components['schemas']['Pet']
        }
      }
    }
  }
}
