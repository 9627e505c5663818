/** Where a definition was found: the first place that has the name wins. */
export type AgentSource = 'project-agent' | 'project-skill' | 'global';

/** An agent or skill definition as its file has it. */
export interface AgentDefinition {
  readonly name: string;
  readonly source: AgentSource;
  readonly path: string;
  readonly description: string;
  /** The text below the front matter: what the model is told. */
  readonly body: string;
  /** `model:` of the front matter; null: none. The loop runner goes by the call and models.yaml, never by this. */
  readonly model: string | null;
  /** `tools:`; null: all. Names as in the file (`Read`, `Bash(git *)` …). */
  readonly tools: readonly string[] | null;
  readonly disallowedTools: readonly string[];
}
