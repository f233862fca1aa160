/** The files of `templates/mail` by name. The build writes the module, so that a bundle contains them. */
export declare const OWN_TEMPLATES: Readonly<Record<string, string>>
