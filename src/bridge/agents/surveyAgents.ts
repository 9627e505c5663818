import { BridgeError } from '../../base/bridgeError.ts';
import { sanitiseLine } from '../../base/sanitise.ts';
import { NO_RANGE } from '../../config/documentRanges.ts';
import { realPathOfDeepest } from '../../config/paths.ts';
import type { EffectiveConfig } from '../../config/schema.ts';
import type { AgentsView, AgentView } from '../../protocol/agentsView.ts';
import { readAgentFile } from './agentFile.ts';
import type { AgentPlaces } from './agentPlaces.ts';
import { type AgentFacts, lintAgent } from './lintAgent.ts';
import { type AgentFile, listAgentFiles } from './listAgentFiles.ts';
import { modelForAgent } from './modelForAgent.ts';
import { offeredTools } from './offeredTools.ts';
import { parseAgent } from './parseAgent.ts';

const MAX_DESCRIPTION = 300;

/** The text of a file as an editor has it, saved or not; null: no editor has it open. */
type OpenText = (path: string) => string | null;

/** Every definition that can be seen from a folder, with what a job of it gets and what is odd about it. No endpoint is asked. */
export function surveyAgents(
  places: AgentPlaces,
  config: Pick<EffectiveConfig, 'defaults' | 'runners'>,
  servedNames: readonly string[] | null,
  openText: OpenText = () => null,
): Pick<AgentsView, 'agents' | 'folders'> {
  const { files, folders } = listAgentFiles(places);
  const winners = new Map<string, string>();
  const agents: AgentView[] = [];
  for (const file of files) {
    const shadowedBy = winners.get(file.name) ?? null;
    // In the home folder the first tier and the last are one.
    if (shadowedBy !== null && realPathOfDeepest(shadowedBy) === realPathOfDeepest(file.path))
      continue;
    const facts = { servedNames, shadowedBy, settings: config };
    const view = viewAgent(file, places, config, facts, openText);
    // A folder of skills has folders that hold no skill.
    if (view === null) continue;
    agents.push(view);
    if (shadowedBy === null) winners.set(file.name, file.path);
  }
  return {
    agents,
    folders: folders.map((folder) => ({ ...folder, skipped: [...folder.skipped] })),
  };
}

function viewAgent(
  file: AgentFile,
  places: AgentPlaces,
  config: Pick<EffectiveConfig, 'defaults' | 'runners'>,
  facts: AgentFacts,
  openText: OpenText,
): AgentView | null {
  const { model, rule } = modelForAgent(file.name, null, config);
  const common = {
    ...file,
    shadowedBy: facts.shadowedBy,
    runner: 'loop' as const,
    model,
    modelRule: rule,
  };
  let text: string | null;
  try {
    text = readAgentFile(file, places);
  } catch (error) {
    if (!BridgeError.is(error, 'config_invalid')) throw error;
    return {
      ...common,
      description: '',
      isUsable: false,
      declaredModel: null,
      tools: [],
      findings: [
        {
          severity: 'error',
          code: 'unreadable',
          range: NO_RANGE,
          message: error.message,
          hint: error.hint,
        },
      ],
    };
  }
  if (text === null) return null;
  // What an editor has counts only where a job would read the file.
  const parsed = parseAgent(openText(file.path) ?? text);
  const findings = lintAgent(file, parsed, facts);
  const isUsable = !findings.some((finding) => finding.severity === 'error');
  return {
    ...common,
    description: sanitiseLine(parsed.description ?? '', MAX_DESCRIPTION),
    isUsable,
    declaredModel: parsed.model,
    tools: isUsable ? offeredTools(parsed, config) : [],
    findings: findings.map((finding) => ({
      ...finding,
      message: sanitiseLine(finding.message, 600),
    })),
  };
}
