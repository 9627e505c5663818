import type { ErrorKind } from '../../base/bridgeError.ts';

export interface FailureFix {
  readonly label: string;
  /** A command's id; ours are named in contributions.ts. */
  readonly command: string;
}

const RESTART: FailureFix = {
  label: 'Restart Server',
  command: 'delegationBridge.restartServer',
};
const SERVER_LOG: FailureFix = {
  label: 'Show Server Log',
  command: 'delegationBridge.showServerLog',
};
const ENDPOINTS: FailureFix = {
  label: 'Show Endpoints',
  command: 'delegationBridge.endpoints.focus',
};
const FIND: FailureFix = {
  label: 'Find Model Servers',
  command: 'delegationBridge.findServers',
};
const CONFIG: FailureFix = { label: 'Open models.yaml', command: 'delegationBridge.openConfig' };
const TRUST_SETTINGS: FailureFix = {
  label: 'Show Settings to Trust',
  command: 'delegationBridge.trustRepositorySettings',
};
const TRUST_WORKSPACE: FailureFix = {
  label: 'Manage Workspace Trust',
  command: 'workbench.trust.manage',
};
const CLEAN_UP: FailureFix = { label: 'Clean Up', command: 'delegationBridge.cleanUp' };
const SOURCE_CONTROL: FailureFix = {
  label: 'Open Source Control',
  command: 'workbench.view.scm',
};

const FIXES: Partial<Record<ErrorKind, readonly FailureFix[]>> = {
  server_unavailable: [RESTART, SERVER_LOG],
  internal: [SERVER_LOG],
  host_start_failed: [SERVER_LOG],
  model_unavailable: [ENDPOINTS, FIND],
  model_unsuitable: [ENDPOINTS],
  unknown_endpoint: [ENDPOINTS, CONFIG],
  backend_unreachable: [ENDPOINTS],
  backend_error: [ENDPOINTS],
  auth_failed: [CONFIG],
  secret_missing: [CONFIG],
  config_invalid: [CONFIG],
  unknown_gate: [CONFIG],
  policy_refused: [CONFIG],
  untrusted: [TRUST_SETTINGS],
  restricted: [TRUST_WORKSPACE],
  storage_full: [CLEAN_UP],
  not_a_repository: [SOURCE_CONTROL],
  no_commits: [SOURCE_CONTROL],
};

/** Buttons that lead to where a failure can be mended, the likeliest first; none when only the person knows. */
export function failureFixes(kind: string): readonly FailureFix[] {
  return FIXES[kind as ErrorKind] ?? [];
}
