const DEFINITION = /[/\\]\.claude[/\\](agents[/\\][^/\\]+\.md|skills[/\\][^/\\]+[/\\]SKILL\.md)$/;

/** Whether a path is one where agent and skill definitions of a folder are kept. */
export function isAgentFile(path: string): boolean {
  return DEFINITION.test(path);
}
