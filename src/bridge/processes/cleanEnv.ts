/**
 * The environment of what the bridge starts: an allow-list, because an MCP server inherits its client's keys, sockets and
 * session variables. Proxy and certificate variables stay, or builds break in ways that look like a model's failure.
 */
const ALLOWED = new Set([
  'HOME', 'USER', 'LOGNAME', 'SHELL', 'PATH', 'TERM', 'LANG', 'LANGUAGE', 'TZ', 'TMPDIR', 'TEMP', 'TMP',
  'XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR',
  'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'all_proxy',
  'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'SSL_CERT_DIR', 'REQUESTS_CA_BUNDLE', 'CURL_CA_BUNDLE', 'GIT_SSL_CAINFO',
  'JAVA_HOME', 'GOPATH', 'GOROOT', 'CARGO_HOME', 'RUSTUP_HOME', 'PYENV_ROOT', 'PYENV_VERSION', 'NVM_DIR', 'VIRTUAL_ENV',
  'CONDA_PREFIX', 'VOLTA_HOME', 'FNM_DIR', 'MISE_DATA_DIR', 'ASDF_DATA_DIR', 'PNPM_HOME', 'BUN_INSTALL', 'DENO_DIR',
  'SYSTEMROOT', 'WINDIR', 'COMSPEC', 'PATHEXT', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'PROGRAMFILES', 'PROGRAMDATA',
]); // prettier-ignore

export function cleanEnv(env: NodeJS.ProcessEnv): Record<string, string> {
  const clean: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value === undefined) continue;
    if (ALLOWED.has(name) || name.startsWith('LC_')) clean[name] = value;
  }
  return clean;
}
