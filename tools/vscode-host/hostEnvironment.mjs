/**
 * This process's environment without what would point a VS Code at another one, at a proxy, at npm's settings, or our extension at
 * the user's own state; then `more`.
 */
export function hostEnvironment(more = {}) {
  const kept = Object.entries(process.env).filter(
    ([name]) =>
      !/^(VSCODE_|CODE_SERVER_|ELECTRON_|DELEGATE_|npm_|https?_proxy$|all_proxy$|NODE_OPTIONS$)/i.test(
        name,
      ),
  );
  return { ...Object.fromEntries(kept), ...more };
}
