/**
 * The environment of the extension's own child processes, the same for all of them: the configuration is read from it. The
 * editor's private variables stay behind: some point at the editor's sockets, and NODE_OPTIONS and the inspector's would load
 * other code into the child.
 */
export function childEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(
    ([name]) => !/^(VSCODE_|ELECTRON_|NODE_OPTIONS$)/i.test(name),
  );
  return { ...Object.fromEntries(kept), ELECTRON_RUN_AS_NODE: '1' };
}
