const SECRET_NAMES: readonly RegExp[] = [
  /^\.env(\..+)?$/,
  /^\.?(npmrc|netrc|pypirc|pgpass|htpasswd|git-credentials|dockercfg)$/,
  /^id_(rsa|dsa|ecdsa|ed25519)$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx|ppk|asc|gpg)$/,
  /^(credentials|secrets?)(\.(json|ya?ml|toml|ini|txt|env))?$/,
  /^service-?account.*\.json$/,
  /\.tfvars(\.json)?$/,
];
/** Made to be shared. */
const HARMLESS = /^\.env\.(example|sample|template|dist|defaults?)$/;
const SECRET_FOLDERS = /(^|\/)\.(ssh|gnupg|aws|azure|kube|docker)\//;

/** Whether a file by this name usually holds keys or passwords. Before its text goes to a model, the person is asked. */
export function isLikelySecret(path: string): boolean {
  const normal = path.replaceAll('\\', '/').toLowerCase();
  const name = normal.slice(normal.lastIndexOf('/') + 1);
  if (HARMLESS.test(name)) return false;
  return SECRET_FOLDERS.test(normal) || SECRET_NAMES.some((pattern) => pattern.test(name));
}
