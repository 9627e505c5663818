import type { ClaudeSession } from './claudeSession.ts';

const READ_ONLY_TOOLS = ['Read', 'Glob', 'Grep'];
const WEB_TOOLS = ['WebFetch', 'WebSearch'];

/** `settingsFile` holds the environment of claudeEnv: a file, so that the gateway's token is in no process list. */
export function claudeArgs(session: ClaudeSession, settingsFile: string): string[] {
  const tools = sessionTools(session);
  return [
    '-p',
    '--input-format', 'stream-json',
    '--output-format', 'stream-json',
    '--verbose',
    '--model', session.model,
    '--permission-mode', session.permissionMode,
    '--setting-sources', session.settingSources.join(','),
    '--settings', settingsFile,
    '--strict-mcp-config',
    '--max-turns', String(session.maxTurns),
    '--tools', [...new Set(tools.map(toolName))].join(','),
    ...(tools.length > 0 ? ['--allowedTools', tools.join(',')] : []),
    ...(session.disallowedTools.length > 0 ? ['--disallowedTools', session.disallowedTools.join(',')] : []),
    ...(session.effort === null ? [] : ['--effort', session.effort]),
    ...(session.systemPromptAppend === '' ? [] : ['--append-system-prompt', session.systemPromptAppend]),
    ...(session.resumeSessionId === null ? [] : ['--resume', session.resumeSessionId]),
  ]; // prettier-ignore
}

/** The rules (`Bash(git *)` included) that a job is given: what is not among them does not exist in the session. */
export function sessionTools(session: ClaudeSession): string[] {
  if (session.isReadOnly) return READ_ONLY_TOOLS;
  const denied = new Set([...session.disallowedTools, ...(session.isLocalOnly ? WEB_TOOLS : [])]);
  return session.allowedTools.filter((rule) => !denied.has(toolName(rule)));
}

function toolName(rule: string): string {
  return rule.replace(/\(.*$/s, '').trim();
}
