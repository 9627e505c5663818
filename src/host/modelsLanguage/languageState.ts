/** What the language server of models.yaml is doing. */
export type LanguageState =
  /** No file of the configuration was opened yet. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'starting' }
  | { readonly kind: 'running' }
  /** It has ended by itself and is started again. */
  | { readonly kind: 'waiting'; readonly reason: string }
  /** It has ended too often; a person has to start it. */
  | { readonly kind: 'ended'; readonly reason: string };
